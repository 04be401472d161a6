"""How it goes is told in one line on a terminal, and in plain lines elsewhere; texts reach neither as commands."""

from __future__ import annotations

import io

from desktop_agent.extras.fleet.dispatcher import Counts
from desktop_agent.extras.fleet.fleet_folder import GoalResult
from desktop_agent.extras.fleet.goals_file import FleetGoal
from desktop_agent.extras.fleet.progress import FleetProgress

DONE, BAD = (
    GoalResult("a", "a", 0, 61.0, "n1", 1, "fine"),
    GoalResult("b", "b", 4, 1.0, "n1", 1, "\x1b[2Jno\nfaked"),
)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def told(out: io.StringIO) -> str:
    now = iter(range(0, 10_000, 50))
    progress = FleetProgress(out, lambda: float(next(now)))
    progress.looked(Counts(0, 0, 2, 1))
    progress.ended(DONE, Counts(1, 0, 1, 1))
    progress.lost(FleetGoal("c", "c", "c"), "n2", "it died", Counts(1, 0, 0, 2))
    progress.ended(BAD, Counts(1, 1, 0, 1))
    progress.close()
    return out.getvalue()


def test_lines_where_nobody_watches() -> None:
    text = told(io.StringIO())
    first, second, third = text.splitlines()
    assert "a (1:01, n1): fine" in first and "c (n2): it died" in second and "b (exit code 4, n1)" in third
    assert "\x1b" not in text and "‹ESC›" in third


def test_one_line_on_a_terminal() -> None:
    text = told(Terminal())
    assert "\r\x1b[K1 done, 0 failed, 1 running, 1 left, 1:40" in text and "fine" not in text
    assert "failed b (exit code 4, n1): ‹ESC›[2Jno" in text and text.count("\n") == 3
