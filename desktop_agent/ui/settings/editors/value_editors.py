"""Editors for one value each: a switch, a choice, a number, a line of text, a path."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QVBoxLayout, QWidget

from desktop_agent.support.language import tr
from desktop_agent.ui.settings.options.option_types import bounds_words
from desktop_agent.ui.settings.options.setting_catalog import Setting
from desktop_agent.ui.widgets.buttons import Button
from desktop_agent.ui.widgets.form_controls import DropDown, LineField, Toggle
from desktop_agent.ui.widgets.theme import Theme
from desktop_agent.ui.widgets.wrapped_text import WrappedText

NUMBER_WIDTH, UNIT_WIDTH = 120, 84
UNSET = "\x00"
"""What a drop-down holds for a value that is not set: it cannot hold None."""


class Editor(QWidget):
    """What one value is entered with. `wide` ones stand under their label, the others beside it.

    Signal: `edited(value, problem)`, `problem` not empty where what was entered is no value at all.
    """

    edited = Signal(object, str)
    wide = False

    @abstractmethod
    def show_value(self, value: Any) -> None:
        """Show a plain value; `edited` is not emitted."""

    def set_wrong(self, wrong: bool) -> None:
        """Show that its value is wrong."""


class SwitchEditor(Editor):
    """True or false."""

    def __init__(self, theme: Theme, setting: Setting) -> None:
        super().__init__()
        self.toggle = Toggle(theme, setting.spoken)
        _row(self).addWidget(self.toggle)
        self.setFocusProxy(self.toggle)
        self.toggle.toggled.connect(lambda on: self.edited.emit(on, ""))

    def show_value(self, value: Any) -> None:
        with QSignalBlocker(self.toggle):
            self.toggle.setChecked(bool(value))
        self.toggle.update()


class ChoiceEditor(Editor):
    """One of several values; one that is not among them is added as it is."""

    def __init__(self, theme: Theme, setting: Setting, values: Sequence[tuple[Any, str]]) -> None:
        super().__init__()
        self.box = DropDown(theme, setting.spoken)
        self.box.fill((UNSET if value is None else value, words) for value, words in values)
        _row(self).addWidget(self.box)
        self.setFocusProxy(self.box)
        self.box.activated.connect(self._chosen)

    def show_value(self, value: Any) -> None:
        held = UNSET if value is None else value
        if self.box.findData(held) < 0:
            self.box.addItem(str(value), held)
        with QSignalBlocker(self.box):
            self.box.setCurrentIndex(self.box.findData(held))
        self.box.update()

    def set_wrong(self, wrong: bool) -> None:
        self.box.set_wrong(wrong)

    def _chosen(self, number: int) -> None:
        value = self.box.itemData(number)
        self.edited.emit(None if value == UNSET else value, "")


def choices_of(setting: Setting) -> list[tuple[Any, str]]:
    """The values of a choice, or of a switch that need not be set, with their words."""
    option = setting.option
    values = option.values or (True, False)
    words = {True: tr("Yes"), False: tr("No"), "": tr("None")}
    named = [(each, setting.words.values.get(str(each), words.get(each, str(each)))) for each in values]
    return [(None, tr("Not set")), *named] if option.optional else named


class NumberEditor(Editor):
    """A number within bounds, with its unit."""

    def __init__(self, theme: Theme, setting: Setting) -> None:
        super().__init__()
        self._option = setting.option
        self._bounds = bounds_words(setting.option)
        self.field = LineField(theme, f"{setting.spoken}. {self._bounds}. {setting.words.unit}")
        self.field.setFixedWidth(NUMBER_WIDTH)
        self.field.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.field.setToolTip(self._bounds)
        row = _row(self)
        row.addWidget(self.field)
        unit = WrappedText(theme, setting.words.unit, role="small", color="soft")
        unit.setMinimumWidth(max(UNIT_WIDTH, unit.sizeHint().width()))
        row.addWidget(unit)
        self.setFocusProxy(self.field)
        self.field.textEdited.connect(self._typed)

    def show_value(self, value: Any) -> None:
        text = "" if value is None else f"{value:.10g}" if isinstance(value, float) else str(value)
        if text != self.field.text():
            self.field.setText(text)

    def set_wrong(self, wrong: bool) -> None:
        self.field.set_wrong(wrong)

    def _typed(self, text: str) -> None:
        value = number_in(text, whole=self._option.whole)
        if value is None and not (self._option.optional and not text.strip()):
            self.edited.emit(text, f"{self._bounds}.")
        else:
            self.edited.emit(value, "")


def number_in(text: str, *, whole: bool) -> float | int | None:
    """The number that was typed, as in `1,800` or `2.5`; None when it is none."""
    bare = re.sub(r"(?<=\d)[\s\u202f,](?=\d{3}(\D|$))", "", text.strip())
    if re.fullmatch(r"-?\d+", bare):
        return int(bare) if whole else float(bare)
    return float(bare.replace(",", ".")) if not whole and re.fullmatch(r"-?\d+[.,]\d+", bare) else None


class TextEditor(Editor):
    """A line of text; a path has a button to browse for it."""

    wide = True

    def __init__(self, theme: Theme, setting: Setting) -> None:
        super().__init__()
        self._setting = setting
        self.field = LineField(theme, setting.spoken)
        row = _row(self)
        row.addWidget(self.field, 1)
        if setting.browse:
            name = f"{tr('Browse')}: {setting.spoken}"
            self.browse = Button(theme, tr("Browse…"), name=name)
            self.browse.clicked.connect(self._browse)
            row.addWidget(self.browse)
        self.setFocusProxy(self.field)
        self.field.textEdited.connect(lambda text: self.edited.emit(text, ""))

    def show_value(self, value: Any) -> None:
        if str(value) != self.field.text():
            self.field.setText(str(value))

    def set_wrong(self, wrong: bool) -> None:
        self.field.set_wrong(wrong)

    def _browse(self) -> None:
        dialog = QFileDialog(self, self._setting.words.label)
        folder = self._setting.browse == "folder"
        dialog.setFileMode(QFileDialog.FileMode.Directory if folder else QFileDialog.FileMode.ExistingFile)
        start = Path(self.field.text()).expanduser()
        if self.field.text() and start.parent.is_dir():
            dialog.setDirectory(str(start if start.is_dir() else start.parent))
        dialog.fileSelected.connect(self._take)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def _take(self, path: str) -> None:
        self.field.setText(path)
        self.edited.emit(path, "")


class OfferEditor(ChoiceEditor):
    """One of what is offered, and under it what it does and costs, or why it cannot be used now."""

    wide = True

    def __init__(self, theme: Theme, setting: Setting, offers: Sequence[tuple[Any, str, str, str]]) -> None:
        super().__init__(theme, setting, [(value, title) for value, title, _, _ in offers])
        self._about = {value: (does, problem) for value, _, does, problem in offers}
        self.about = WrappedText(theme, role="small", color="soft")
        self.problem = WrappedText(theme, role="small", color="warn")
        layout = self.layout()
        assert isinstance(layout, QHBoxLayout)  # noqa: S101 - made above
        layout.removeWidget(self.box)
        column = QVBoxLayout()
        column.setSpacing(6)
        for each in (self.box, self.about, self.problem):
            column.addWidget(each)
        layout.addLayout(column, 1)
        self.box.currentIndexChanged.connect(self._tell)

    def show_value(self, value: Any) -> None:
        super().show_value(value)
        self._tell()

    def _tell(self) -> None:
        does, problem = self._about.get(self.box.currentData(), ("", ""))
        self.about.set_words(does)
        self.about.setVisible(bool(does))
        self.problem.set_words(tr("Cannot be used now: {problem}").format(problem=problem) if problem else "")
        self.problem.setVisible(bool(problem))


def _row(editor: QWidget) -> QHBoxLayout:
    row = QHBoxLayout(editor)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(8)
    return row
