"""The packaged program as one file: a first process unpacks it, starts the second, waits and cleans up.

The second is the program; hand and guard start from the same unpacked folder (PyInstaller hands it on in
variables). Nothing of the folder may reach what is opened for the user.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import time
from pathlib import Path

from desktop_agent.platforms.host import Peer, when_gone

KILLED = 1
KEPT_SECONDS = 86_400.0
_VARIABLES = "_PYI_"
_OURS = Path("assets", "icons", "app.ico")
_FIRST = "first process"
_LIBRARIES = "python3?*.dll"
"""Loaded by every process that runs from the folder."""


def unpacked() -> bool:
    """True in the packaged program that is one file."""
    place = getattr(sys, "_MEIPASS", None)  # set by PyInstaller
    return place is not None and Path(sys.executable).parent not in Path(place).parents


def end_with_the_first() -> None:
    """End at once when the first process is killed: it is the one that its starter knows and can end.

    Hand and guard then let go of what is held, as they do whenever the program ends without a word. The
    folder is told the first's number, by which a later start knows whether it may be removed.
    """
    if unpacked():
        first = os.getppid()
        with contextlib.suppress(OSError):
            (_folder() / _FIRST).write_text(str(first), encoding="ascii")
        when_gone(Peer(first), lambda: os._exit(KILLED))


def _folder() -> Path:
    return Path(getattr(sys, "_MEIPASS", ""))


def keep_to_ourselves() -> None:
    """What this process starts from now on is no part of the program: it finds neither its libraries nor its
    folder (inherited by SetDllDirectory and by variables), which could not be cleaned up while in use."""
    for name in [name for name in os.environ if name.startswith(_VARIABLES)]:
        del os.environ[name]
    if sys.platform == "win32" and getattr(sys, "frozen", False):
        import ctypes

        ctypes.WinDLL("kernel32").SetDllDirectoryW(None)


def clean_up() -> None:
    """Remove what first processes that were killed could not: 100 MB each time."""
    if unpacked():
        remove_left(_folder(), time.time())


def remove_left(own: Path, now: float) -> None:
    """Remove the folders beside `own` that the program unpacked and nobody uses at the time `now`.

    Nobody does when the first process is gone, which unpacks and cleans up, and no other has the libraries
    loaded: Windows removes none that is. One that was killed while it unpacked has left no number, so that
    its folder stays for a day.
    """
    for folder in own.parent.glob("_MEI*"):
        with contextlib.suppress(OSError):
            if folder != own and _first_is_gone(folder, now):
                for library in folder.glob(_LIBRARIES):
                    library.unlink()
                shutil.rmtree(folder)


def _first_is_gone(folder: Path, now: float) -> bool:
    """Is it ours, and did its first process end? Raises OSError when there is no such folder."""
    try:
        return Peer(int((folder / _FIRST).read_text(encoding="ascii"))).wait(0)
    except (FileNotFoundError, ValueError):
        return (folder / _OURS).is_file() and now - folder.stat().st_mtime > KEPT_SECONDS
