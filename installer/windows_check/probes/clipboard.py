"""Windows' clipboard."""

from __future__ import annotations

import ctypes
from ctypes import wintypes
from typing import Any

from installer.windows_check.probes.user32 import user32

_UNICODE_TEXT, _MOVABLE = 13, 0x2


def paste_text(words: str) -> None:
    """Put a text on the clipboard, as copying it somewhere does."""
    kernel: Any = ctypes.WinDLL("kernel32")  # type: ignore[attr-defined,unused-ignore]
    kernel.GlobalAlloc.restype = kernel.GlobalLock.restype = ctypes.c_void_p
    kernel.GlobalAlloc.argtypes = [wintypes.UINT, ctypes.c_size_t]
    kernel.GlobalLock.argtypes = kernel.GlobalUnlock.argtypes = [ctypes.c_void_p]
    data = words.encode("utf-16-le") + b"\0\0"
    memory = kernel.GlobalAlloc(_MOVABLE, len(data))
    ctypes.memmove(kernel.GlobalLock(memory), data, len(data))
    kernel.GlobalUnlock(memory)
    if not user32().OpenClipboard(None):
        raise OSError("the clipboard is taken")
    user32().EmptyClipboard()
    user32().SetClipboardData(_UNICODE_TEXT, memory)
    user32().CloseClipboard()
