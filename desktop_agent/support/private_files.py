"""Makes folders and files that only their owner may read; on Windows the user's own folders are that already."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

FOLDER, FILE = 0o700, 0o600
# On Windows a descriptor would change line ends.
_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)


def private_folder(path: Path) -> None:
    """Make a folder with its parents, readable by its owner only; one that others could read is closed to them.

    Parents that are there stay as they are. Raises OSError.
    """
    if not path.parent.is_dir():
        private_folder(path.parent)  # mkdir would give parents the usual rights
    path.mkdir(exist_ok=True, mode=FOLDER)
    if path.stat().st_mode & 0o077:
        path.chmod(FOLDER)


def write_private(path: Path, data: bytes) -> None:
    """Replace a file's content, whole or not at all, readable by its owner only. Raises OSError."""
    part = path.with_name(f".{path.name}.{os.getpid()}")
    descriptor = os.open(part, _FLAGS, FILE)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        part.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            part.unlink()
        raise
