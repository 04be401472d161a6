"""Adds up what a run costs: tokens and money of each step and of the whole run."""

from __future__ import annotations

from dataclasses import dataclass, field

import msgspec

from desktop_agent.llm.base import TokenUsage
from desktop_agent.protocol.agent_events import Spent, Usage


@dataclass
class Bill:
    """The sums of one run."""

    _run: Spent = field(default_factory=Spent)
    _step: Spent = field(default_factory=Spent)
    _turn: int = 0

    def add(self, usage: TokenUsage, turn: int, max_turns: int) -> Usage:
        """Add one call of the model in turn `turn`; returns the totals so far."""
        self._step = added(self._step if turn == self._turn else Spent(), usage)
        self._run, self._turn = added(self._run, usage), turn
        return self._totals(max_turns)

    def restore(self, spent: Spent, turn: int, max_turns: int) -> Usage:
        """Begin with what was spent before this turn; returns that."""
        self._run, self._turn = spent, turn
        return self._totals(max_turns)

    def _totals(self, max_turns: int) -> Usage:
        return Usage(
            step=self._turn,
            max_steps=max_turns,
            this_step=self._step,
            **msgspec.structs.asdict(self._run),
        )


def added(spent: Spent, usage: TokenUsage) -> Spent:
    """The sum; a call whose price is not known makes its money incomplete, it never counts as free."""
    known = usage.dollars is not None
    return Spent(
        input_tokens=spent.input_tokens + usage.input,
        cached_tokens=spent.cached_tokens + usage.cached,
        written_tokens=spent.written_tokens + usage.written,
        output_tokens=spent.output_tokens + usage.output,
        dollars=(spent.dollars or 0.0) + (usage.dollars or 0.0) if known else spent.dollars,
        dollars_complete=spent.dollars_complete and known,
    )
