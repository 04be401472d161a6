"""What one instance a screen needs of Windows: a file lock, a named pipe and a private folder."""

from __future__ import annotations

import ctypes
import getpass
import hashlib
import os
import tempfile
from pathlib import Path
from typing import IO, Any

_ANY = 0xFFFF_FFFF  # ASFW_ANY


def lock(file: IO[bytes]) -> bool:
    """Lock a file until it is closed or this process ends; False when another process has it (LockFile)."""
    import msvcrt  # is there on Windows only, as WinDLL is

    runtime: Any = msvcrt
    try:
        runtime.locking(file.fileno(), runtime.LK_NBLCK, 1)
    except OSError:
        return False
    return True


def address(folder: Path, name: str) -> str:
    """Where the instance called `name` listens: a named pipe.

    Pipes are in no folder: the name tells it, so that who keeps lock and key elsewhere does not call this one.
    """
    place = hashlib.sha256(os.fsencode(folder)).hexdigest()[:16]
    return rf"\\.\pipe\desktop-agent-{user()}-{place}-{name}"


def remove_stale(address: str) -> None:
    """Nothing: a pipe ends with its process, and to unlink one is to call it."""


def runtime_folder() -> Path:
    """Where programs of this user keep what belongs to this machine."""
    return Path(os.environ.get("LOCALAPPDATA") or tempfile.gettempdir())


def user() -> str:
    """What tells this user's files from those of others in a folder that all share."""
    return getpass.getuser()


def make_private(folder: Path) -> None:
    """Nothing: folders below the user's own are private already."""


def let_come_to_front() -> None:
    """Let another program show its window: only the one that the user works in may do so (AllowSetForegroundWindow)."""
    windows: Any = ctypes
    windows.WinDLL("user32").AllowSetForegroundWindow(_ANY)
