"""Global shortcuts for an open approval: the keyboard can stay in the application that is worked in.

Here is the choice; `x11.x11_hotkeys` and `windows.windows_hotkeys` hold the shortcuts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication

if TYPE_CHECKING:
    from desktop_agent.ui.shell.windows.windows_hotkeys import WindowsKeys
    from desktop_agent.ui.shell.x11.x11_hotkeys import X11Keys

HERE_ONLY = "The shortcuts work only while this window has the keyboard."


class HotKeys(QObject):
    """Signals: `pressed(meaning)` with approve, skip or edit, once all modifiers are up again;
    `trouble(words)` when shortcuts could not be had, empty when they could."""

    pressed = Signal(str)
    trouble = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._wanted = self._closed = False
        self.held = False
        """True while the shortcuts are ours."""
        self.trouble.connect(self._settled)
        self._windows: WindowsKeys | None = None
        self._x11: X11Keys | None = None

    def hold(self, wanted: bool) -> None:
        """Take the shortcuts, or let them go; returns at once."""
        if wanted == self._wanted or self._closed:
            return
        self._wanted = wanted
        self.held = False
        match QGuiApplication.platformName():
            case "windows":
                self.trouble.emit(self._hold_on_windows(wanted))
            case "xcb":
                self._hold_on_x11(wanted)
            case _:
                self.trouble.emit(HERE_ONLY if wanted else "")

    def _hold_on_windows(self, wanted: bool) -> str:
        from desktop_agent.ui.shell.windows.windows_hotkeys import CHORDS, WindowsKeys

        if self._windows is None:
            self._windows = WindowsKeys(self.pressed.emit, self)
        if wanted:
            return trouble_words(self._windows.take(), len(CHORDS))
        self._windows.let_go()
        return ""

    def _hold_on_x11(self, wanted: bool) -> None:
        from desktop_agent.ui.shell.x11.x11_hotkeys import X11Keys

        if self._x11 is None:
            self._x11 = X11Keys(self.pressed.emit, self._tell_refused, self._tell_lost)
        self._x11.hold(wanted)

    def _tell_refused(self, refused: Sequence[str], of: int) -> None:
        self.trouble.emit(trouble_words(refused, of))

    def _tell_lost(self) -> None:
        self.trouble.emit(HERE_ONLY)

    def _settled(self, trouble: str) -> None:
        self.held = self._wanted and not trouble

    def close(self) -> None:
        """Let go of the shortcuts for good; safe to call twice."""
        if self._closed:
            return
        self._closed = True
        if self._windows is not None:
            self._windows.let_go()
        if self._x11 is not None:
            self._x11.close()


def trouble_words(refused: Sequence[str], of: int) -> str:
    """What to tell when `refused` of so many shortcuts are another program's; empty when none is."""
    if len(refused) == of:
        return "Another program has these shortcuts. " + HERE_ONLY
    names = " and ".join(sorted(set(refused)))
    return f"Another program has the shortcut for {names}." if refused else ""
