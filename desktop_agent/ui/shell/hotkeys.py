"""Global shortcuts to answer an approval while another application has the keyboard.

Chooses the implementation by Qt's platform: `x11.x11_hotkeys` or `windows.windows_hotkeys`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication, QKeySequence

from desktop_agent.support.config import HotKeySettings
from desktop_agent.support.hotkey import Hotkey, parse_hotkey
from desktop_agent.support.language import later, tr

if TYPE_CHECKING:
    from desktop_agent.ui.shell.windows.windows_hotkeys import WindowsHotKeys
    from desktop_agent.ui.shell.x11.x11_hotkeys import X11HotKeys

_QT_NAMES = {
    "enter": "Return",
    "super": "Meta",
    "page_up": "PgUp",
    "page_down": "PgDown",
    "delete": "Del",
    "insert": "Ins",
}
_OTHERS = ("show", "hints")
"""Meanings that answer nothing."""
_MEANINGS = (later("approve"), later("skip"), later("edit"), later("show"), later("hints"))
"""All meanings, as words for the user."""
HERE_ONLY = later("The shortcuts work only while this window has the keyboard.")


class HotKeys(QObject):
    """Registers global shortcuts while they are wanted: at first those that answer an approval, as they are by default.

    Signals: `pressed(meaning)` with "approve", "skip", "edit", "show" or "hints", once all keys are released;
    `trouble(words)` after each change, with why shortcuts are not registered, empty when nothing is wrong.
    """

    pressed = Signal(str)
    trouble = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._wanted = self._closed = False
        self.held = False
        """True while all shortcuts are registered."""
        self.trouble.connect(self._settled)
        self._windows: WindowsHotKeys | None = None
        self._x11: X11HotKeys | None = None
        self._hotkeys = parsed(answers(HotKeySettings()))

    def use(self, chosen: Mapping[str, str]) -> None:
        """Take these instead, by their meanings, "" for none; those that are registered are registered anew."""
        if (hotkeys := parsed(chosen)) == self._hotkeys:
            return
        wanted = self._wanted
        self.hold(False)
        self._hotkeys = hotkeys
        self.hold(wanted)

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
                self.trouble.emit(tr(HERE_ONLY) if wanted else "")

    def _hold_on_windows(self, wanted: bool) -> str:
        from desktop_agent.ui.shell.windows.windows_hotkeys import WindowsHotKeys, registered

        if self._windows is None:
            self._windows = WindowsHotKeys(self.pressed.emit, self)
        if wanted:
            return trouble_text(self._windows.take(self._hotkeys), len(registered(self._hotkeys)))
        self._windows.let_go()
        return ""

    def _hold_on_x11(self, wanted: bool) -> None:
        from desktop_agent.ui.shell.x11.x11_hotkeys import X11HotKeys

        if self._x11 is None:
            self._x11 = X11HotKeys(self.pressed.emit, self._tell_refused, self._tell_lost)
        self._x11.hold(self._hotkeys if wanted else {})

    def _tell_refused(self, refused: Sequence[str], of: int) -> None:
        self.trouble.emit(trouble_text(refused, of))

    def _tell_lost(self) -> None:
        self.trouble.emit(tr(HERE_ONLY))

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
    if refused and len(refused) == of:
        return f"{tr('Another program has these shortcuts.')} {tr(HERE_ONLY)}"
    names = tr(" and ").join(sorted(tr(each) for each in set(refused)))
    return tr("Another program has the shortcut for {names}.").format(names=names) if refused else ""


def answers(settings: HotKeySettings) -> dict[str, str]:
    """The shortcuts that answer an approval, by their meanings."""
    return {name: text for name, text in msgspec.structs.asdict(settings).items() if name not in _OTHERS}


def parsed(chosen: Mapping[str, str]) -> dict[str, Hotkey]:
    """The shortcuts that are set, by their meanings. Raises Refused for what cannot be one."""
    return {name: parse_hotkey(text) for name, text in chosen.items() if text}


def key_sequence(text: str) -> QKeySequence:
    """The same shortcut for Qt; an empty one for "". Raises Refused for what cannot be one."""
    if not text:
        return QKeySequence()
    hotkey = parse_hotkey(text)
    names = (_QT_NAMES.get(each) or each.title() for each in (*hotkey.modifiers, hotkey.key))
    return QKeySequence("+".join(names))
