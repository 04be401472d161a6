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

from desktop_agent.hand.peer import Peer, when_gone

KILLED = 1
KEPT_SECONDS = 86_400.0
_VARIABLES = "_PYI_"
_OURS = Path("assets", "icons", "app.ico")


def unpacked() -> bool:
    """True in the packaged program that is one file."""
    place = getattr(sys, "_MEIPASS", None)  # set by PyInstaller
    return place is not None and Path(sys.executable).parent not in Path(place).parents


def end_with_the_first() -> None:
    """End at once when the first process is killed: it is the one that its starter knows and can end.

    Hand and guard then let go of what is held, as they do whenever the program ends without a word.
    """
    if unpacked():
        when_gone(Peer(os.getppid()), lambda: os._exit(KILLED))


def keep_to_ourselves() -> None:
    """What this process starts from now on is no part of the program: it finds neither its libraries nor its
    folder (inherited by SetDllDirectory and by variables), which could not be cleaned up while in use."""
    for name in [name for name in os.environ if name.startswith(_VARIABLES)]:
        del os.environ[name]
    if sys.platform == "win32" and getattr(sys, "frozen", False):
        import ctypes

        ctypes.WinDLL("kernel32").SetDllDirectoryW(None)


def clean_up() -> None:
    """Remove what a first process that was killed could not: 100 MB each time."""
    if unpacked():
        remove_left(Path(getattr(sys, "_MEIPASS", "")), time.time())


def remove_left(own: Path, now: float) -> None:
    """Remove the folders beside `own` that the program unpacked more than a day before `now`, and nobody uses.

    Windows deletes no library that a process has loaded; so those go first, and one that stays saves the rest.
    """
    for folder in own.parent.glob("_MEI*"):
        with contextlib.suppress(OSError):
            if folder == own or not (folder / _OURS).is_file() or now - folder.stat().st_mtime < KEPT_SECONDS:
                continue
            for library in folder.glob("*.dll"):
                library.unlink()
            shutil.rmtree(folder)
