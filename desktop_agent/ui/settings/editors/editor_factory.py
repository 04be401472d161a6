"""Chooses the editor of each setting (by its name for special ones, else by its type), and makes the editors of values with parts."""

from __future__ import annotations

import glob
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, Literal, TypeAlias

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QMenu, QVBoxLayout, QWidget

from desktop_agent.agent.choices import Offer
from desktop_agent.redaction.redactor import redactor
from desktop_agent.support.language import tr
from desktop_agent.ui.background_work import LatestTask
from desktop_agent.ui.settings.editors.hotkey_editor import HotkeyEditor
from desktop_agent.ui.settings.editors.list_editor import ListEditor, Pick, ToggleListEditor
from desktop_agent.ui.settings.editors.mask_editor import MaskEditor
from desktop_agent.ui.settings.editors.value_editors import (
    ChoiceEditor,
    Editor,
    NumberEditor,
    OfferEditor,
    SwitchEditor,
    TextEditor,
    choices_of,
)
from desktop_agent.ui.settings.options.option_types import fault
from desktop_agent.ui.settings.options.setting_catalog import Catalog, Setting
from desktop_agent.ui.settings.options.setting_draft import SettingDraft
from desktop_agent.ui.settings.options.surroundings import OpenWindow, Surroundings
from desktop_agent.ui.widgets.buttons import Button, open_menu
from desktop_agent.ui.widgets.form_controls import Toggle
from desktop_agent.ui.widgets.primitives import Card
from desktop_agent.ui.widgets.theme import Theme
from desktop_agent.ui.widgets.wrapped_text import WrappedText, escape_invisible

MOST, LONGEST = 24, 60
What: TypeAlias = Literal["applications", "windows"]


class EditorFactory:
    """Makes editors; `owner` is the dialog, with which the pickers end."""

    def __init__(
        self, theme: Theme, catalog: Catalog, draft: SettingDraft, surroundings: Surroundings, owner: QObject
    ) -> None:
        self._theme, self._catalog, self._draft = theme, catalog, draft
        self._surroundings, self._owner = surroundings, owner
        self.windows = WindowPicker(theme, surroundings, "windows", owner)
        self.applications = WindowPicker(theme, surroundings, "applications", owner)
        self._special: dict[str, Callable[[Setting], Editor]] = {
            "agent.model": lambda setting: self._offers(setting, catalog.offers["model"]),
            "agent.target": lambda setting: self._offers(setting, catalog.offers["target"]),
            "agent.dialect": self._dialects,
            "agent.environments": self._environments,
            "privacy.regions": lambda _setting: MaskEditor(theme, surroundings),
            "privacy.windows": lambda setting: ListEditor(theme, setting, self.windows.pick),
            "scope.applications": lambda setting: ListEditor(theme, setting, self.applications.pick),
            "scope.deny": lambda setting: TableEditor(theme, setting, self.applications.pick),
        }

    def editor(self, setting: Setting) -> Editor:
        """The editor for a setting."""
        if setting.name.startswith("hotkeys."):
            return HotkeyEditor(self._theme, setting, self._same_hotkey)
        make = self._special.get(setting.name)
        return make(setting) if make is not None else editor_for(self._theme, setting)

    def _same_hotkey(self, name: str, text: str) -> str:
        """The label of another setting with the same shortcut, "" when there is none."""
        others = (
            each for each in self._catalog.settings if each.name.startswith("hotkeys.") and each.name != name
        )
        return next((each.words.label for each in others if text and self._draft.value(each) == text), "")

    def _offers(self, setting: Setting, offers: tuple[Offer, ...]) -> Editor:
        about = [
            (each.value, each.title, f"{each.does} {each.costs}".strip(), each.problem) for each in offers
        ]
        return OfferEditor(self._theme, setting, about)

    def _dialects(self, setting: Setting) -> Editor:
        names = ("auto", *self._catalog.dialects)
        return ChoiceEditor(
            self._theme, setting, [(each, tr("Automatic") if each == "auto" else each) for each in names]
        )

    def _environments(self, setting: Setting) -> Editor:
        groups = (each for each in self._catalog.groups if each.family == "environment")
        return ToggleListEditor(
            self._theme,
            setting,
            [(each.name, each.title, each.problem or each.about, bool(each.problem)) for each in groups],
        )


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


class WindowPicker(QObject):
    """Opens the menu under a button once it is known what there is. No signals of its own."""

    def __init__(
        self, theme: Theme, surroundings: Surroundings, what: What, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._theme, self._surroundings, self._what = theme, surroundings, what
        self._background = LatestTask(self)
        self._background.done.connect(self._show)
        self._background.failed.connect(self._show_problem)
        self._button: Button | None = None
        self._take: Callable[[str], None] = _drop
        self.menu = QMenu()

    def pick(self, button: Button, take: Callable[[str], None]) -> None:
        """Ask what there is, then open the menu; `take` gets the chosen pattern."""
        self._button, self._take = button, take
        self._background.run(self._read)

    def _read(self) -> tuple[list[tuple[str, str]], ...]:
        windows = self._surroundings.windows()
        installed = self._surroundings.applications
        return (
            _choices(each.application for each in windows),
            _choices(_titles(windows)) if self._what == "windows" else [],
            _choices(installed()) if installed is not None and self._what == "applications" else [],
        )

    def _show(self, found: tuple[list[tuple[str, str]], ...]) -> None:
        self._renew()
        headings = (tr("Open applications"), tr("Open windows"), tr("Installed applications"))
        for heading, choices in zip(headings, found, strict=True):
            if choices:
                menu = self.menu if heading != headings[2] else self.menu.addMenu(heading)
                if menu is self.menu:
                    menu.addAction(heading).setEnabled(False)
                for words, pattern in choices:
                    menu.addAction(words).triggered.connect(partial(self._chosen, pattern))
        if self.menu.isEmpty():
            self.menu.addAction(tr("No other window is open.")).setEnabled(False)
        self._open()

    def _chosen(self, pattern: str, *_: object) -> None:
        self._take(pattern)

    def _show_problem(self, problem: str) -> None:
        self._renew()
        self.menu.addAction(_menu_text(problem)).setEnabled(False)
        self._open()

    def _renew(self) -> None:
        self.menu.deleteLater()
        self.menu = QMenu(self._button)
        self.menu.setStyleSheet(self._theme.style_sheet())

    def _open(self) -> None:
        if self._button is not None:
            open_menu(self.menu, self._button)


def _titles(windows: Sequence[OpenWindow]) -> Iterable[str]:
    return (each.title for each in windows)


def _choices(names: Iterable[str]) -> list[tuple[str, str]]:
    """Words for the menu and the pattern that means exactly this name; each once, sorted."""
    known = sorted({redactor().clean(name) for name in names if name.strip()}, key=str.casefold)
    return [(_menu_text(name), glob.escape(name)) for name in known[:MOST]]


def _menu_text(text: str) -> str:
    shown = escape_invisible(text.replace("\n", " "))
    return (shown if len(shown) <= LONGEST else shown[: LONGEST - 1] + "…").replace("&", "&&")


def _drop(_: str) -> None:
    """Nobody asked."""
