"""The packaged program as one file: a first process unpacks it, starts the second, waits and cleans up.

The second is the program; hand and guard start from the same unpacked folder (PyInstaller hands it on in
variables). Nothing of the folder may reach what is opened for the user.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from desktop_agent.hand.peer import Peer, when_gone

KILLED = 1
_VARIABLES = "_PYI_"


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
