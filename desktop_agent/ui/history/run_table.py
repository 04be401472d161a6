"""The table of runs: one row a run, with words for each column."""

from __future__ import annotations

import time

from desktop_agent.history.run_story import clock
from desktop_agent.history.run_summary import OUTCOME_WORDS, RunSummary, cost_of
from desktop_agent.support.language import later, tr, tr_sentence
from desktop_agent.support.terminal_text import one_line
from desktop_agent.ui.widgets.named_rows import NamedRows

_GOAL, _OUTCOME, _APPLICATIONS = 1, 2, 6
TONES = {
    "verified": "ok", "said": "ok", "unchecked": "warn", "answered": "ok", "stopped": "stop", "error": "stop", "cut": "warn",
    "under_way": "accent", "unreadable": "stop",
}  # fmt: skip


class RunTable(NamedRows[RunSummary]):
    """The model of the list of runs."""

    columns = (
        later("When"), later("Goal"), later("Outcome"), later("Duration"), later("Steps"), later("Cost"),
        later("Applications"),
    )  # fmt: skip
    numbers = (3, 4, 5)
    widest = _GOAL

    def words(self, row: RunSummary, column: int) -> str:
        match column:
            case 0:
                return when(row.started)
            case 1:
                return one_line(row.goal, 300) or tr("(no goal that can be read)")
            case 2:
                return f"{tr(OUTCOME_WORDS[row.outcome])}{' ⚠' if row.trouble else ''}"
            case 3:
                return clock(row.seconds)
            case 4:
                return str(row.steps)
            case 5:
                return cost_of(row)
        return one_line(", ".join(row.applications), 200)

    def about(self, row: RunSummary, column: int) -> str:
        if column == _OUTCOME and row.trouble:
            return "\n".join(map(tr_sentence, row.trouble))
        if column == _GOAL:
            return row.goal
        return ", ".join(row.applications) if column == _APPLICATIONS else self.words(row, column)

    def tone(self, row: RunSummary, column: int) -> str:
        return TONES[row.outcome] if column == _OUTCOME else "" if column == _GOAL else "soft"


def when(started: float) -> str:
    """The time a run began, in this place's time; "–" where nothing tells it."""
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(started)) if started else "–"
