"""Editors for lists of texts: lines that are added, changed, moved and removed; or a switch for each known one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeAlias

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop_agent.support.language import tr
from desktop_agent.ui.settings.editors.value_editors import Editor
from desktop_agent.ui.settings.options.setting_catalog import Setting
from desktop_agent.ui.widgets.buttons import Button
from desktop_agent.ui.widgets.form_controls import LineField, Toggle
from desktop_agent.ui.widgets.theme import Theme
from desktop_agent.ui.widgets.wrapped_text import WrappedText

Pick: TypeAlias = Callable[[Button, Callable[[str], None]], None]
"""Opens a menu under a button, and calls what it is given with the chosen text."""


class ListLine(QWidget):
    """One entry of a list with its buttons. Alt+Up and Alt+Down move it."""

    def __init__(self, theme: Theme, name: str, text: str) -> None:
        super().__init__()
        self._name = name
        self.field = LineField(theme, name)
        self.field.setText(text)
        self.up = _icon(theme, "up", tr("Move up"), name)
        self.down = _icon(theme, "down", tr("Move down"), name)
        self.remove = _icon(theme, "close", tr("Remove"), name)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2)
        row.addWidget(self.field, 1)
        for button in (self.up, self.down, self.remove):
            row.addWidget(button)
        for keys, button in (("Alt+Up", self.up), ("Alt+Down", self.down)):
            shortcut = QShortcut(QKeySequence(keys), self.field)
            shortcut.setContext(Qt.ShortcutContext.WidgetShortcut)  # each line has one of its own
            shortcut.activated.connect(button.click)

    def show_place(self, number: int, of: int) -> None:
        """Name it by its place in the list, counted from 0, and let it be moved as far as the list goes."""
        name = f"{self._name} {number + 1}"
        self.field.setAccessibleName(name)
        for button, does in (
            (self.up, tr("Move up")),
            (self.down, tr("Move down")),
            (self.remove, tr("Remove")),
        ):
            button.setAccessibleName(f"{does}: {name}")
        self.up.setEnabled(number > 0)
        self.down.setEnabled(number < of - 1)


class ListEditor(Editor):
    """A list of texts. What `pick` chooses is a new line."""

    wide = True

    def __init__(
        self,
        theme: Theme,
        setting: Setting,
        pick: Pick | None = None,
    ) -> None:
        super().__init__()
        self._theme, self._setting = theme, setting
        self.lines: list[ListLine] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(6)
        self.add = Button(theme, tr("Add"), icon="plus", name=f"{tr('Add')}: {setting.spoken}")
        self.add.clicked.connect(lambda: self._append("", focus=True))
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.add)
        if pick is not None:
            self.pick = Button(theme, tr("Pick…"), name=f"{tr('Pick…')} {setting.spoken}")
            self.pick.clicked.connect(lambda: pick(self.pick, self.take))
            row.addWidget(self.pick)
        row.addStretch(1)
        self._column.addLayout(row)
        self.setFocusProxy(self.add)

    def show_value(self, value: Any) -> None:
        texts = [str(each) for each in value or ()]
        if texts == self.texts():
            return
        for line in tuple(self.lines):
            self._drop(line)
        for text in texts:
            self._append(text)

    def texts(self) -> list[str]:
        """What stands in the lines that are not empty."""
        return [line.field.text() for line in self.lines if line.field.text().strip()]

    def take(self, text: str) -> None:
        """Add a text that is not there yet."""
        if text not in self.texts():
            self._append(text)
            self._tell()

    def set_wrong(self, wrong: bool) -> None:
        for line in self.lines:
            line.field.set_wrong(wrong)

    def _append(self, text: str, *, focus: bool = False) -> None:
        line = ListLine(self._theme, self._setting.spoken, text)
        self.lines.append(line)
        self._column.insertWidget(self._column.count() - 1, line)
        line.field.textEdited.connect(self._tell)
        line.remove.clicked.connect(partial(self._remove, line))
        line.up.clicked.connect(partial(self._move, line, -1))
        line.down.clicked.connect(partial(self._move, line, 1))
        self._enable()
        if focus:
            line.field.setFocus()

    def _remove(self, line: ListLine) -> None:
        number = self.lines.index(line)
        self._drop(line)
        left = self.lines[min(number, len(self.lines) - 1)].field if self.lines else self.add
        left.setFocus()
        self._tell()

    def _drop(self, line: ListLine) -> None:
        self.lines.remove(line)
        self._column.removeWidget(line)
        line.hide()
        line.deleteLater()
        self._enable()

    def _move(self, line: ListLine, by: int) -> None:
        number = self.lines.index(line)
        if not 0 <= number + by < len(self.lines):
            return
        self.lines.insert(number + by, self.lines.pop(number))
        self._column.removeWidget(line)
        self._column.insertWidget(number + by, line)
        self._enable()
        line.field.setFocus()
        self._tell()

    def _enable(self) -> None:
        for number, line in enumerate(self.lines):
            line.show_place(number, len(self.lines))
            many = len(self.lines) > 1
            line.up.setVisible(many)
            line.down.setVisible(many)

    def _tell(self) -> None:
        self.edited.emit(self.texts(), "")


class ToggleListEditor(Editor):
    """A list of known names: a switch for each, with what it is about, or why it cannot be used."""

    wide = True

    def __init__(self, theme: Theme, setting: Setting, known: Sequence[tuple[str, str, str, bool]]) -> None:
        super().__init__()
        self._theme = theme
        self.toggles: dict[str, Toggle] = {}
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(4)
        for each in known:
            self._add(*each)

    def show_value(self, value: Any) -> None:
        for name in value or ():
            if name not in self.toggles:
                self._add(name, name, "", broken=False)
        for name, toggle in self.toggles.items():
            toggle.blockSignals(True)
            toggle.setChecked(name in (value or ()))
            toggle.blockSignals(False)
            toggle.update()

    def _add(self, name: str, title: str, about: str, broken: bool) -> None:
        said = tr("Cannot be used now: {problem}").format(problem=about) if broken else about
        toggle = self.toggles[name] = Toggle(self._theme, f"{title}. {said}")
        toggle.setEnabled(not broken)
        toggle.toggled.connect(lambda _: self.edited.emit(self._chosen(), ""))
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(WrappedText(self._theme, title))
        if said:
            words.addWidget(WrappedText(self._theme, said, role="small", color="warn" if broken else "soft"))
        row = QHBoxLayout()
        row.addLayout(words, 1)
        row.addWidget(toggle)
        self._column.addLayout(row)

    def _chosen(self) -> list[str]:
        return [name for name, toggle in self.toggles.items() if toggle.isChecked()]


def _icon(theme: Theme, icon: str, does: str, name: str) -> Button:
    return Button(theme, kind="icon", icon=icon, name=f"{does}: {name}")
