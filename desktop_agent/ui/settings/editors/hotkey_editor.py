"""Records a shortcut by pressing it; what cannot be one is refused with the reason and changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout

from desktop_agent.support.hotkey import MODIFIERS, Hotkey, hotkey_fault, parse_hotkey
from desktop_agent.support.language import tr
from desktop_agent.ui.settings.editors.value_editors import Editor
from desktop_agent.ui.settings.options.setting_catalog import Setting
from desktop_agent.ui.widgets.buttons import Button
from desktop_agent.ui.widgets.theme import Theme
from desktop_agent.ui.widgets.wrapped_text import WrappedText

WIDTH = 210
_NAMED = {
    Qt.Key.Key_Return: "enter", Qt.Key.Key_Enter: "enter", Qt.Key.Key_Backspace: "backspace",
    Qt.Key.Key_Space: "space", Qt.Key.Key_Insert: "insert", Qt.Key.Key_Delete: "delete", Qt.Key.Key_Tab: "tab",
    Qt.Key.Key_Backtab: "tab", Qt.Key.Key_Up: "up", Qt.Key.Key_Down: "down", Qt.Key.Key_Left: "left",
    Qt.Key.Key_Right: "right", Qt.Key.Key_Home: "home", Qt.Key.Key_End: "end", Qt.Key.Key_PageUp: "page_up",
    Qt.Key.Key_PageDown: "page_down", Qt.Key.Key_Escape: "escape",
}  # fmt: skip
_HELD = {
    "ctrl": Qt.KeyboardModifier.ControlModifier, "alt": Qt.KeyboardModifier.AltModifier,
    "shift": Qt.KeyboardModifier.ShiftModifier, "super": Qt.KeyboardModifier.MetaModifier,
}  # fmt: skip
_ALONE = (
    Qt.Key.Key_Control, Qt.Key.Key_Alt, Qt.Key.Key_Shift, Qt.Key.Key_Meta, Qt.Key.Key_AltGr, Qt.Key.Key_Super_L,
    Qt.Key.Key_Super_R, Qt.Key.Key_unknown,
)  # fmt: skip


def hotkey_of(event: QKeyEvent) -> Hotkey | None:
    """The combination that was pressed; None while only Ctrl, Alt, Shift or the like is down."""
    key = event.key()
    if key in _ALONE:
        return None
    held = tuple(name for name in MODIFIERS if event.modifiers() & _HELD[name])
    if Qt.Key.Key_F1 <= key <= Qt.Key.Key_F24:
        return Hotkey(held, f"f{key - Qt.Key.Key_F1 + 1}")
    named = {int(known): name for known, name in _NAMED.items()}
    return Hotkey(held, named.get(key) or (chr(key).lower() if key < 0x1_0000 else "unknown"))


class RecordButton(Button):
    """Shows a shortcut; once pressed, takes the next combination. Signals: `pressed_keys(hotkey)`, `ended()`."""

    pressed_keys = Signal(object)
    ended = Signal()
    recording = False

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__(theme, name=name)
        self.setMinimumWidth(WIDTH)
        self.clicked.connect(self._start)

    def _start(self) -> None:
        self.recording = True
        self.setText(tr("Press the keys…"))
        self.tone = "link"
        self.setFocus()
        self.update()

    def end(self) -> None:
        """Take no more keys."""
        if self.recording:
            self.recording = False
            self.tone = ""
            self.ended.emit()

    def event(self, event: QEvent) -> bool:
        if self.recording and event.type() == QEvent.Type.ShortcutOverride:
            event.accept()  # or the dialog's own shortcuts would take it
            return True
        if self.recording and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if (hotkey := hotkey_of(event)) is not None and not event.isAutoRepeat():
                self.pressed_keys.emit(hotkey)
            return True
        return super().event(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.end()
        super().focusOutEvent(event)


class HotkeyEditor(Editor):
    """`same(name, text)` gives the label of another setting that has this shortcut, "" for none."""

    def __init__(self, theme: Theme, setting: Setting, same: Callable[[str, str], str]) -> None:
        super().__init__()
        self._setting, self._same, self._text = setting, same, ""
        self.record = RecordButton(theme, setting.spoken)
        self.clear = Button(theme, kind="icon", icon="close", name=f"{tr('No shortcut')}: {setting.spoken}")
        self.reason = WrappedText(theme, role="small", color="stop")
        row = QHBoxLayout()
        row.setSpacing(2)
        row.addWidget(self.record)
        row.addWidget(self.clear)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(row)
        column.addWidget(self.reason)
        self.reason.hide()
        self.setFocusProxy(self.record)
        self.record.pressed_keys.connect(self._pressed)
        self.record.ended.connect(self._show)
        self.record.clicked.connect(self.reason.hide)
        self.clear.clicked.connect(lambda: self.edited.emit("", ""))

    def show_value(self, value: Any) -> None:
        self._text = str(value)
        self._show()

    def _show(self) -> None:
        self.clear.setEnabled(bool(self._text))
        if not self.record.recording:
            title = parse_hotkey(self._text).title if self._text else tr("No shortcut")
            self.record.setText(title)
            self.record.setAccessibleName(f"{self._setting.spoken}: {title}")
            self.record.updateGeometry()

    def _pressed(self, hotkey: Hotkey) -> None:
        """Take the combination, or say why not: Esc ends the recording, another one may be tried at once."""
        other = self._same(self._setting.name, hotkey.text)
        reason = tr(hotkey_fault(hotkey)) or (
            tr("{other} has it already.").format(other=other) if other else ""
        )
        self.reason.set_words(f"{hotkey.title}: {reason}" if reason else "")
        self.reason.setVisible(bool(reason))
        if not reason:
            self.record.end()
            self.edited.emit(hotkey.text, "")
        elif hotkey.key == "escape":
            self.record.end()
