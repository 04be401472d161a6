"""The environments of the project's own: the Python modules in its folder `env`, and what has changed among them."""

from __future__ import annotations

import os
import re
import stat

from desktop_agent.extras.project.orchestrator.environment_child import BUILT_IN

FOLDER = "env"
MOST, MOST_BYTES = 24, 500_000
"""Modules that are loaded, and bytes of one."""
_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}\Z")
TAKEN = frozenset((*BUILT_IN, "done", "ask", "fail", "screen"))
"""Names that mean something else."""


TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    State: TypeAlias = tuple[int, int, int]
    """What tells one version of a file from another: when it was changed, its size, its number."""


class OwnModules:
    """What is there: the file and state of each module by its name, and why others cannot be loaded, by their file's name."""

    def __init__(self) -> None:
        self.modules: dict[str, tuple[str, State]] = {}
        self.refused: dict[str, str] = {}


def found_in(project: str | os.PathLike[str]) -> OwnModules:
    """Look into the folder; what begins with `_` or `.` is no environment, such as what several of them share."""
    found = OwnModules()
    folder = os.path.join(project, FOLDER)
    try:
        names = sorted(each for each in os.listdir(folder) if each.endswith(".py") and each[0] not in "_.")
    except (FileNotFoundError, NotADirectoryError):
        names = []
    except OSError as error:
        names = []
        found.refused[FOLDER] = f"The folder cannot be read: {error.strerror}."
    for file in names:
        path, name = os.path.join(folder, file), file.removesuffix(".py")
        why, state = _judged(path, name)
        if why or state is None:
            found.refused[file] = why
        elif len(found.modules) == MOST:
            found.refused[file] = f"At most {MOST} environments are loaded."
        else:
            found.modules[name] = (path, state)
    return found


def problem_of_name(name: str) -> str:
    """Why no module can have this name, as a sentence; "" for one that can."""
    if name in TAKEN:
        return f"{name} is a name that is there already: choose another one."
    if not _NAME.match(name):
        return "Its name has to be of at most 40 small letters, digits and _, beginning with a letter."
    return ""


def _judged(path: str, name: str) -> tuple[str, State | None]:
    """Why a file cannot be loaded, or its state."""
    if why := problem_of_name(name):
        return why, None
    try:
        found = os.stat(path)
    except OSError as error:
        return f"It cannot be read: {error.strerror}.", None
    if not stat.S_ISREG(found.st_mode):
        return "It is no file.", None
    if found.st_size > MOST_BYTES:
        return f"It has more than {MOST_BYTES} bytes.", None
    return "", (found.st_mtime_ns, found.st_size, found.st_ino)
