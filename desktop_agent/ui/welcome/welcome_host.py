"""Puts the first page into the window at the first start and when it is asked for, and keeps the examples right."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QBoxLayout, QWidget

from desktop_agent.ui.settings_calls import SettingsCalls
from desktop_agent.ui.shell.dock import WindowIni
from desktop_agent.ui.welcome.welcome_calls import WelcomeCalls
from desktop_agent.ui.welcome.welcome_guide import WelcomeGuide
from desktop_agent.ui.widgets.theme import Theme

if TYPE_CHECKING:
    from desktop_agent.ui.welcome.welcome_page import WelcomePage


class WelcomeHost(QObject):
    """Shows the page in `column` in place of `parts`, which come back when it is finished.

    `left` is called then; what was seen once is remembered in `ini`.
    """

    def __init__(
        self,
        guide: WelcomeGuide,
        settings: SettingsCalls,
        theme: Theme,
        ini: WindowIni,
        column: QBoxLayout,
        parts: tuple[QWidget, ...],
        left: Callable[[], None],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self.calls = WelcomeCalls(guide, self)
        self._settings, self._theme, self._ini = settings, theme, ini
        self._column, self._parts, self._left = column, parts, left
        self._hidden: list[QWidget] = []
        self.page: WelcomePage | None = None
        settings.changed.connect(self._settings_changed)

    def start(self) -> None:
        """Show the page if this is the first start; after the first painting."""
        if not self._ini.welcomed:
            self.show()

    def show(self) -> None:
        """Show the page from its first step on."""
        if self.page is not None:
            return
        from desktop_agent.ui.welcome.welcome_page import WelcomePage  # most starts do not need it

        self.page = page = WelcomePage(self._theme, self.calls, self._settings)
        page.finished.connect(self.finish)
        self._hidden = [each for each in self._parts if not each.isHidden()]
        for part in self._hidden:
            part.hide()
        self._column.insertWidget(1, page, 1)
        page.show()
        page.go(0)

    def finish(self) -> None:
        """Show the chat again, and do not come back by itself."""
        self._ini.save_welcomed()
        self.remove()

    def remove(self) -> None:
        """Show the chat again; at the next start the page is there anew where it was not finished."""
        page, self.page = self.page, None
        if page is None:
            return
        page.leave()
        page.hide()
        self._column.removeWidget(page)
        page.deleteLater()
        for part in self._hidden:
            part.show()
        self._left()

    def escape_pressed(self) -> bool:
        """Esc in this window; True when the page took it."""
        if self.page is None:
            return False
        self.page.escape_pressed()
        return True

    def show_problem(self, message: str, advice: str) -> bool:
        """Why a choice is not in force; True when the page shows it."""
        if self.page is None:
            return False
        self.page.thinker.show_problem(message, advice)
        return True

    def close(self) -> None:
        """End what is under way, for the end of the window."""
        if self.page is not None:
            self.page.leave()
        self.calls.close()

    def _settings_changed(self) -> None:
        self.calls.ask_examples()
        if self.page is not None:
            self.calls.ask_leaves()
