"""Windows' user32.dll as the observers call it, with the types of what they call; and threads that fetch messages.

Source: winuser.h. Nothing here goes through the app's own code.
"""

from __future__ import annotations

import ctypes
import functools
import threading
from ctypes import wintypes
from typing import Any, Self

_QUIT = 0x0012
START_SECONDS = 20.0
POINTER, _NUMBER, _LONG = ctypes.c_void_p, ctypes.c_int, ctypes.c_ssize_t
_TYPES: dict[str, tuple[Any, list[Any]]] = {
    "DefWindowProcW": (_LONG, [POINTER, wintypes.UINT, ctypes.c_size_t, _LONG]),
    "CreateWindowExW": (
        POINTER,
        [wintypes.DWORD, wintypes.LPCWSTR, wintypes.LPCWSTR, wintypes.DWORD, *[_NUMBER] * 4, *[POINTER] * 4],
    ),
    "SetForegroundWindow": (wintypes.BOOL, [POINTER]),
    "GetForegroundWindow": (POINTER, []),
    "PostMessageW": (wintypes.BOOL, [POINTER, wintypes.UINT, ctypes.c_size_t, _LONG]),
    "DestroyWindow": (wintypes.BOOL, [POINTER]),
    "SetWindowsHookExW": (POINTER, [_NUMBER, POINTER, POINTER, wintypes.DWORD]),
    "CallNextHookEx": (_LONG, [POINTER, _NUMBER, ctypes.c_size_t, POINTER]),
    "UnhookWindowsHookEx": (wintypes.BOOL, [POINTER]),
    "GetAsyncKeyState": (ctypes.c_short, [_NUMBER]),
    "SetClipboardData": (POINTER, [wintypes.UINT, POINTER]),
    "FindWindowExW": (wintypes.HWND, [wintypes.HWND, wintypes.HWND, wintypes.LPCWSTR, wintypes.LPCWSTR]),
    "SendMessageTimeoutW": (
        _LONG,
        [wintypes.HWND, wintypes.UINT, ctypes.c_size_t, POINTER, *[wintypes.UINT] * 2, POINTER],
    ),
}


@functools.cache
def user32() -> Any:
    """The library."""
    windows: Any = ctypes  # WinDLL is there on Windows only
    dll = windows.WinDLL("user32", use_last_error=True)
    for name, (result, arguments) in _TYPES.items():
        getattr(dll, name).restype, getattr(dll, name).argtypes = result, arguments
    return dll


def own_module() -> Any:
    """The program of this process, which a hook belongs to (GetModuleHandle)."""
    windows: Any = ctypes
    found = windows.WinDLL("kernel32").GetModuleHandleW
    found.restype = POINTER
    return found(None)


class Looping:
    """A thread with windows or hooks of its own, and a message loop; `begin` and `end` are called on it."""

    def __init__(self) -> None:
        self._ready, self._thread_id = threading.Event(), 0
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        if not self._ready.wait(START_SECONDS):
            raise TimeoutError("the thread did not start")
        return self

    def __exit__(self, *_: object) -> None:
        user32().PostThreadMessageW(self._thread_id, _QUIT, 0, 0)
        self._thread.join(START_SECONDS)

    def begin(self) -> None: ...

    def end(self) -> None: ...

    def _run(self) -> None:
        self._thread_id, dll = threading.get_native_id(), user32()
        self.begin()
        self._ready.set()
        message = wintypes.MSG()
        while dll.GetMessageW(ctypes.byref(message), None, 0, 0) > 0:
            dll.TranslateMessage(ctypes.byref(message))
            dll.DispatchMessageW(ctypes.byref(message))
        self.end()
