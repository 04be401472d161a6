"""Tells how a fleet goes: one line that changes on a terminal, a line for each end elsewhere."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from typing import TextIO

from desktop_agent.extras.fleet.dispatcher import Counts, Told
from desktop_agent.extras.fleet.fleet_folder import GoalResult
from desktop_agent.extras.fleet.goals_file import FleetGoal
from desktop_agent.support.terminal_text import one_line

_LONGEST = 200


class FleetProgress(Told):
    """Writes to `out`; what goals and models say reaches a terminal as visible text only."""

    def __init__(self, out: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._out, self._clock = out, clock
        self._began = clock()
        self._lasting = out.isatty()
        self._shown = ""

    def ended(self, result: GoalResult, counts: Counts) -> None:
        """A line where nobody watches, and for what failed."""
        if result.exit_code == 0:
            if not self._lasting:
                self._line(
                    f"done    {result.id} ({_seconds(result.seconds)}, {result.node}): {result.summary}"
                )
        else:
            words = f"failed  {result.id} (exit code {result.exit_code}, {result.node}): {result.summary}"
            self._line(words)
        self.looked(counts)

    def lost(self, goal: FleetGoal, node: str, why: str, counts: Counts) -> None:
        """A line."""
        self._line(f"lost    {goal.id} ({node}): {why}")
        self.looked(counts)

    def looked(self, counts: Counts) -> None:
        """On a terminal the line of figures, where it has changed."""
        words = f"{words_of(counts)}, {_seconds(self._clock() - self._began)}"
        if self._lasting and words != self._shown:
            self._shown = words
            self._out.write(f"\r\x1b[K{words[: shutil.get_terminal_size().columns - 1]}")
            self._out.flush()

    def close(self) -> None:
        """Leave the line of figures as it is."""
        if self._shown:
            self._out.write("\n")
            self._out.flush()
        self._shown = ""

    def _line(self, words: str) -> None:
        start = "\r\x1b[K" if self._shown else ""
        self._shown = ""
        self._out.write(f"{start}{one_line(words)[:_LONGEST].rstrip()}\n")
        self._out.flush()


def words_of(counts: Counts) -> str:
    """The figures in words."""
    return f"{counts.done} done, {counts.failed} failed, {counts.running} running, {counts.left} left"


def _seconds(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02d}:{rest:02d}" if minutes >= 60 else f"{minutes}:{rest:02d}"
