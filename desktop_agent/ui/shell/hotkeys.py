"""Global shortcuts to answer an approval while another application has the keyboard.

Chooses the implementation by Qt's platform: `x11.x11_hotkeys` or `windows.windows_hotkeys`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication

if TYPE_CHECKING:
    from desktop_agent.ui.shell.windows.windows_hotkeys import WindowsHotKeys
    from desktop_agent.ui.shell.x11.x11_hotkeys import X11HotKeys

HERE_ONLY = "The shortcuts work only while this window has the keyboard."


class HotKeys(QObject):
    """Registers Ctrl+Alt+Enter, Backspace and (on X11) E, or H for hints, as global shortcuts while they are wanted.

    Signals: `pressed(meaning)` with "approve", "skip" or "edit", or "hints", once all keys are released;
    `trouble(words)` after each change, with why shortcuts are not registered, empty when nothing is wrong.
    """

    pressed = Signal(str)
    trouble = Signal(str)

    def __init__(self, parent: QObject | None = None, *, hints: bool = False) -> None:
        super().__init__(parent)
        self._hints = hints
        self._wanted = self._closed = False
        self.held = False
        """True while all shortcuts are registered."""
        self.trouble.connect(self._settled)
        self._windows: WindowsHotKeys | None = None
        self._x11: X11HotKeys | None = None

    def hold(self, wanted: bool) -> None:
        """Register the shortcuts, or unregister them; returns at once."""
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
        from desktop_agent.ui.shell.windows import windows_hotkeys as keys

        chords, first = (
            (keys.HINT_CHORDS, keys.FIRST_HINT_ID) if self._hints else (keys.CHORDS, keys.FIRST_ID)
        )
        if self._windows is None:
            self._windows = keys.WindowsHotKeys(self.pressed.emit, self, chords, first)
        if wanted:
            return trouble_text(self._windows.take(), len(chords))
        self._windows.let_go()
        return ""

    def _hold_on_x11(self, wanted: bool) -> None:
        from desktop_agent.ui.shell.x11.x11_hotkeys import HINT_KEYS, KEYS, X11HotKeys

        if self._x11 is None:
            keys = HINT_KEYS if self._hints else KEYS
            self._x11 = X11HotKeys(self.pressed.emit, self._tell_refused, self._tell_lost, keys)
        self._x11.hold(wanted)

    def _tell_refused(self, refused: Sequence[str], of: int) -> None:
        self.trouble.emit(trouble_text(refused, of))

    def _tell_lost(self) -> None:
        self.trouble.emit(HERE_ONLY)

    def _settled(self, trouble: str) -> None:
        self.held = self._wanted and not trouble

    def close(self) -> None:
        """Unregister the shortcuts for good; may be called twice."""
        if self._closed:
            return
        self._closed = True
        if self._windows is not None:
            self._windows.let_go()
        if self._x11 is not None:
            self._x11.close()


def trouble_text(refused: Sequence[str], of: int) -> str:
    """The message when `refused` of `of` shortcuts belong to other programs; empty when none does."""
    if len(refused) == of:
        return "Another program has these shortcuts. " + HERE_ONLY
    names = " and ".join(sorted(set(refused)))
    return f"Another program has the shortcut for {names}." if refused else ""
