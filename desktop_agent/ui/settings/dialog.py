"""The settings dialog: sections, search, what is not saved yet, and saving it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, QUrl, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QCloseEvent,
    QDesktopServices,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShortcut,
)
from PySide6.QtWidgets import QDialog, QHBoxLayout, QMenu, QStackedWidget, QVBoxLayout, QWidget

from desktop_agent.agent.choices import Choices
from desktop_agent.support.config import Config
from desktop_agent.support.language import language_in_use, later, tr
from desktop_agent.ui.background_work import LatestTask
from desktop_agent.ui.settings.confirm_page import Answer, ConfirmPage
from desktop_agent.ui.settings.editors.editor_factory import EditorFactory
from desktop_agent.ui.settings.footer import SaveBar
from desktop_agent.ui.settings.options.setting_catalog import (
    Catalog,
    Setting,
    make_settings_file,
    read_catalog,
)
from desktop_agent.ui.settings.options.setting_draft import SettingDraft
from desktop_agent.ui.settings.options.setting_words import setting_words
from desktop_agent.ui.settings.options.surroundings import Surroundings
from desktop_agent.ui.settings.panels.section_panels import panels_of_group, panels_of_section
from desktop_agent.ui.settings.section_list import SectionList
from desktop_agent.ui.settings.section_page import SectionPage
from desktop_agent.ui.settings.setting_row import SettingRow
from desktop_agent.ui.widgets.buttons import Button, open_menu
from desktop_agent.ui.widgets.form_controls import DropDown, LineField, add_clear_button
from desktop_agent.ui.widgets.primitives import Spinner
from desktop_agent.ui.widgets.scroll_area import ScrollArea
from desktop_agent.ui.widgets.theme import Theme
from desktop_agent.ui.widgets.wrapped_text import WrappedText

SIZE, LEAST = (840, 680), (340, 360)
WIDE = 640
"""Pixels of width from which the list of sections stands at the side."""
SEARCH_MS = 120
FROM_ENVIRONMENT = later("Set in the environment: change it there.")


class SettingsDialog(QDialog):
    """Reads and changes the settings through `choices`, off the UI thread.

    Signals: `saved(config)` after the settings were changed, with those then in force; `opened()` once they are shown.
    """

    saved = Signal(object)
    opened = Signal()

    def __init__(
        self, parent: QWidget | None, theme: Theme, choices: Choices, surroundings: Surroundings | None = None
    ) -> None:
        super().__init__(parent)
        self._theme, self._choices = theme, choices
        self._surroundings = surroundings or Surroundings()
        self._section = ""
        self.catalog: Catalog | None = None
        self.setWindowTitle(tr("Settings"))
        self.setMinimumSize(*LEAST)
        self.resize(*SIZE)
        self._reading, self._writing, self._opening = (LatestTask(self) for _ in range(3))
        self._make_parts()
        self._lay_out()
        self._connect()
        self._look_changed()
        self._reading.run(partial(read_catalog, choices))

    # ---- the parts ------------------------------------------------------------------------

    def _make_parts(self) -> None:
        theme = self._theme
        self.title = WrappedText(theme, tr("Settings"), role="name")
        self.search = LineField(theme, tr("Search the settings"), tr("Search (Ctrl+F)"))
        add_clear_button(self.search)
        self.more = Button(theme, kind="icon", icon="more", name=tr("More"))
        self.sections_box = DropDown(theme, tr("Section"))
        self.side = QWidget()
        self.page_area = ScrollArea(theme)
        self.waiting = self._make_waiting()
        self.confirm = ConfirmPage(theme)
        self.pages = QStackedWidget()
        for part in (self.waiting, self.page_area, self.confirm):
            self.pages.addWidget(part)
        self.bar = SaveBar(theme)
        self._search_timer = QTimer(self, singleShot=True, interval=SEARCH_MS)

    def _make_waiting(self) -> QWidget:
        waiting = QWidget()
        column = QVBoxLayout(waiting)
        column.setContentsMargins(24, 24, 24, 24)
        self.waiting_words = WrappedText(self._theme, tr("Reading the settings…"), color="soft")
        self.spinner = Spinner(self._theme)
        self.retry = Button(self._theme, tr("Try again"))
        self.retry.hide()
        for part in (self.spinner, self.waiting_words, self.retry):
            column.addWidget(
                part, 0, Qt.AlignmentFlag.AlignLeft if part is not self.waiting_words else Qt.AlignmentFlag(0)
            )
        column.addStretch(1)
        return waiting

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(18, 12, 12, 10)
        head.setSpacing(10)
        head.addWidget(self.title)
        head.addStretch(1)
        head.addWidget(self.search, 3)
        head.addWidget(self.more)
        narrow = QHBoxLayout()
        narrow.setContentsMargins(18, 0, 18, 10)
        narrow.addWidget(self.sections_box, 1)
        self.side_column = QVBoxLayout(self.side)
        self.side_column.setContentsMargins(10, 8, 0, 8)
        body = QHBoxLayout()
        body.setSpacing(0)
        body.addWidget(self.side)
        body.addWidget(self.pages, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addLayout(narrow)
        column.addLayout(body, 1)
        column.addWidget(self.bar)

    def _connect(self) -> None:
        self._reading.done.connect(self._read)
        self._reading.failed.connect(self._show_unread)
        self._writing.done.connect(self._written)
        self._writing.failed.connect(self._show_unsaved)
        self._opening.done.connect(self._open)
        self._opening.failed.connect(self.bar.say_problem)
        self._search_timer.timeout.connect(self._show_page)
        self.search.textChanged.connect(self._search_timer.start)
        self.sections_box.activated.connect(lambda: self.show_section(self.sections_box.currentData()))
        self.more.clicked.connect(self.show_menu)
        self.retry.clicked.connect(self._retry)
        self.bar.save.clicked.connect(self.save)
        self.bar.discard.clicked.connect(self._ask_discard)
        self._theme.changed.connect(self._look_changed)
        for keys, slot in (
            ("Ctrl+F", self._start_search), ("Ctrl+S", self.save), ("Ctrl+PgDown", partial(self._step, 1)),
            ("Ctrl+PgUp", partial(self._step, -1)), ("Ctrl+W", self.close),
        ):  # fmt: skip
            QShortcut(QKeySequence(keys), self).activated.connect(slot)

    # ---- reading --------------------------------------------------------------------------

    def _read(self, catalog: Catalog) -> None:
        self.catalog = catalog
        locked = dict.fromkeys(catalog.config.from_environment, tr(FROM_ENVIRONMENT))
        self.draft = SettingDraft(catalog.config, {**locked, **self._surroundings.locked}, self)
        self.draft.changed.connect(self._draft_changed)
        self.factory = EditorFactory(self._theme, catalog, self.draft, self._surroundings, self)
        words, language = setting_words().section, language_in_use()
        sections = [
            (name, words[name].words(language).title, words[name].icon) for name in catalog.sections()
        ]
        self.list = SectionList(self._theme, sections)
        self.list.setAccessibleName(tr("Sections"))
        self.list.chosen.connect(self.show_section)
        self.side_column.addWidget(self.list)
        self.sections_box.fill((name, title) for name, title, _ in sections)
        self.show_section(self._section or sections[0][0])
        self.list.show()  # a layout shows it a moment later, and what is hidden gets no focus
        self.list.setFocus()
        self.opened.emit()

    def _show_unread(self, problem: str) -> None:
        self.spinner.hide()
        self.waiting_words.set_words(problem)
        self.retry.show()
        self.retry.setFocus()

    def _retry(self) -> None:
        self.retry.hide()
        self.spinner.show()
        self.waiting_words.set_words(tr("Reading the settings…"))
        self._reading.run(partial(read_catalog, self._choices))

    # ---- pages ----------------------------------------------------------------------------

    def show_section(self, section: str) -> None:
        """Show a section, once the settings are read."""
        self._section = section
        if self.search.text():
            self.search.blockSignals(True)
            self.search.clear()
            self.search.blockSignals(False)
        self._show_page()

    def _step(self, by: int) -> None:
        if self.catalog is not None:
            names = self.catalog.sections()
            self.show_section(names[(names.index(self._section) + by) % len(names)])

    def _start_search(self) -> None:
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    def _show_page(self) -> None:
        if self.catalog is None:
            return
        words = self.search.text().strip()
        self.page = self._found_page(words) if words else self._section_page(self._section)
        self.page_area.set_content(self.page)
        self.page_area.verticalScrollBar().setValue(0)
        self.pages.setCurrentWidget(self.page_area)
        self.list.choose("" if words else self._section)
        self.sections_box.setCurrentIndex(-1 if words else self.sections_box.findData(self._section))
        self._show_state()

    def _section_page(self, name: str) -> SectionPage:
        assert self.catalog is not None  # noqa: S101 - a page is shown when it is there
        catalog, words = self.catalog, setting_words().section[name].words(language_in_use())
        page = SectionPage(self._theme, words.title, words.about, self._row)
        page.add_settings(each for each in catalog.settings if each.section == name)
        for panel in panels_of_section(name, self._theme, catalog, self.draft, self._surroundings):
            page.add(panel)
        chosen = self._chosen_plugins()
        for group in sorted(
            (each for each in catalog.groups if each.section == name),
            key=lambda each: (each.name not in chosen, each.rare),
        ):
            panels = partial(panels_of_group, group, self._theme, self.draft)
            page.add_group(group, opened=group.name in chosen and name != "permission", panels=panels)
        return page

    def _chosen_plugins(self) -> set[str]:
        return {str(self._value(name)).partition(":")[0] for name in ("agent.model", "agent.target")}

    def _value(self, name: str) -> object:
        assert self.catalog is not None  # noqa: S101 - called while a page is shown
        return next(self.draft.value(each) for each in self.catalog.settings if each.name == name)

    def _found_page(self, words: str) -> SectionPage:
        assert self.catalog is not None  # noqa: S101 - a page is shown when it is there
        found = [each for each in self.catalog.everything() if each.matches(words)]
        title = tr("Nothing found") if not found else tr("Found: {n}").format(n=len(found))
        page = SectionPage(self._theme, title, tr("No setting is called so.") if not found else "", self._row)
        page.add_found(found, self._place)
        return page

    def _place(self, setting: Setting) -> str:
        title = setting_words().section[setting.section].words(language_in_use()).title
        return f"{title} · {setting.group}".upper() if setting.group else title.upper()

    def _row(self, setting: Setting) -> SettingRow:
        return SettingRow(self._theme, setting, self.factory.editor(setting), self.draft)

    # ---- changes --------------------------------------------------------------------------

    def _draft_changed(self, name: str) -> None:
        rows = self.page.rows
        for row in [rows[name]] if name in rows else () if name else rows.values():
            row.show_draft()
        self._show_state()

    def _show_state(self) -> None:
        """Show what is not saved, what is wrong and what gives more rights, at the rows, sections and in the bar."""
        assert self.catalog is not None  # noqa: S101 - called while a page is shown
        widening = self.draft.widening()
        for name, row in self.page.rows.items():
            row.show_widening(name in widening)
        places = {each.name: each.section for each in self.catalog.everything()}
        for section in self.catalog.sections():
            changed = {name for name in self.draft.names if places.get(name) == section}
            wrong = changed & set(self.draft.problems)
            self.list.mark(
                section, "stop" if wrong else "accent" if changed else "",
                tr("has an error") if wrong else tr("not saved yet") if changed else "",
            )  # fmt: skip
        self.bar.show_state(len(self.draft.names), len(self.draft.problems), len(widening))

    def save(self) -> None:
        """Save what was changed: a wrong value is shown instead, and more rights are asked about first."""
        if self.catalog is None or not self.draft.names or self.bar.busy:
            return
        if self.draft.problems:
            self._show_first_problem()
        elif widening := self.draft.widening():
            lines = [self._change_words(name) for name in widening]
            self._ask(
                "shield", "warn", tr("Give it more rights?"),
                tr("With these changes it may do more, or shows more to others:"), lines,
                [(tr("Save, with more rights"), self._write), (tr("Keep as before"), self._back)],
            )  # fmt: skip
        else:
            self._write()

    def _change_words(self, name: str) -> str:
        """`Permission: Ask before what may do harm → Full`"""
        assert self.catalog is not None  # noqa: S101 - called while a page is shown
        setting = next(each for each in self.catalog.everything() if each.name == name)
        before, now = (
            _in_words(setting, value) for value in (self.draft.in_force(setting), self.draft.value(setting))
        )
        return f"{setting.spoken}: {before} → {now}"

    def _write(self) -> None:
        self._back()
        self.bar.show_busy(True)
        self._writing.run(partial(self.draft.save, self._choices))

    def _written(self, config: Config) -> None:
        assert self.catalog is not None  # noqa: S101 - it was read before
        self.bar.show_busy(False)
        self.catalog = dataclasses.replace(self.catalog, config=config)
        self.draft.saved(config)
        self.bar.say_saved()
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, tr("Saved.")))
        self.saved.emit(config)

    def _show_unsaved(self, problem: str) -> None:
        """Nothing was saved and nothing is lost: say why, at the setting too where the words name it."""
        self.bar.show_busy(False)
        self.bar.say_problem(problem)
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, problem))
        for name in self.draft.names:
            if f"{name}:" in problem:
                self.draft.blame(name, problem)

    def _show_first_problem(self) -> None:
        assert self.catalog is not None  # noqa: S101 - called while a page is shown
        name = next(iter(self.draft.problems))
        setting = next(each for each in self.catalog.everything() if each.name == name)
        self.reveal(setting)

    def reveal(self, setting: Setting) -> None:
        """Show a setting, on its page and unfolded, with the keyboard on it."""
        if setting.name not in self.page.rows:
            self.show_section(setting.section)
        row = self.page.unfold(setting.name)
        if row is not None:
            row.editor.setFocus(Qt.FocusReason.OtherFocusReason)
            QTimer.singleShot(0, row, lambda: self.page_area.ensureWidgetVisible(row, 0, 40))

    # ---- questions ------------------------------------------------------------------------

    def _ask(
        self, icon: str, tone: str, title: str, about: str, lines: Sequence[str], answers: Sequence[Answer]
    ) -> None:
        self._set_asking(True)
        self.pages.setCurrentWidget(self.confirm)
        self.confirm.ask(
            icon, tone, title, about, lines, [(text, partial(self._answer, act)) for text, act in answers]
        )

    def _answer(self, act: Callable[[], None]) -> None:
        self._back()
        act()

    def _back(self) -> None:
        self._set_asking(False)
        self.pages.setCurrentWidget(self.page_area)

    def _set_asking(self, asking: bool) -> None:
        for part in (self.side, self.sections_box, self.search, self.more):
            part.setEnabled(not asking)
        if asking:
            self.bar.hide()
        else:
            self._show_state()

    def _ask_discard(self) -> None:
        self._ask(
            "undo", "soft", tr("Discard the changes?"), "", list(map(self._change_words, self.draft.names)),
            [(tr("Discard"), self.draft.discard), (tr("Keep editing"), self._back)],
        )  # fmt: skip

    def _ask_reset(self, settings: Sequence[Setting], what: str) -> None:
        changed = [each for each in settings if not self.draft.is_default(each)]
        if not changed:
            self.bar.say(tr("Everything here is at its default already."))
            return
        self._ask(
            "undo", "warn", what, tr("These go back to their defaults. Nothing is written before you save."),
            [each.words.label for each in changed],
            [(tr("Reset"), partial(self.draft.reset, changed)), (tr("Keep as it is"), self._back)],
        )  # fmt: skip

    # ---- the menu -------------------------------------------------------------------------

    def show_menu(self) -> None:
        """Open the menu: the file, and resetting."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.setStyleSheet(self._theme.style_sheet())
        menu.addAction(tr("Open the settings file"), self.open_file)
        if self.catalog is not None:
            everything = tuple(self.catalog.everything())
            here = [each for each in everything if each.section == self._section]
            menu.addSeparator()
            menu.addAction(
                tr("Reset this section…"), partial(self._ask_reset, here, tr("Reset this section?"))
            )
            menu.addAction(
                tr("Reset all settings…"), partial(self._ask_reset, everything, tr("Reset all settings?"))
            )
        self.menu = menu
        open_menu(menu, self.more)

    def open_file(self) -> None:
        """Open the settings file in the user's editor; it is made where it is not there."""
        self._opening.run(self._make_file)

    def _make_file(self) -> Path:
        make_settings_file(self._choices.file)
        return self._choices.file

    def _open(self, path: Path) -> None:
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(path))):
            self.bar.say(tr("Nothing opens it here. It is {path}").format(path=path))

    # ---- the window -----------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc ends a question or a search, then closes; Enter presses nothing by itself."""
        if event.key() == Qt.Key.Key_Escape:
            if self.pages.currentWidget() is self.confirm:
                self.confirm.decline()
            elif self.search.text():
                self.search.clear()
            else:
                self.close()
        elif event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Close; what is not saved is asked about."""
        if self.catalog is None or not self.draft.names:
            event.accept()
            self.finished.emit(0)
            return
        event.ignore()
        lines = list(map(self._change_words, self.draft.names))
        answers = [(tr("Discard and close"), self._discard_and_close), (tr("Keep editing"), self._back)]
        self._ask("warn", "warn", tr("Close without saving?"), "", lines, answers)

    def _discard_and_close(self) -> None:
        self.draft.discard()
        self.close()

    def resizeEvent(self, event: QResizeEvent) -> None:
        wide = self.width() >= WIDE
        self.side.setVisible(wide)
        self.sections_box.setVisible(not wide)
        super().resizeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.color("window"))
        painter.end()

    def _look_changed(self) -> None:
        self.setPalette(self._theme.palette())
        for widget in self.findChildren(QWidget):
            widget.update()
        self.update()


def _in_words(setting: Setting, value: object) -> str:
    if isinstance(value, bool):
        return tr("on") if value else tr("off")
    if value is None or value in ("", [], ()):
        return tr("nothing")
    if isinstance(value, list):
        return ", ".join(
            str(each) if not isinstance(each, dict) else " ".join(map(str, each.values())) for each in value
        )
    return setting.value_words(value)


def open_settings(
    window: QWidget, theme: Theme, choices: Choices, surroundings: Surroundings | None = None
) -> SettingsDialog:
    """Show the settings above the window, or bring those that are open to the front; returns the dialog at once."""
    there = window.findChild(SettingsDialog)
    if there is not None and there.isVisible():
        there.raise_()
        there.activateWindow()
        return there
    dialog = SettingsDialog(window, theme, choices, surroundings)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.show()
    return dialog
