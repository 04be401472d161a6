"""The environments of the project's own: the Python modules in its folder `env`, and what has changed among them."""

from __future__ import annotations

import re
import stat
from pathlib import Path
from typing import NamedTuple

from desktop_agent.orchestrator.environment_child import BUILT_IN

FOLDER = "env"
MOST, MOST_BYTES = 24, 500_000
"""Modules that are loaded, and bytes of one."""
_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}\Z")
TAKEN = frozenset((*BUILT_IN, "done", "ask", "fail", "screen"))
"""Names that mean something else."""


class State(NamedTuple):
    """What tells one version of a file from another."""

    changed: int
    size: int
    file: int


class OwnModules(NamedTuple):
    """What is there: the file and state of each module by its name, and why others cannot be loaded, by their file's name."""

    modules: dict[str, tuple[str, State]]
    refused: dict[str, str]


def found_in(project: Path) -> OwnModules:
    """Look into the folder; what begins with `_` or `.` is no environment, such as what several of them share."""
    modules: dict[str, tuple[str, State]] = {}
    refused: dict[str, str] = {}
    folder = project / FOLDER
    try:
        names = sorted(
            each.name for each in folder.iterdir() if each.suffix == ".py" and each.name[0] not in "_."
        )
    except (FileNotFoundError, NotADirectoryError):
        names = []
    except OSError as error:
        return OwnModules({}, {FOLDER: f"The folder cannot be read: {error.strerror}."})
    for file in names:
        path = folder / file
        why, state = _judged(path)
        if why or state is None:
            refused[file] = why
        elif len(modules) == MOST:
            refused[file] = f"At most {MOST} environments are loaded."
        else:
            modules[path.stem] = (str(path), state)
    return OwnModules(modules, refused)


def problem_of_name(name: str) -> str:
    """Why no module can have this name, as a sentence; "" for one that can."""
    if name in TAKEN:
        return f"{name} is a name that is there already: choose another one."
    if not _NAME.match(name):
        return "Its name has to be of at most 40 small letters, digits and _, beginning with a letter."
    return ""


def _judged(path: Path) -> tuple[str, State | None]:
    """Why a file cannot be loaded, or its state."""
    if why := problem_of_name(path.stem):
        return why, None
    try:
        found = path.stat()
    except OSError as error:
        return f"It cannot be read: {error.strerror}.", None
    if not stat.S_ISREG(found.st_mode):
        return "It is no file.", None
    if found.st_size > MOST_BYTES:
        return f"It has more than {MOST_BYTES} bytes.", None
    return "", State(found.st_mtime_ns, found.st_size, found.st_ino)
