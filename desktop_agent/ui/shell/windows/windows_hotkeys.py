"""Global shortcuts on Windows: RegisterHotKey on the UI thread, whose messages Qt fetches and shows us.

Source: RegisterHotKey, WM_HOTKEY (winuser.h). Control + alt + a letter or digit is left out: on many keyboards
AltGr is control + alt, and AltGr + E types a character (€).
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping
from ctypes import wintypes
from itertools import count
from typing import Any

from PySide6.QtCore import QAbstractNativeEventFilter, QByteArray, QCoreApplication, QObject, QTimer

from desktop_agent.platforms.windows.input.keycodes import CODES
from desktop_agent.platforms.windows.user32 import User32
from desktop_agent.support.hotkey import Hotkey

HELD = {"alt": 0x1, "ctrl": 0x2, "shift": 0x4, "super": 0x8}
NO_REPEAT = 0x4000
HOTKEY = 0x312
FIRST_ID, IDS_EACH = 0x0DA0, 8
POLL_MS = 15
_instances = count()


def registered(hotkeys: Mapping[str, Hotkey]) -> list[tuple[str, Hotkey]]:
    """Those that can be global, with their meanings: all that no AltGr types a character with."""
    typed = ("alt", "ctrl")
    return [
        (meaning, each)
        for meaning, each in hotkeys.items()
        if not (len(each.key) == 1 and tuple(sorted(set(each.modifiers) - {"shift"})) == typed)
    ]


class _Messages(QAbstractNativeEventFilter):
    """Calls `tell` with the id of every WM_HOTKEY message of this thread."""

    def __init__(self, tell: Callable[[int], None]) -> None:
        super().__init__()
        self._tell = tell

    def nativeEventFilter(
        self, _kind: QByteArray | bytes | bytearray | memoryview, message: int
    ) -> tuple[bool, int]:
        msg = wintypes.MSG.from_address(int(message))
        if msg.message != HOTKEY:
            return False, 0
        self._tell(int(msg.wParam))
        return True, 0


class WindowsHotKeys(QObject):
    """Registers shortcuts with Windows; calls `tell` with the meaning of one that was pressed.

    Used in the UI thread only. No signals.
    """

    def __init__(self, tell: Callable[[str], None], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tell = tell
        self._user32 = User32()
        windows: Any = ctypes
        self._dll: Any = windows.WinDLL("user32")
        self._messages = _Messages(self._seen)
        self._held: list[int] = []
        self._chords: list[tuple[str, Hotkey]] = []
        self._first = FIRST_ID + next(_instances) * IDS_EACH
        self._pressed = -1
        self._timer = QTimer(self, interval=POLL_MS)
        self._timer.timeout.connect(self._answer)

    def take(self, hotkeys: Mapping[str, Hotkey]) -> list[str]:
        """Register the shortcuts; returns the meanings of those that another program has registered."""
        self.let_go()
        refused = []
        self._chords = registered(hotkeys)
        for index, (meaning, hotkey) in enumerate(self._chords):
            held = NO_REPEAT + sum(HELD[each] for each in hotkey.modifiers)
            if self._dll.RegisterHotKey(None, self._first + index, held, _code(hotkey.key)):
                self._held.append(index)
            else:
                refused.append(meaning)
        application().installNativeEventFilter(self._messages)
        return refused

    def let_go(self) -> None:
        """Unregister the shortcuts; may be called when none is registered."""
        application().removeNativeEventFilter(self._messages)
        for index in self._held:
            self._dll.UnregisterHotKey(None, self._first + index)
        self._held.clear()
        self._timer.stop()

    def _seen(self, number: int) -> None:
        if 0 <= number - self._first < len(self._chords):
            self._pressed = number - self._first
            self._timer.start()

    def _answer(self) -> None:
        """Call `tell` once all keys of the shortcut are up: before, keys the agent presses would combine with them."""
        meaning, hotkey = self._chords[self._pressed]
        sides = (CODES[f"{each}_{side}"] for each in hotkey.modifiers for side in ("left", "right"))
        if not any(map(self._user32.down, (*sides, _code(hotkey.key)))):
            self._timer.stop()
            self._tell(meaning)


def _code(key: str) -> int:
    """The virtual-key code; those of letters and digits are their ASCII codes."""
    return CODES.get(key) or ord(key.upper())


def application() -> QCoreApplication:
    """The running Qt application."""
    app = QCoreApplication.instance()
    assert app is not None  # noqa: S101 - a window cannot exist without it
    return app
