"""How promptly Windows serves this process: how finely it can wait, and whether it is put behind others."""

from __future__ import annotations

import ctypes
from ctypes import wintypes
from typing import Any

MILLISECONDS = 1
_POWER_THROTTLING, _VERSION = 4, 1  # ProcessPowerThrottling, PROCESS_POWER_THROTTLING_CURRENT_VERSION
_SPEED, _IGNORE_TIMER = 0x1, 0x4
_FIRST = 0x80  # HIGH_PRIORITY_CLASS


class _Throttling(ctypes.Structure):
    """PROCESS_POWER_THROTTLING_STATE."""

    _fields_ = (("version", wintypes.ULONG), ("control", wintypes.ULONG), ("state", wintypes.ULONG))


def wait_finely() -> None:
    """From now until this process ends its waits are exact to a millisecond (timeBeginPeriod, timeapi.h).

    Windows rounds them up to 15.6 ms otherwise, and guard and hand look and beat every few milliseconds. Since
    Windows 10 2004 this costs other processes nothing. Windows 11 heeds it only where a process is seen by the user,
    or says that it wants it always (SetProcessInformation, processthreadsapi.h); older ones do not know the latter.
    """
    windows: Any = ctypes  # WinDLL is there on Windows only
    kernel = windows.WinDLL("kernel32")
    wanted = _Throttling(_VERSION, _SPEED | _IGNORE_TIMER, 0)
    if not _set(kernel, wanted):
        _set(kernel, _Throttling(_VERSION, _SPEED, 0))
    windows.WinDLL("winmm").timeBeginPeriod(MILLISECONDS)


def _set(kernel: Any, wanted: _Throttling) -> bool:
    process = wintypes.HANDLE(-1)  # GetCurrentProcess
    asked = (process, _POWER_THROTTLING, ctypes.byref(wanted), ctypes.sizeof(wanted))
    return bool(kernel.SetProcessInformation(*asked))


def take_precedence() -> None:
    """Get the processor before usual programs: Windows drops a hook that answers late, and every key waits for it."""
    windows: Any = ctypes
    windows.WinDLL("kernel32").SetPriorityClass(wintypes.HANDLE(-1), _FIRST)
