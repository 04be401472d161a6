"""PyInstaller's one-file mode: ends with the parent process, hides the unpacked folder, removes old ones.

A first process (the parent) unpacks the program into a folder `_MEI*`, starts the second, waits for its end
and removes the folder. The second is the program; hand and guard start from the same folder, which PyInstaller
names in variables. Programs that are opened for the user must not find that folder.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import time
from pathlib import Path
from typing import Any

from desktop_agent.platforms.host import Peer, when_gone
from desktop_agent.support.operating_system import WINDOWS

KILLED = 1
"""The exit code when the parent was killed."""
KEPT_SECONDS = 86_400.0
"""How long a folder is kept that names no parent: it may still be being unpacked."""
_VARIABLES = "_PYI_"
_OURS = Path("assets", "icons", "app.ico")
_FIRST = "first process"
"""The file in the folder that holds the parent's process id."""
_LIBRARIES = "python3?*.dll"
"""Loaded by every process that runs from the folder."""


def unpacked() -> bool:
    """True in a packaged program that is one file."""
    place = getattr(sys, "_MEIPASS", None)  # set by PyInstaller
    return place is not None and Path(sys.executable).parent not in Path(place).parents


def end_with_parent() -> None:
    """End at once when the parent process is killed: it is the one that whoever started the program can end.

    Hand and guard then release what is held, as they do whenever the program dies. The parent's process id
    is written into the folder, so that a later start knows whether the folder may be removed.
    """
    if unpacked():
        parent = os.getppid()
        with contextlib.suppress(OSError):
            (_folder() / _FIRST).write_text(str(parent), encoding="ascii")
        when_gone(Peer(parent), lambda: os._exit(KILLED))


def _folder() -> Path:
    return Path(getattr(sys, "_MEIPASS", ""))


def hide_from_children() -> None:
    """Let programs that this process starts from now on find neither the unpacked folder nor its libraries.

    They would inherit both, by variables and by SetDllDirectory, and the folder cannot be removed while one
    of its libraries is in use.
    """
    for name in [name for name in os.environ if name.startswith(_VARIABLES)]:
        del os.environ[name]
    if WINDOWS and getattr(sys, "frozen", False):
        import ctypes

        windows: Any = ctypes
        windows.WinDLL("kernel32").SetDllDirectoryW(None)


def remove_leftovers() -> None:
    """Remove the folders of parents that were killed, about 100 MB each."""
    if unpacked():
        remove_unused(_folder(), time.time())


def remove_unused(own: Path, now: float) -> None:
    """Remove the folders beside `own` that the program unpacked and nobody uses. `now` in seconds of `time.time`.

    A folder is unused when its parent process is gone and no process has its libraries loaded (Windows
    removes none that is loaded). A parent that was killed while unpacking has left no process id: its
    folder is kept for KEPT_SECONDS.
    """
    for folder in own.parent.glob("_MEI*"):
        with contextlib.suppress(OSError):
            if folder != own and _parent_is_gone(folder, now):
                for library in folder.glob(_LIBRARIES):
                    library.unlink()
                shutil.rmtree(folder)


def _parent_is_gone(folder: Path, now: float) -> bool:
    """Is the folder this program's, and has its parent process ended? Raises OSError when it does not exist."""
    try:
        return Peer(int((folder / _FIRST).read_text(encoding="ascii"))).wait(0)
    except (FileNotFoundError, ValueError):
        return (folder / _OURS).is_file() and now - folder.stat().st_mtime > KEPT_SECONDS
