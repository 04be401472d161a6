"""Sets the order in which Windows ends our processes at the end of the session."""

from __future__ import annotations

import ctypes
from typing import Any

HAND, GUARD = 0x200, 0x180
"""Shutdown levels (SetProcessShutdownParameters): after all usual programs (0x280), the brain among them, guard last."""
_NO_RETRY = 1


def end_late(level: int) -> None:
    """Set this process's shutdown level; Windows ends processes of higher levels first."""
    windows: Any = ctypes  # WinDLL is there on Windows only
    windows.WinDLL("kernel32").SetProcessShutdownParameters(level, _NO_RETRY)
