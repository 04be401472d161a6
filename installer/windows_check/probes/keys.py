"""The keyboard and the buttons: what is down, which keys came in which order, and the clipboard."""

from __future__ import annotations

import ctypes
import threading
import time
from ctypes import wintypes
from typing import Any

_KEYBOARD, _INJECTED = 13, 0x10
# WM_KEYUP, WM_SYSKEYUP: Wine leaves the flag for it (LLKHF_UP) out of a typed character's.
_KEY_UP = (0x0101, 0x0105)
_UNICODE_TEXT, _MOVABLE = 13, 0x2


class _KeyEvent(ctypes.Structure):
    _fields_ = (
        ("code", ctypes.c_uint32),
        ("scan", ctypes.c_uint32),
        ("flags", ctypes.c_uint32),
        ("time", ctypes.c_uint32),
        ("extra", ctypes.c_size_t),
    )


def _user32() -> Any:
    library: Any = ctypes.WinDLL("user32", use_last_error=True)  # type: ignore[attr-defined,unused-ignore]
    library.SetWindowsHookExW.restype = library.SetClipboardData.restype = ctypes.c_void_p
    library.SetWindowsHookExW.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, wintypes.DWORD]
    library.SetClipboardData.argtypes = [wintypes.UINT, ctypes.c_void_p]
    library.CallNextHookEx.restype = ctypes.c_ssize_t
    library.CallNextHookEx.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_size_t, ctypes.c_void_p]
    return library


USER32 = _user32()
_seen: list[tuple[float, int, bool, bool]] = []
_kept: list[Any] = []


def held() -> list[int]:
    """The virtual keys that are down now, mouse buttons among them (GetAsyncKeyState of all 256)."""
    return [code for code in range(1, 256) if USER32.GetAsyncKeyState(code) & 0x8000]


def watch() -> None:
    """From now on note every key event of the session, in the order in which Windows takes them."""
    ready = threading.Event()
    if not _kept:
        threading.Thread(target=_hook, args=(ready,), daemon=True).start()
        ready.wait(10)
    _seen.clear()


def seen() -> list[tuple[float, int, bool, bool]]:
    """What was noted since `watch`: seconds, virtual key, whether it went up, whether a program sent it."""
    return list(_seen)


def _hook(ready: threading.Event) -> None:
    kind = ctypes.WINFUNCTYPE(ctypes.c_ssize_t, ctypes.c_int, ctypes.c_size_t, ctypes.c_void_p)  # type: ignore[attr-defined,unused-ignore]

    def note(code: int, word: int, event: int) -> int:
        if code == 0:
            key = _KeyEvent.from_address(event)
            _seen.append((time.monotonic(), key.code, word in _KEY_UP, bool(key.flags & _INJECTED)))
        return int(USER32.CallNextHookEx(None, code, word, event))

    _kept.append(kind(note))
    USER32.SetWindowsHookExW(_KEYBOARD, _kept[0], None, 0)
    ready.set()
    message = wintypes.MSG()
    while USER32.GetMessageW(ctypes.byref(message), None, 0, 0) > 0:
        USER32.DispatchMessageW(ctypes.byref(message))


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
    if not USER32.OpenClipboard(None):
        raise OSError("the clipboard is taken")
    USER32.EmptyClipboard()
    USER32.SetClipboardData(_UNICODE_TEXT, memory)
    USER32.CloseClipboard()
