"""How finely this process can wait: Windows rounds waits up to its timer, 15.6 ms unless a process asks for more."""

from __future__ import annotations

import ctypes
from typing import Any

MILLISECONDS = 1


def wait_finely() -> None:
    """From now until this process ends its waits are exact to a millisecond (timeBeginPeriod, timeapi.h).

    Guard and hand look and beat every few milliseconds; since Windows 10 2004 this costs other processes nothing.
    """
    windows: Any = ctypes  # WinDLL is there on Windows only
    windows.WinDLL("winmm").timeBeginPeriod(MILLISECONDS)
