"""The limits of a run (turns, empty or repeated replies) and the tokens and dollars it has used."""

from __future__ import annotations

from dataclasses import dataclass, field

import msgspec

from desktop_agent.agent.bill import Bill
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
    bill: Bill = field(default_factory=Bill)
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
        """Add one call's tokens and money; returns the running totals."""
        return self.bill.add(usage, turn, self.max_turns)


_STUCK = "I tried the same thing several times and the screen did not change. How shall I go on?"
_SILENT = "I do not know what to do next. Can you tell me more?"
