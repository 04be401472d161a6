"""The limits of a run (turns, empty or repeated replies) and the tokens and dollars it has used."""

from __future__ import annotations

from dataclasses import dataclass, field

import msgspec

from desktop_agent.llm.base import TokenUsage
from desktop_agent.protocol.agent_events import Usage
from desktop_agent.protocol.errors import DesktopAgentError
from desktop_agent.protocol.reply import Reply


class LimitReached(DesktopAgentError):
    """The run used up its turns or its time."""


@dataclass
class Budget:
    """Counts one run: at most `max_turns` turns, and `max_repeats` times the same reply on an unchanged screen."""

    max_turns: int
    max_repeats: int = 3
    _total: TokenUsage = field(default_factory=TokenUsage)
    _last: tuple[bytes, str] = (b"", "")
    _repeats: int = 0

    def check_turn(self, turn: int) -> None:
        """Raise LimitReached when the run has had its turns."""
        if turn > self.max_turns:
            raise LimitReached(
                f"The limit of {self.max_turns} steps is reached.",
                "Raise --max-steps or give a smaller goal.",
            )

    def stuck(self, reply: Reply, screen: str) -> str:
        """A question for the user when the run repeats itself without effect; "" when it does not.

        `screen` is the frame's digest. Waiting and looking may repeat as often as they like.
        """
        if reply.actions and all(op.traits.passive for op in reply.actions):
            return ""
        now = (msgspec.json.encode(reply.actions), screen if reply.actions else "")
        self._repeats = self._repeats + 1 if now == self._last else 1
        self._last = now
        if self._repeats < self.max_repeats:
            return ""
        return _STUCK if reply.actions else _SILENT

    def forgive(self) -> None:
        """The user said something: start counting repeats afresh."""
        self._last, self._repeats = (b"", ""), 0

    def spend(self, usage: TokenUsage, turn: int) -> Usage:
        """Add one call's tokens; returns the running totals."""
        self._total = TokenUsage(
            input=self._total.input + usage.input,
            cached=self._total.cached + usage.cached,
            output=self._total.output + usage.output,
            dollars=_sum(self._total.dollars, usage.dollars),
        )
        return Usage(
            step=turn,
            max_steps=self.max_turns,
            input_tokens=self._total.input,
            cached_tokens=self._total.cached,
            output_tokens=self._total.output,
            dollars=self._total.dollars,
        )


def _sum(one: float | None, other: float | None) -> float | None:
    return None if one is None and other is None else (one or 0.0) + (other or 0.0)


_STUCK = "I tried the same thing several times and the screen did not change. How shall I go on?"
_SILENT = "I do not know what to do next. Can you tell me more?"
