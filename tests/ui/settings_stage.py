"""The settings dialog with a person before it, for the tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication, QWidget

from desktop_agent.support.config import Config
from desktop_agent.ui.settings.dialog import SettingsDialog
from desktop_agent.ui.settings.options.setting_catalog import Catalog, Setting
from desktop_agent.ui.settings.options.surroundings import Surroundings
from desktop_agent.ui.settings.setting_row import SettingRow
from desktop_agent.ui.widgets.form_controls import LineField, Toggle
from desktop_agent.ui.widgets.theme import Theme
from tests.ui.file_choices import FileChoices
from tests.ui.hands import Hands
from tests.ui.spinning import until_true

W = TypeVar("W", bound=QWidget)


class SettingsStage:
    """An open dialog over a real file; `hands` work it. `saved` are the settings told by its signal."""

    def __init__(
        self, app: QApplication, hands: Hands, choices: FileChoices, surroundings: Surroundings | None = None
    ) -> None:
        self.app, self.hands, self.choices = app, hands, choices
        theme = Theme("light")
        app.setPalette(theme.palette())
        self.dialog = SettingsDialog(None, theme, choices, surroundings)
        self.saved: list[Config] = []
        self.dialog.saved.connect(self.saved.append)
        self.dialog.move(40, 40)
        self.dialog.show()
        self.wait(lambda: self.dialog.catalog is not None, "the settings read")
        self.wait(lambda: self.dialog.isActiveWindow() and hands.writes_here(), "the keyboard in the dialog")

    def close(self) -> None:
        if self.dialog.catalog is not None:
            self.dialog.draft.discard()
        self.dialog.close()
        self.dialog.deleteLater()
        self.app.processEvents()

    def wait(self, condition: Callable[[], object], what: str) -> None:
        until_true(condition, what)

    @property
    def catalog(self) -> Catalog:
        assert self.dialog.catalog is not None
        return self.dialog.catalog

    @property
    def file(self) -> Path:
        return self.choices.file

    def text(self) -> str:
        return self.file.read_text(encoding="utf-8") if self.file.exists() else ""

    def setting(self, name: str) -> Setting:
        return next(each for each in self.catalog.everything() if each.name == name)

    def row(self, name: str) -> SettingRow:
        """The row of a setting, shown and scrolled to."""
        self.dialog.reveal(self.setting(name))
        row = self.dialog.page.rows[name]
        self.wait(lambda: self.in_sight(row.editor), f"{name} in sight")
        return row

    def in_sight(self, widget: QWidget) -> bool:
        """Can its middle be clicked?"""
        area = self.dialog.page_area.viewport()
        middle = widget.mapTo(area, QPoint(widget.width() // 2, min(widget.height() // 2, 12)))
        return widget.isVisible() and area.rect().adjusted(0, 4, 0, -4).contains(middle)

    def part(self, parent: QWidget, kind: type[W]) -> W:
        """The first part of that kind that can be seen."""
        return next(each for each in parent.findChildren(kind) if each.isVisible())

    def click(self, widget: QWidget) -> None:
        if widget.window() is self.dialog and self.dialog.page_area.isAncestorOf(widget):
            self.dialog.page_area.ensureWidgetVisible(widget, 0, 20)
            self._await_rest(widget)
        self.hands.click(widget)
        self.app.processEvents()

    def _await_rest(self, widget: QWidget) -> None:
        """A part that was just shown moves until all the page has its place."""
        seen: list[QPoint] = []

        def rests() -> bool:
            seen.append(widget.mapToGlobal(QPoint(0, 0)))
            return len(seen) >= 5 and len(set(seen[-5:])) == 1

        self.wait(rests, "the page at rest")

    def enter(self, field: QWidget, text: str) -> None:
        """Click into a field and type over what is there."""
        self.click(field)
        self.wait(field.hasFocus, "the field focused")
        self.hands.chord("ctrl", "a")
        self.hands.type(text)
        assert isinstance(field, LineField)
        self.wait(lambda: field.text() == text, f"{text} typed")

    def enter_into(self, name: str, text: str) -> None:
        self.enter(self.part(self.row(name).editor, LineField), text)

    def switch(self, name: str) -> None:
        toggle = self.part(self.row(name).editor, Toggle)
        before = toggle.isChecked()
        self.click(toggle)
        self.wait(lambda: toggle.isChecked() != before, f"{name} switched")

    def save(self) -> None:
        """Press Ctrl+S and wait until it is written."""
        before = len(self.saved)
        self.hands.chord("ctrl", "s")
        self.wait(lambda: len(self.saved) > before, "the settings saved")
