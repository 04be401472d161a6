"""How our processes are started: none of them opens a console window on Windows."""

from __future__ import annotations

import re
import sys

from desktop_agent.support.child_command import WITHOUT_CONSOLE, command
from tests.project_copy import ROOT

_STARTS = re.compile(r"subprocess\.(?:run|Popen|call|check_\w+)\(")
_ON_LINUX_ALONE = re.compile(
    r"desktop_agent/(?:platforms/x11/\w+/\w+|platforms/posix/bubblewrap|extras/project/(?:orchestrator|sandboxes|assets)/.*|extras/camera/endpoint/pty_process|extras/avis/boxed_script|extras/fleet/child_run|support/system_packages)\.py"
)


def test_no_process_is_started_with_a_console() -> None:
    sources = {path.relative_to(ROOT).as_posix(): path for path in (ROOT / "desktop_agent").rglob("*.py")}
    for name, path in sources.items():
        text = path.read_text(encoding="utf-8")
        if not _ON_LINUX_ALONE.fullmatch(name):
            assert len(_STARTS.findall(text)) == len(re.findall(r"creationflags=", text)), name
    wanted = 0x0800_0000 if sys.platform == "win32" else 0
    assert wanted == WITHOUT_CONSOLE


def test_a_process_is_started_from_the_source() -> None:
    assert command("_role", "a") == [sys.executable, "-m", "desktop_agent", "_role", "a"]
