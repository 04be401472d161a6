"""Which tests are for which system: decided here, and nowhere else.

A module is left out on Windows when it, or a module of tests or benchmarks that it imports, needs a library
that is only there on Linux (what stands under `if TYPE_CHECKING` or another `if` does not count). A single
test is skipped there when it uses a fixture of Linux's, or says `@pytest.mark.linux("why")`. What only
Windows can do is in modules called `test_*_on_windows.py`.

So on every system the whole of it is `python -m pytest tests`.
"""

from __future__ import annotations

import ast
import importlib
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

WINDOWS = sys.platform == "win32"
_ROOT = Path(__file__).resolve().parent.parent
PARTS_OF_LINUX = (
    "desktop_agent.extras.camera.endpoint",
    "desktop_agent.extras.fleet",
    "desktop_agent.extras.project.orchestrator",
    "tests.jobs.pages",
    "tests.jobs.scripted",
    "tests.jobs.commands.run",
)
"""What runs in a sandbox, fleets and the endpoint are for Linux alone; so are the jobs, done in applications of Linux."""
_LIBRARIES_OF_LINUX = ("fcntl", "resource", "pwd", "pty", "xcffib", "jeepney", "docker")
_OF_LINUX = re.compile(
    rf"({'|'.join(map(re.escape, _LIBRARIES_OF_LINUX + PARTS_OF_LINUX))})(\..*)?"
    r"|desktop_agent\..*(x11|xauth|atspi|embedded).*"
)
_OF_WINDOWS = re.compile(r"test_.*_on_windows\.py")
_OF_TESTS = ("tests.", "benchmarks.", "installer.")
_FIXTURES = {
    "small_disk": "mounts a small disk",
    **dict.fromkeys(
        ("display", "shared_display", "desk", "private_server", "terminal"), "works on a private X display"
    ),
}
"""What the fixtures do that are for Linux alone."""


def left_out(path: Path) -> bool:
    """Whether no test of this file can be run on this system."""
    if path.suffix != ".py":
        return False
    return _needs_linux(path) if WINDOWS else bool(_OF_WINDOWS.fullmatch(path.name))


def skip_for_linux(items: Iterable[pytest.Item]) -> None:
    """On Windows mark with the reason what is for Linux alone."""
    for item in items if WINDOWS else ():
        marker = item.get_closest_marker("linux")
        reasons = [marker.args[0]] if marker is not None else []
        reasons += [_FIXTURES[name] for name in getattr(item, "fixturenames", ()) if name in _FIXTURES]
        if reasons:
            item.add_marker(pytest.mark.skip(reason=reasons[0]))


def one_desktop(config: pytest.Config, log: Any) -> Any:
    """A scheduler for `pytest -n` on Windows: by files, and all that work on the desktop for one worker."""
    if not WINDOWS:
        return None
    scheduler: Any = importlib.import_module("xdist.scheduler")

    class OneDesktop(scheduler.LoadFileScheduling):  # type: ignore[misc]
        def _split_scope(self, nodeid: str) -> str:
            file = str(super()._split_scope(nodeid))
            return "the desktop" if _OF_WINDOWS.fullmatch(Path(file).name) else file

    return OneDesktop(config, log)


def kept_private(path: Path) -> bool:
    """Whether nobody else may read it; Windows has no such mode: there the user's own folders see to it."""
    return WINDOWS or path.stat().st_mode & 0o077 == 0


@cache
def _needs_linux(path: Path) -> bool:
    names = set(_imported(path))
    return any(map(_OF_LINUX.fullmatch, names)) or any(map(_needs_linux, filter(None, map(_file, names))))


def _imported(path: Path) -> Iterator[str]:
    """Names of the modules that are imported when this one is; `from a import b` gives `a` and `a.b`."""
    for statement in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(statement, ast.Import):
            yield from (each.name for each in statement.names)
        elif isinstance(statement, ast.ImportFrom) and statement.module:
            yield statement.module
            yield from (f"{statement.module}.{each.name}" for each in statement.names)


def _file(module: str) -> Path | None:
    """The file of a module of ours that is no part of the product: that one has to be importable anywhere."""
    path = _ROOT / (module.replace(".", "/") + ".py")
    return path if module.startswith(_OF_TESTS) and path.is_file() else None
