"""What /proc says of the process behind a window: its program, and whether it is ours to work with."""

from __future__ import annotations

import os
from pathlib import Path

_PROC = Path("/proc")


def program(pid: int) -> str:
    """File name of the program a process runs, "" when it cannot be told."""
    try:
        return (_PROC / str(pid) / "exe").readlink().name.removesuffix(" (deleted)") if pid else ""
    except OSError:  # it has ended, or is another user's
        return ""


def foreign(pid: int) -> bool:
    """Does the process belong to another user, or hide from us as those do? False for an unknown process (0)."""
    if not pid:
        return False
    try:
        return (_PROC / str(pid)).stat().st_uid != os.geteuid()
    except OSError:
        return True
