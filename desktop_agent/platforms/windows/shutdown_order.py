"""In which order Windows ends our processes with the session."""

from __future__ import annotations

import ctypes
from typing import Any

HAND, GUARD = 0x200, 0x180
"""Later than all usual programs (0x280), the brain among them, and the guard last (SetProcessShutdownParameters)."""
_NO_RETRY = 1


def end_late(level: int) -> None:
    """Be ended after those of a higher level."""
    windows: Any = ctypes  # WinDLL is there on Windows only
    windows.WinDLL("kernel32").SetProcessShutdownParameters(level, _NO_RETRY)
