"""A menu of what is open or installed, to choose a pattern of an application or a window title from."""

from __future__ import annotations

import glob
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Literal, TypeAlias

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMenu

from desktop_agent.redaction.redactor import redactor
from desktop_agent.support.language import tr
from desktop_agent.ui.settings.latest_task import LatestTask
from desktop_agent.ui.settings.options.surroundings import OpenWindow, Surroundings
from desktop_agent.ui.widgets.buttons import Button, open_menu
from desktop_agent.ui.widgets.theme import Theme
from desktop_agent.ui.widgets.wrapped_text import escape_invisible

MOST, LONGEST = 24, 60
What: TypeAlias = Literal["applications", "windows"]


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
