"""Makes writes to a pipe non-blocking. Source: SetNamedPipeHandleState (namedpipeapi.h)."""

from __future__ import annotations

import ctypes
from ctypes import wintypes
from functools import cache
from typing import Any

_NO_WAIT = 0x1  # PIPE_NOWAIT


def never_wait(pipe: int) -> None:
    """Make a pipe's descriptor non-blocking: a write takes only as much as there is room for. Raises OSError."""
    import msvcrt  # exists on Windows only, as WinDLL does

    runtime: Any = msvcrt
    mode = wintypes.DWORD(_NO_WAIT)
    if not _kernel().SetNamedPipeHandleState(runtime.get_osfhandle(pipe), ctypes.byref(mode), None, None):
        windows: Any = ctypes
        raise windows.WinError(windows.get_last_error())


@cache
def _kernel() -> Any:
    windows: Any = ctypes
    kernel = windows.WinDLL("kernel32", use_last_error=True)
    kernel.SetNamedPipeHandleState.argtypes = [
        wintypes.HANDLE, ctypes.POINTER(wintypes.DWORD), ctypes.c_void_p, ctypes.c_void_p,
    ]  # fmt: skip
    return kernel
