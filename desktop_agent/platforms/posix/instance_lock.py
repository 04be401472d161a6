"""What one instance a screen needs of POSIX systems: a file lock, a socket and a private folder."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import IO


def lock(file: IO[bytes]) -> bool:
    """Lock a file until it is closed or this process ends; False when another process has it (flock)."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def address(folder: Path, name: str) -> str:
    """Where the instance called `name` listens: a Unix socket in `folder`."""
    return str(folder / f"{name}.socket")


def remove_stale(address: str) -> None:
    """Remove the socket that a dead process left. Raises OSError."""
    Path(address).unlink(missing_ok=True)


def runtime_folder() -> Path:
    """Where programs of this user keep what lasts as long as the session; it may not exist."""
    return Path(f"/run/user/{os.getuid()}")


def user() -> str:
    """What tells this user's files from those of others in a folder that all share."""
    return str(os.getuid())


def make_private(folder: Path) -> None:
    """Let only this user into a folder. Raises OSError when it belongs to somebody else."""
    if folder.lstat().st_uid != os.getuid():
        raise PermissionError(1, "it belongs to somebody else")
    folder.chmod(0o700)


def let_come_to_front() -> None:
    """Nothing: any program may show its window here."""
