"""How a person's shell is run on a terminal: in a bubblewrap box with one folder to write, or plainly where it is wanted so."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from desktop_agent.extras.camera.endpoint.pty_process import leading
from desktop_agent.platforms.posix import bubblewrap
from desktop_agent.platforms.posix.bubblewrap import Box
from desktop_agent.protocol.errors import ConfigError

USUAL = "/bin/bash"
TERM = "xterm-256color"
_PROMPT = r"\u@\h:\w\$ "
_OF_SYSTEM = ("/bin/", "/usr/", "/sbin/")


class ShellCommand(NamedTuple):
    """What is started, and with which variables."""

    argv: list[str]
    environment: dict[str, str]


def chosen_shell(name: str, sandboxed: bool) -> str:
    """The shell to run: `name`, else the user's own, else bash. Raises ConfigError for one that is not there."""
    if name:
        if shutil.which(name) is None:
            raise ConfigError(f"There is no shell {name}.", "Name another: --shell /bin/bash")
        return name
    own = os.environ.get("SHELL", "")
    if own and shutil.which(own) and (not sandboxed or own.startswith(_OF_SYSTEM)):
        return own
    return USUAL if shutil.which(USUAL) else "/bin/sh"


@contextmanager
def shell_command(shell: str, folder: Path, sandboxed: bool) -> Iterator[ShellCommand]:
    """How the shell is run in `folder`, as long as the block lasts. Raises TargetError where no box can be made, ConfigError, OSError."""
    if not sandboxed:
        yield ShellCommand(leading([shell]), {**os.environ, **_variables(shell, os.environ.get("HISTFILE"))})
        return
    bubblewrap.require_bubblewrap()
    bubblewrap.require_home(folder)
    bubblewrap.require_owner(folder)
    names = Path(tempfile.mkdtemp(prefix="desktop-agent-"))
    try:
        box = Box(str(folder), placed=bubblewrap.write_identity(names))
        argv = box.command([*bubblewrap.confining(str(folder)), *leading([shell])])
        inherited = {"LANG": "C.UTF-8", **bubblewrap.variables(os.environ), "SHELL": shell}
        yield ShellCommand(argv, {**inherited, **_variables(shell, None)})
    finally:
        shutil.rmtree(names, ignore_errors=True)


def _variables(shell: str, history: str | None) -> dict[str, str]:
    """What belongs to the terminal; without a file of its own for the shell's history none is written."""
    prompt = {"PS1": _PROMPT} if Path(shell).name == "bash" else {}
    kept = {"HISTFILE": ""} if history is None else {}
    return {"TERM": TERM, "COLORTERM": "", **prompt, **kept}


def remove_if_empty(folder: Path) -> None:
    """Remove a folder in which nothing was left."""
    with suppress(OSError):
        folder.rmdir()
