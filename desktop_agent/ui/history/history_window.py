"""The list of earlier runs, with a search by words, outcome, application, time and cost; opens them beside the main window."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout

from desktop_agent.agent.port import AgentPort
from desktop_agent.history.run_index import RunIndex
from desktop_agent.history.run_query import RunQuery
from desktop_agent.history.run_story import RunOutcome
from desktop_agent.history.run_summary import RunSummary
from desktop_agent.support.language import later, tr, tr_sentence
from desktop_agent.ui.history.player_window import PlayerWindow
from desktop_agent.ui.history.run_actions import RunActions
from desktop_agent.ui.history.run_table import RunTable
from desktop_agent.ui.shell.beside_window import BesideWindow
from desktop_agent.ui.shell.window import Window
from desktop_agent.ui.widgets.buttons import Button, open_menu
from desktop_agent.ui.widgets.form_controls import DropDown, LineField, add_clear_button
from desktop_agent.ui.widgets.named_rows import NamedRowsView
from desktop_agent.ui.widgets.wrapped_text import WrappedText

WAIT_MS = 150
_DAY = 86_400.0
_MOST_NAMES = 200
_OUTCOMES: tuple[tuple[str, tuple[RunOutcome, ...]], ...] = (
    (later("Any outcome"), ()),
    (later("Done"), ("verified", "said", "unchecked")),
    (later("Done, not checked"), ("unchecked",)),
    (later("Answered"), ("answered",)),
    (later("Stopped"), ("stopped",)),
    (later("Failed"), ("error",)),
    (later("Cut short"), ("cut", "unreadable")),
)
_TIMES = (
    (later("Any time"), 0),
    (later("Last 24 hours"), 1),
    (later("Last 7 days"), 7),
    (later("Last 30 days"), 30),
    (later("Last year"), 365),
)
_COSTS: tuple[tuple[str, float | None, float | None], ...] = (
    (later("Any cost"), None, None),
    (later("Free"), None, 0.0),
    (later("Up to $0.10"), None, 0.1),
    (later("$0.10 and more"), 0.1, None),
    (later("$1 and more"), 1.0, None),
)
WIDEST = 190
"""Pixels of a drop-down, whatever the names of applications in it."""
_WIDTHS = (138, 0, 136, 74, 56, 84, 150)
_PADDING = 5
"""Keeps the end of a number apart from the beginning of the next column."""


class HistoryWindow(BesideWindow):
    """Lists the runs in `runs`; opened by double click or Enter."""

    def __init__(self, window: Window, runs: Path, port: AgentPort) -> None:
        super().__init__(window)
        self._runs, self._port = runs, port
        self._busy = self._again = self._fresh = False
        self._first = True
        self.actions_ = RunActions(window, runs, port, self)
        self._timer = QTimer(self, singleShot=True, interval=WAIT_MS)
        self._timer.timeout.connect(self.search)
        self._make_parts()
        self._lay_out()
        self._connect()
        self._place(tr("Earlier runs"), 940, 620)
        self.words.setFocus()
        self._choice_made()
        self.search()

    # ---- building ----------------------------------------------------------------------------

    def _make_parts(self) -> None:
        theme = self._theme
        search = tr("Search goals, notes and texts")
        self.words = LineField(theme, search, search)
        add_clear_button(self.words)
        self.outcome = self._box(tr("Outcome"), [tr(words) for words, _ in _OUTCOMES])
        self.application = self._box(tr("Application"), [tr("Any application")])
        self.time = self._box(tr("Time"), [tr(words) for words, _ in _TIMES])
        self.cost = self._box(tr("Cost"), [tr(words) for words, *_ in _COSTS])
        self.table = RunTable(theme, self)
        self.view = NamedRowsView(theme, self.table, tr("Earlier runs"), _WIDTHS, _PADDING)
        self.empty = WrappedText(theme, color="soft")
        self.empty.hide()
        self.trouble = WrappedText(theme, role="small", color="warn", lines=3)
        self.trouble.hide()
        self.open = Button(theme, tr("Show what happened"), "primary")
        self.again = Button(theme, tr("Run again"))
        self.go_on = Button(theme, tr("Continue"))
        self.export = Button(theme, tr("Export …"))
        self.delete = Button(theme, tr("Delete …"))

    def _box(self, name: str, words: list[str]) -> DropDown:
        box = DropDown(self._theme, name)
        box.addItems(words)
        box.setMaximumWidth(WIDEST)
        return box

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(18, 16, 18, 14)
        column.setSpacing(10)
        column.addWidget(self.words)
        filters = QHBoxLayout()
        filters.setSpacing(8)
        for part in (self.outcome, self.application, self.time, self.cost):
            filters.addWidget(part)
        filters.addStretch(1)
        column.addLayout(filters)
        column.addWidget(self.view, 1)
        column.addWidget(self.empty)
        column.addWidget(self.trouble)
        column.addWidget(self.note)
        foot = QHBoxLayout()
        foot.setSpacing(8)
        foot.addWidget(self.delete)
        foot.addStretch(1)
        for button in (self.export, self.again, self.go_on, self.open):
            foot.addWidget(button)
        column.addLayout(foot)

    def _connect(self) -> None:
        self.words.textChanged.connect(self._timer.start)
        for box in (self.outcome, self.application, self.time, self.cost):
            box.currentIndexChanged.connect(self.search)
        self.view.doubleClicked.connect(self.open_chosen)
        self.view.selectionModel().selectionChanged.connect(self._choice_made)
        self.view.entered.connect(self.open_chosen)
        self.view.delete_wanted.connect(self.delete.click)
        self.open.clicked.connect(self.open_chosen)
        self.again.clicked.connect(lambda: self._with_chosen(lambda run: self.actions_.run_again(run.goal)))
        self.go_on.clicked.connect(
            lambda: self._with_chosen(lambda run: self.actions_.continue_run(run.name))
        )
        self.export.clicked.connect(
            lambda: self._with_chosen(
                lambda run: open_menu(self.actions_.export_menu(run.name), self.export, above=True)
            )
        )
        self.delete.clicked.connect(
            lambda: self._with_chosen(lambda run: self.actions_.ask_to_delete(run.name, run.goal))
        )
        self.actions_.told.connect(self._tell)
        self.actions_.failed.connect(self._fail)
        self.actions_.deleted.connect(self._deleted)
        QShortcut(QKeySequence("Ctrl+F"), self).activated.connect(self.words.setFocus)
        QShortcut(QKeySequence("F5"), self).activated.connect(self.refresh)

    # ---- searching ---------------------------------------------------------------------------

    @property
    def query(self) -> RunQuery:
        """What is looked for."""
        days = _TIMES[self.time.currentIndex()][1]
        _, least, most = _COSTS[self.cost.currentIndex()]
        return RunQuery(
            words=self.words.text(),
            application=self.application.currentText() if self.application.currentIndex() > 0 else "",
            outcomes=_OUTCOMES[self.outcome.currentIndex()][1],
            since=time.time() - days * _DAY if days else None,
            least_dollars=least,
            most_dollars=most,
        )

    def refresh(self) -> None:
        """Look for runs that are new, changed or gone, then search."""
        self._fresh = False
        self.search()

    def search(self) -> None:
        """Show the runs that match: at first those that the index knows, then all."""
        if self._busy:
            self._again = True
            return
        refresh = not (self._fresh or self._first)
        self._busy, self._again, self._first = True, self._first, False
        self._fresh = self._fresh or refresh
        self._background.run(
            partial(_found, self._runs, self.query, refresh), self._show_found, self._search_failed
        )

    def _show_found(self, found: list[RunSummary]) -> None:
        self._busy = False
        chosen = self.chosen
        self.table.show_rows(found)
        self.view.choose(chosen.name if chosen is not None else "")
        self._choice_made()
        if self.query == RunQuery():
            self._offer_applications(found)
        if self._again:
            self.search()
            if not found:
                return  # what the index did not know yet is coming
        self._say_how_many(found)

    def _search_failed(self, message: str, advice: str) -> None:
        self._busy = False
        self._fail(message, advice)

    def _offer_applications(self, found: list[RunSummary]) -> None:
        """Offer the applications of all runs; the chosen one stays chosen."""
        names = sorted({name for run in found for name in run.applications}, key=str.casefold)[:_MOST_NAMES]
        if names == [self.application.itemText(n) for n in range(1, self.application.count())]:
            return
        self.application.blockSignals(True)
        while self.application.count() > 1:
            self.application.removeItem(1)
        self.application.addItems(names)
        self.application.blockSignals(False)

    def _say_how_many(self, found: list[RunSummary]) -> None:
        size = sum(run.size for run in found) / 1e6
        count = tr("1 run") if len(found) == 1 else tr("{count} runs").format(count=f"{len(found):,}")
        self._tell(f"{count}, {size:,.1f} MB" if found else "")
        nothing = self.query == RunQuery()
        self.empty.set_words(
            tr("There are no runs yet. What you have the agent do is kept here.")
            if nothing
            else tr("No run matches.")
        )
        self.empty.setVisible(not found)

    # ---- the chosen run ----------------------------------------------------------------------

    @property
    def chosen(self) -> RunSummary | None:
        """The selected run."""
        return self.view.chosen

    def _choice_made(self) -> None:
        run = self.chosen
        for part in (self.open, self.export, self.delete):
            part.setEnabled(run is not None)
        self.again.setEnabled(run is not None and bool(run.goal))
        self.go_on.setEnabled(run is not None and run.resumable)
        self.trouble.set_words(" ".join(map(tr_sentence, run.trouble)) if run is not None else "")
        self.trouble.setVisible(run is not None and bool(run.trouble))

    def _with_chosen(self, act: Callable[[RunSummary], object]) -> None:
        if (run := self.chosen) is not None:
            act(run)

    def open_chosen(self) -> None:
        """Open the player for the selected run."""
        self._with_chosen(lambda run: PlayerWindow(self._window, self._runs, run.name, self._port).show())

    def _deleted(self, name: str) -> None:
        self._tell(tr("The run {name} is deleted.").format(name=name))
        self.refresh()


def _found(runs: Path, query: RunQuery, refresh: bool) -> list[RunSummary]:
    with closing(RunIndex(runs)) as index:
        if refresh:
            index.refresh()
        return index.search(query)


def open_history(window: Window, runs_folder: Path, port: AgentPort) -> HistoryWindow:
    """Show the list of runs; the one that is open already comes to the front."""
    history = window.findChild(HistoryWindow) or HistoryWindow(window, runs_folder, port)
    history.show()
    history.raise_()
    history.activateWindow()
    return history


def open_run(window: Window, folder: Path, port: AgentPort) -> PlayerWindow:
    """Show what happened in the run in this folder, such as the one that has just ended."""
    player = PlayerWindow(window, folder.parent, folder.name, port)
    player.show()
    return player
