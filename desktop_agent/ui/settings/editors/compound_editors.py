"""Editors for values with parts: a table of entries, a group of options; and which editor an option gets."""

from __future__ import annotations

from functools import partial
from typing import Any

from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from desktop_agent.support.language import tr
from desktop_agent.ui.settings.editors.list_editor import ListEditor, Pick
from desktop_agent.ui.settings.editors.value_editors import (
    ChoiceEditor,
    Editor,
    NumberEditor,
    SwitchEditor,
    TextEditor,
    choices_of,
)
from desktop_agent.ui.settings.options.option_types import fault
from desktop_agent.ui.settings.options.setting_catalog import Setting
from desktop_agent.ui.widgets.buttons import Button
from desktop_agent.ui.widgets.form_controls import Toggle
from desktop_agent.ui.widgets.primitives import Card
from desktop_agent.ui.widgets.theme import Theme
from desktop_agent.ui.widgets.wrapped_text import WrappedText


def editor_for(theme: Theme, setting: Setting) -> Editor:
    """The editor for what the option's type takes."""
    option = setting.option
    match option.kind:
        case "switch" if not option.optional:
            return SwitchEditor(theme, setting)
        case "switch" | "choice":
            return ChoiceEditor(theme, setting, choices_of(setting))
        case "number":
            return NumberEditor(theme, setting)
        case "list":
            return ListEditor(theme, setting)
        case "table":
            return TableEditor(theme, setting)
        case "group":
            return GroupEditor(theme, setting)
        case "text":
            return TextEditor(theme, setting)
    return InFileOnly(theme)


class InFileOnly(Editor):
    """Says that this value can only be changed in the file."""

    wide = True

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(
            WrappedText(theme, tr("This one is changed in the file itself."), role="small", color="soft")
        )

    def show_value(self, value: Any) -> None:
        """It is not shown."""


class PartsForm(QWidget):
    """A field for each part of a value. `told` is called after each change."""

    def __init__(self, theme: Theme, parts: tuple[Setting, ...]) -> None:
        super().__init__()
        self.editors: dict[str, Editor] = {}
        self._problems: dict[str, str] = {}
        self._values: dict[str, Any] = {}
        self._parts = {part.option.key: part for part in parts}
        self.told = _nobody
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(4)
        for part in parts:
            self._add(theme, grid, part)

    def _add(self, theme: Theme, grid: QGridLayout, part: Setting) -> None:
        editor = self.editors[part.option.key] = editor_for(theme, part)
        row = grid.rowCount()
        grid.addWidget(WrappedText(theme, part.words.label, role="small", color="soft"), row, 0, 1, 2)
        grid.addWidget(editor, row + 1, 0, 1, 2)
        if part.words.help:
            grid.addWidget(WrappedText(theme, part.words.help, role="small", color="soft"), row + 2, 0, 1, 2)
        editor.edited.connect(partial(self._edited, part.option.key))

    def show_values(self, values: dict[str, Any]) -> None:
        self._values = dict(values)
        for key, editor in self.editors.items():
            editor.show_value(values.get(key, self._parts[key].option.default))

    @property
    def values(self) -> dict[str, Any]:
        """The parts that differ from their defaults."""
        return {
            key: value
            for key, value in self._values.items()
            if value is not None and value != self._parts[key].option.default
        }

    @property
    def problem(self) -> str:
        """What is wrong with a part, with its label; "" for nothing."""
        return next((f"{self._parts[key].words.label}: {said}" for key, said in self._problems.items()), "")

    def _edited(self, key: str, value: Any, problem: str) -> None:
        problem = problem or fault(self._parts[key].option, value)
        self.editors[key].set_wrong(bool(problem))
        self._problems.pop(key, None)
        if problem:
            self._problems[key] = problem
        self._values[key] = value
        self.told()


class TableEditor(Editor):
    """A list of entries, each a small form. What `pick` chooses is the first part of a new entry."""

    wide = True

    def __init__(self, theme: Theme, setting: Setting, pick: Pick | None = None) -> None:
        super().__init__()
        self._theme, self._setting = theme, setting
        self.forms: list[tuple[PartsForm, QWidget]] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(8)
        self.add = Button(theme, tr("Add"), icon="plus", name=f"{tr('Add')}: {setting.spoken}")
        self.add.clicked.connect(self._add_empty)
        row = QHBoxLayout()
        row.addWidget(self.add)
        if pick is not None:
            self.pick = Button(theme, tr("Pick…"), name=f"{tr('Pick…')} {setting.spoken}")
            self.pick.clicked.connect(lambda: pick(self.pick, self._take))
            row.addWidget(self.pick)
        row.addStretch(1)
        self._column.addLayout(row)
        self.setFocusProxy(self.add)

    def show_value(self, value: Any) -> None:
        if value == [form.values for form, _ in self.forms]:
            return
        for form, card in tuple(self.forms):
            self._drop(form, card)
        for entry in value or ():
            self._append(entry)

    def _take(self, pattern: str) -> None:
        self._append({self._setting.parts()[0].option.key: pattern})
        self._tell()

    def _add_empty(self) -> None:
        form = self._append({})
        next(iter(form.editors.values())).setFocus()
        self._tell()

    def _append(self, entry: dict[str, Any]) -> PartsForm:
        form = PartsForm(self._theme, self._setting.parts())
        form.show_values(entry)
        form.told = self._tell
        card = Card(self._theme, fill="window", shadow=False)
        card.box.setContentsMargins(12, 8, 12, 12)
        remove = Button(
            self._theme, kind="icon", icon="close", name=f"{tr('Remove')}: {self._setting.spoken}"
        )
        row = QHBoxLayout()
        number = tr("Entry {number}").format(number=len(self.forms) + 1)
        row.addWidget(WrappedText(self._theme, number, role="caps", color="soft"), 1)
        row.addWidget(remove)
        card.box.addLayout(row)
        card.box.addWidget(form)
        self.forms.append((form, card))
        self._column.insertWidget(self._column.count() - 1, card)
        remove.clicked.connect(partial(self._remove, form, card))
        return form

    def _remove(self, form: PartsForm, card: QWidget) -> None:
        self._drop(form, card)
        self.add.setFocus()
        self._tell()

    def _drop(self, form: PartsForm, card: QWidget) -> None:
        self.forms.remove((form, card))
        self._column.removeWidget(card)
        card.hide()
        card.deleteLater()

    def _tell(self) -> None:
        problem = next((form.problem for form, _ in self.forms if form.problem), "")
        self.edited.emit([form.values for form, _ in self.forms], problem)


class GroupEditor(Editor):
    """A few options that are one value; one that need not be set has a switch for all of it."""

    wide = True

    def __init__(self, theme: Theme, setting: Setting) -> None:
        super().__init__()
        self._option = setting.option
        self.form = PartsForm(theme, setting.parts())
        self.form.told = self._tell
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        self.toggle = Toggle(theme, setting.spoken)
        self.toggle.setVisible(setting.option.optional)
        column.addWidget(self.toggle)
        column.addWidget(self.form)
        self.setFocusProxy(self.toggle if setting.option.optional else next(iter(self.form.editors.values())))
        self.toggle.toggled.connect(self._switched)

    def show_value(self, value: Any) -> None:
        self.toggle.blockSignals(True)
        self.toggle.setChecked(value is not None)
        self.toggle.blockSignals(False)
        self.form.setVisible(value is not None)
        if value is not None and value != self._whole():
            self.form.show_values(value)

    def _switched(self, on: bool) -> None:
        self.form.setVisible(on)
        self._tell()

    def _whole(self) -> dict[str, Any]:
        return {**(self._option.default or {}), **self.form.values}

    def _tell(self) -> None:
        off = self._option.optional and not self.toggle.isChecked()
        self.edited.emit(None if off else self._whole(), "" if off else self.form.problem)


def _nobody() -> None:
    """Nobody is told."""
