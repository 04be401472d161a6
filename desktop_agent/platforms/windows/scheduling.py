"""Sets this process's timer resolution and priority."""

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
    """Set a timer resolution of one millisecond for the life of this process (timeBeginPeriod, timeapi.h).

    By default Windows rounds waits up to 15.6 ms, and guard and hand poll every few milliseconds. Since Windows 10
    2004 this costs other processes nothing. Windows 11 ignores it for processes without a visible window unless
    they opt out of that (SetProcessInformation, processthreadsapi.h); older versions do not know the option.
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
    """Raise this process to high priority: Windows removes a hook that answers late, and every key waits for it."""
    windows: Any = ctypes
    windows.WinDLL("kernel32").SetPriorityClass(wintypes.HANDLE(-1), _FIRST)
