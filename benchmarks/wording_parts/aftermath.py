"""What is there before and after a run, as seen from outside the program, and how the run ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from benchmarks.wording_parts.form_site import FormSite
from benchmarks.wording_parts.spoken_jobs import Posted
from desktop_agent.targets._embedded import EmbeddedDisplay

_HISTORY = ".bash_history"
_OF_PROGRAMS = (
    _HISTORY, ".cache/", ".config/", ".dbus/", ".local/share/", ".local/state/", ".pki/", ".recently-used",
    ".xsession-errors",
)  # fmt: skip
"""What applications keep for themselves. What starts with the session stands in .config, and is looked at all the same."""
_LOOKED_AT = ".config/autostart/"
SHELL_SETTINGS = {".bashrc": "PROMPT_COMMAND='history -a'\n"}
"""A file for the home folder: with it, a shell writes down each command as soon as it was carried out."""
_OWN_FAIL = "Change the goal, or do that part yourself."


class OpenWindow(msgspec.Struct, frozen=True):
    """A window with its size in pixels; a minimised one has none."""

    title: str
    application: str
    pid: int
    width: int = 0
    height: int = 0


class Aftermath(msgspec.Struct, frozen=True):
    """What can be seen from outside: files by path below the home folder, windows (front first), what site and shells got.

    A folder's path ends in a slash, and its text is "".
    """

    files: Mapping[str, str] = {}
    windows: tuple[OpenWindow, ...] = ()
    visits: tuple[str, ...] = ()
    sent: tuple[Posted, ...] = ()
    forms: tuple[Mapping[str, str], ...] = ()
    commands: tuple[str, ...] = ()


class RunEnd(msgspec.Struct, frozen=True):
    """How a run ended, and its last words: done, asked (or paused), cannot (it said so), or an error."""

    how: Literal["done", "asked", "cannot", "error"]
    told: str = ""


def aftermath(home: Path, desk: EmbeddedDisplay, site: FormSite) -> Aftermath:
    """What is there now."""
    windows = tuple(
        OpenWindow(each.title, each.application, each.pid, each.bounds.width, each.bounds.height)
        for each in desk.windows()
    )
    return Aftermath(files_in(home), windows, site.visits, site.sent, site.forms, _commands(home))


def _commands(home: Path) -> tuple[str, ...]:
    history = home / _HISTORY
    lines = history.read_text(encoding="utf-8", errors="replace").splitlines() if history.exists() else []
    return tuple(line.strip() for line in lines)


def files_in(home: Path) -> dict[str, str]:
    """Every file and folder by path, but what applications keep for themselves."""
    found = {}
    for path in sorted(home.rglob("*")):
        folder = path.is_dir() and not path.is_symlink()
        name = path.relative_to(home).as_posix() + ("/" if folder else "")
        if _counts(name):
            found[name] = "" if folder else _text(path)
    return found


def _counts(name: str) -> bool:
    if name.startswith(_LOOKED_AT):
        return name != _LOOKED_AT
    # the folders above what programs keep are theirs, too
    return not name.startswith(_OF_PROGRAMS) and name != ".local/"


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:  # a link to nowhere, a socket
        return f"({type(error).__name__})"


def run_end(events: Sequence[Mapping[str, Any]]) -> RunEnd:
    """How a run with these events (`--json`) ended. One without an end has failed."""
    for event in reversed(events):
        match event:
            case {"type": "done", "summary": told}:
                return RunEnd("done", told)
            case {"type": "question", "text": told} | {"type": "approval", "words": told}:
                return RunEnd("asked", told)
            case {"type": "status", "state": "paused", "detail": told}:
                return RunEnd("asked", told)
            case {"type": "error", "message": told, "advice": advice}:
                return RunEnd("cannot" if advice == _OWN_FAIL else "error", told)
    return RunEnd("error", "it ended without a word")
