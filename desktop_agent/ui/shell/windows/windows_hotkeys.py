"""Global shortcuts on Windows: RegisterHotKey on the UI thread, whose messages Qt fetches and shows us.

Source: RegisterHotKey, WM_HOTKEY (winuser.h). Control + alt + E is left out: on many keyboards AltGr is
control + alt, and AltGr + E types a character (€).
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from ctypes import wintypes
from typing import Any

from PySide6.QtCore import QAbstractNativeEventFilter, QByteArray, QCoreApplication, QObject, QTimer

from desktop_agent.platforms.windows.input.keycodes import ALT, CODES, CTRL
from desktop_agent.platforms.windows.user32 import User32

CHORDS = ((CODES["enter"], "approve"), (CODES["backspace"], "skip"))
HINT_CHORDS = ((CODES["h"], "hints"),)
WITH_ALT, WITH_CONTROL, NO_REPEAT = 0x1, 0x2, 0x4000
HOTKEY = 0x312
FIRST_ID, FIRST_HINT_ID = 0x0DA0, 0x0DB0
POLL_MS = 15


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
    """Registers Ctrl+Alt with each of `chords` (codes with meanings) with Windows; calls `tell` with the meaning.

    `first` is the id of the first of them, which no other may have. Used in the UI thread only. No signals.
    """

    def __init__(
        self,
        tell: Callable[[str], None],
        parent: QObject | None = None,
        chords: Sequence[tuple[int, str]] = CHORDS,
        first: int = FIRST_ID,
    ) -> None:
        super().__init__(parent)
        self._chords, self._first = chords, first
        self._tell = tell
        self._user32 = User32()
        windows: Any = ctypes
        self._dll: Any = windows.WinDLL("user32")
        self._messages = _Messages(self._seen)
        self._held: list[int] = []
        self._pressed = -1
        self._timer = QTimer(self, interval=POLL_MS)
        self._timer.timeout.connect(self._answer)

    def take(self) -> list[str]:
        """Register the shortcuts; returns the meanings of those that another program has registered."""
        self.let_go()
        refused = []
        for index, (code, meaning) in enumerate(self._chords):
            if self._dll.RegisterHotKey(None, self._first + index, WITH_ALT | WITH_CONTROL | NO_REPEAT, code):
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
        if number - self._first in self._held:
            self._pressed = number - self._first
            self._timer.start()

    def _answer(self) -> None:
        """Call `tell` once all keys of the shortcut are up: before, keys the agent presses would combine with them."""
        code, meaning = self._chords[self._pressed]
        if not any(map(self._user32.down, (CTRL, CTRL + 1, ALT, ALT + 1, code))):
            self._timer.stop()
            self._tell(meaning)


def application() -> QCoreApplication:
    """The running Qt application."""
    app = QCoreApplication.instance()
    assert app is not None  # noqa: S101 - a window cannot exist without it
    return app
