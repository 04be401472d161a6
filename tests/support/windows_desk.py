"""A Windows session as a test works in it: a window that takes what is typed, and keys as other programs send them.

To be used on Windows only (Wine will do); nothing here goes through the app's own code.
"""

from __future__ import annotations

import ctypes
import struct
from ctypes import wintypes
from typing import Any

from installer.windows_check.probes.user32 import POINTER, Looping, user32

_CHARACTER = 0x0102
_VISIBLE_WINDOW, _DOUBLE_CLICKS = 0x10CF_0000, 0x8
_MOUSE, _WHEELS = range(0x0201, 0x020F), (0x020A, 0x020E)  # WM_LBUTTONDOWN to WM_MOUSEHWHEEL
_KEY_UP = 2


def press(code: int, *, up: bool = False) -> None:
    """A key as another program injects it: without the app's tag."""
    user32().keybd_event(code, 0, _KEY_UP if up else 0, 0)


class _Class(ctypes.Structure):
    _fields_ = (
        ("style", wintypes.UINT),
        ("procedure", POINTER),
        ("extra", ctypes.c_int),
        ("window_extra", ctypes.c_int),
        *((name, POINTER) for name in ("instance", "icon", "cursor", "background")),
        ("menu", wintypes.LPCWSTR),
        ("name", wintypes.LPCWSTR),
    )


class Reader(Looping):
    """A window that has the keyboard and keeps the characters that come to it."""

    def __init__(self) -> None:
        super().__init__()
        windows: Any = ctypes
        kind = windows.WINFUNCTYPE(
            ctypes.c_ssize_t, POINTER, wintypes.UINT, ctypes.c_size_t, ctypes.c_ssize_t
        )
        self._procedure = kind(self._handle)
        self._units: list[int] = []
        self.mouse: list[tuple[int, int]] = []
        """What the mouse did here: the message, and how far the wheel turned or which keys were held."""
        self.window = 0

    def begin(self) -> None:
        name = f"reader{id(self)}"
        made = _Class(style=_DOUBLE_CLICKS, procedure=ctypes.cast(self._procedure, POINTER), name=name)
        user32().RegisterClassW(ctypes.byref(made))
        self.window = user32().CreateWindowExW(0, name, name, _VISIBLE_WINDOW, 60, 60, 400, 300, *[None] * 4)
        self.focus()

    def focus(self) -> None:
        """Give it the keyboard."""
        user32().SetForegroundWindow(self.window)

    def end(self) -> None:
        user32().DestroyWindow(self.window)

    def _handle(self, window: int, message: int, word: int, more: int) -> int:
        if message == _CHARACTER:
            self._units.append(word)
            return 0
        if message in _MOUSE:
            self.mouse.append((message, word >> 16 if message in _WHEELS else word & 0xFFFF))
            return 0
        return int(user32().DefWindowProcW(window, message, word, more))

    @property
    def text(self) -> str:
        """What has come; Enter as a line feed."""
        units = list(self._units)
        words = struct.pack(f"<{len(units)}H", *units).decode("utf-16-le", "replace")
        return words.replace("\r", "\n")

    def clear(self) -> None:
        self._units.clear()
        self.mouse.clear()
