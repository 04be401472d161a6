"""The table of runs: one row a run, with words for each column; and the search that fills it."""

from __future__ import annotations

import time
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from desktop_agent.history.playback import clock
from desktop_agent.history.run_summary import OUTCOME_WORDS, RunSummary, cost_of
from desktop_agent.support.language import later, tr, tr_sentence
from desktop_agent.support.terminal_text import one_line
from desktop_agent.ui.widgets.theme import Theme
from desktop_agent.ui.widgets.wrapped_text import tool_tip_text

COLUMNS = (
    later("When"), later("Goal"), later("Outcome"), later("Duration"), later("Steps"), later("Cost"),
    later("Applications"),
)  # fmt: skip
GOAL, OUTCOME, APPLICATIONS = 1, 2, 6
TONES = {
    "verified": "ok", "said": "ok", "unchecked": "warn", "answered": "ok", "stopped": "stop", "error": "stop", "cut": "warn",
    "under_way": "accent", "unreadable": "stop",
}  # fmt: skip
_NUMBERS = (3, 4, 5)
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
Index = QModelIndex | QPersistentModelIndex


class RunTable(QAbstractTableModel):
    """The model of the list: `runs` in the order they are shown."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.runs: list[RunSummary] = []

    def show_runs(self, runs: list[RunSummary]) -> None:
        """Show other runs; nothing is touched where they are the same."""
        if runs != self.runs:
            self.beginResetModel()
            self.runs = runs
            self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self.runs)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return tr(COLUMNS[section])
        if role == Qt.ItemDataRole.TextAlignmentRole and section in _NUMBERS:
            return _RIGHT
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        run = self.runs[index.row()]
        column = index.column()
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return _words(run, column)
            case Qt.ItemDataRole.ToolTipRole:
                return tool_tip_text(_about(run, column))
            case Qt.ItemDataRole.AccessibleTextRole:
                return f"{tr(COLUMNS[column])}: {_words(run, column)}"
            case Qt.ItemDataRole.ForegroundRole if column == OUTCOME:
                return self._theme.color(TONES[run.outcome])
            case Qt.ItemDataRole.ForegroundRole if column != GOAL:
                return self._theme.color("soft")
            case Qt.ItemDataRole.TextAlignmentRole if column in _NUMBERS:
                return _RIGHT
        return None


def _words(run: RunSummary, column: int) -> str:
    match column:
        case 0:
            return when(run.started)
        case 1:
            return one_line(run.goal, 300) or tr("(no goal that can be read)")
        case 2:
            return f"{tr(OUTCOME_WORDS[run.outcome])}{' ⚠' if run.trouble else ''}"
        case 3:
            return clock(run.seconds)
        case 4:
            return str(run.steps)
        case 5:
            return cost_of(run)
    return one_line(", ".join(run.applications), 200)


def _about(run: RunSummary, column: int) -> str:
    if column == OUTCOME and run.trouble:
        return "\n".join(map(tr_sentence, run.trouble))
    if column == GOAL:
        return run.goal
    return ", ".join(run.applications) if column == APPLICATIONS else _words(run, column)


def when(started: float) -> str:
    """The time a run began, in this place's time; "–" where nothing tells it."""
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(started)) if started else "–"
