"""A Windows session as a test sees it: a window that takes what is typed, what is down, and every key in order.

To be used on Windows only (Wine will do); nothing here goes through the app's own code.
"""

from __future__ import annotations

import ctypes
import struct
import threading
import time
from collections.abc import Sequence
from ctypes import wintypes
from typing import Any, NamedTuple, Self

_CHARACTER, _QUIT = 0x0102, 0x0012
_VISIBLE_WINDOW, _DOUBLE_CLICKS = 0x10CF_0000, 0x8
_MOUSE, _WHEELS = range(0x0201, 0x020F), (0x020A, 0x020E)  # WM_LBUTTONDOWN to WM_MOUSEHWHEEL
_KEYBOARD_HOOK, _KEY_DOWNS, _INJECTED = 13, (0x0100, 0x0104), 0x10
_SHIFTS = frozenset((0x10, 0x11, 0x12))
"""Codes that stand for either side's key."""
ESCAPE, PACKET = 0x1B, 0xE7
_KEY_UP = 2
START_SECONDS = 20.0


def user32() -> Any:
    """The library, with the types of what is called here."""
    windows: Any = ctypes  # WinDLL is there on Windows only
    dll = windows.WinDLL("user32")
    for name, (result, arguments) in _TYPES.items():
        getattr(dll, name).restype, getattr(dll, name).argtypes = result, arguments
    return dll


_POINTER, _NUMBER = ctypes.c_void_p, ctypes.c_int
_TYPES: dict[str, tuple[Any, Sequence[Any]]] = {
    "DefWindowProcW": (ctypes.c_ssize_t, [_POINTER, wintypes.UINT, ctypes.c_size_t, ctypes.c_ssize_t]),
    "CreateWindowExW": (
        _POINTER,
        [wintypes.DWORD, wintypes.LPCWSTR, wintypes.LPCWSTR, wintypes.DWORD, *[_NUMBER] * 4, *[_POINTER] * 4],
    ),
    "SetForegroundWindow": (wintypes.BOOL, [_POINTER]),
    "GetForegroundWindow": (_POINTER, []),
    "PostMessageW": (wintypes.BOOL, [_POINTER, wintypes.UINT, ctypes.c_size_t, ctypes.c_ssize_t]),
    "DestroyWindow": (wintypes.BOOL, [_POINTER]),
    "SetWindowsHookExW": (_POINTER, [_NUMBER, _POINTER, _POINTER, wintypes.DWORD]),
    "CallNextHookEx": (ctypes.c_ssize_t, [_POINTER, _NUMBER, ctypes.c_size_t, _POINTER]),
    "UnhookWindowsHookEx": (wintypes.BOOL, [_POINTER]),
    "GetAsyncKeyState": (ctypes.c_short, [_NUMBER]),
}


def down() -> list[int]:
    """Virtual keys and buttons that are down, whoever pressed them."""
    dll = user32()
    return [code for code in range(1, 255) if code not in _SHIFTS and dll.GetAsyncKeyState(code) & 0x8000]


def press(code: int, *, up: bool = False) -> None:
    """A key as another program injects it: without the app's tag."""
    user32().keybd_event(code, 0, _KEY_UP if up else 0, 0)


class _Class(ctypes.Structure):
    _fields_ = (
        ("style", wintypes.UINT),
        ("procedure", _POINTER),
        ("extra", _NUMBER),
        ("window_extra", _NUMBER),
        *((name, _POINTER) for name in ("instance", "icon", "cursor", "background")),
        ("menu", wintypes.LPCWSTR),
        ("name", wintypes.LPCWSTR),
    )


class _KeyEvent(ctypes.Structure):
    _fields_ = (
        *((name, wintypes.DWORD) for name in ("code", "scan", "flags", "time")),
        ("extra", ctypes.c_size_t),
    )


class _Looping:
    """A thread with windows or hooks of its own, and a message loop."""

    def __init__(self) -> None:
        self.dll = user32()
        self._ready, self._thread_id = threading.Event(), 0
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        if not self._ready.wait(START_SECONDS):
            raise TimeoutError("the thread did not start")
        return self

    def __exit__(self, *_: object) -> None:
        self.dll.PostThreadMessageW(self._thread_id, _QUIT, 0, 0)
        self._thread.join(START_SECONDS)

    def begin(self) -> None: ...

    def end(self) -> None: ...

    def _run(self) -> None:
        self._thread_id = threading.get_native_id()
        self.begin()
        self._ready.set()
        message = wintypes.MSG()
        while self.dll.GetMessageW(ctypes.byref(message), None, 0, 0) > 0:
            self.dll.TranslateMessage(ctypes.byref(message))
            self.dll.DispatchMessageW(ctypes.byref(message))
        self.end()


class Reader(_Looping):
    """A window that has the keyboard and keeps the characters that come to it."""

    def __init__(self) -> None:
        super().__init__()
        windows: Any = ctypes
        kind = windows.WINFUNCTYPE(
            ctypes.c_ssize_t, _POINTER, wintypes.UINT, ctypes.c_size_t, ctypes.c_ssize_t
        )
        self._procedure = kind(self._handle)
        self._units: list[int] = []
        self.mouse: list[tuple[int, int]] = []
        """What the mouse did here: the message, and how far the wheel turned or which keys were held."""
        self.window = 0

    def begin(self) -> None:
        name = f"reader{id(self)}"
        made = _Class(style=_DOUBLE_CLICKS, procedure=ctypes.cast(self._procedure, _POINTER), name=name)
        self.dll.RegisterClassW(ctypes.byref(made))
        self.window = self.dll.CreateWindowExW(0, name, name, _VISIBLE_WINDOW, 60, 60, 400, 300, *[None] * 4)
        self.focus()

    def focus(self) -> None:
        """Give it the keyboard."""
        self.dll.SetForegroundWindow(self.window)

    def end(self) -> None:
        self.dll.DestroyWindow(self.window)

    def _handle(self, window: int, message: int, word: int, more: int) -> int:
        if message == _CHARACTER:
            self._units.append(word)
            return 0
        if message in _MOUSE:
            self.mouse.append((message, word >> 16 if message in _WHEELS else word & 0xFFFF))
            return 0
        return int(self.dll.DefWindowProcW(window, message, word, more))

    @property
    def text(self) -> str:
        """What has come; Enter as a line feed."""
        units = list(self._units)
        words = struct.pack(f"<{len(units)}H", *units).decode("utf-16-le", "replace")
        return words.replace("\r", "\n")

    def clear(self) -> None:
        self._units.clear()
        self.mouse.clear()


class Key(NamedTuple):
    """A key that went down: its code (ESCAPE, PACKET for a typed unit …), its tag, whether it was injected, and when."""

    code: int
    extra: int
    injected: bool
    at: float


class KeyLog(_Looping):
    """Every key of the session in the order in which Windows takes them."""

    def __init__(self) -> None:
        super().__init__()
        windows: Any = ctypes
        kind = windows.WINFUNCTYPE(ctypes.c_ssize_t, _NUMBER, ctypes.c_size_t, _POINTER)
        self._callback = kind(self._called)
        self.keys: list[Key] = []

    def begin(self) -> None:
        self._hook = self.dll.SetWindowsHookExW(_KEYBOARD_HOOK, self._callback, None, 0)

    def end(self) -> None:
        self.dll.UnhookWindowsHookEx(self._hook)

    def _called(self, code: int, word: int, event: int) -> int:
        if code == 0 and word in _KEY_DOWNS:
            key = _KeyEvent.from_address(event)
            self.keys.append(Key(key.code, key.extra, bool(key.flags & _INJECTED), time.perf_counter()))
        return int(self.dll.CallNextHookEx(None, code, word, event))
