"""The limits of a run (turns, time, tokens, money), the bill of what it has used of them, and the question to the user at each limit."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import msgspec

from desktop_agent.agent.inbox import Inbox
from desktop_agent.llm.base import TokenUsage
from desktop_agent.protocol.agent_events import Spent, Usage
from desktop_agent.protocol.errors import DesktopAgentError
from desktop_agent.support.config import AgentSettings

GO_ON, STOP_HERE = "Go on", "Stop here"
_LEAST_SECONDS = 0.05


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


class LimitReached(DesktopAgentError):
    """The run used up its turns, its time, its tokens or its money, and the user did not want it to go on."""


class RunTime:
    """The seconds a run has worked: what it waited for the user does not count.

    `on_over` is called, from a thread of its own, when `limit` seconds are used up, and again after each `extend`.
    """

    def __init__(self, limit: float, inbox: Inbox, on_over: Callable[[], None]) -> None:
        self._limit = self._allowed = limit
        self._inbox, self._on_over = inbox, on_over
        self._began, self._waited = time.monotonic(), inbox.waited
        self._timer: threading.Timer | None = None
        self._closed = False

    @property
    def limit(self) -> float:
        """Seconds that were given at first; an extension gives as many again."""
        return self._limit

    @property
    def left(self) -> float:
        """Seconds until the limit; not positive when it is reached."""
        used = time.monotonic() - self._began - (self._inbox.waited - self._waited)
        return self._allowed - used

    def start(self) -> None:
        """Watch the time from now on."""
        self._arm()

    def extend(self) -> None:
        """Give as much time again, from now on."""
        self._allowed += self._limit - min(0.0, self.left)
        self._arm()

    def close(self) -> None:
        """Watch no more."""
        self._closed = True
        if self._timer is not None:
            self._timer.cancel()

    def _arm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if not self._closed:
            self._timer = threading.Timer(max(self.left, _LEAST_SECONDS), self._fire)
            self._timer.daemon = True
            self._timer.start()

    def _fire(self) -> None:
        if self.left > 0:
            self._arm()
        elif not self._closed:
            self._on_over()


@dataclass
class Budget:
    """Counts one run: at most the steps (turns), tokens and dollars of `limits`, and the seconds of `time`."""

    limits: AgentSettings
    time: RunTime | None = None
    bill: Bill = field(default_factory=Bill)
    _turns: int = field(init=False)
    _tokens: int = field(init=False)
    _dollars: float = field(init=False)
    _unpriced: bool = False
    _spent: Usage = field(default_factory=lambda: Usage(step=0, max_steps=0))
    _last: TokenUsage = field(default_factory=TokenUsage)

    def __post_init__(self) -> None:
        limits = self.limits
        self._turns, self._tokens, self._dollars = limits.max_steps, limits.max_tokens, limits.max_dollars

    def reached(self, turn: int) -> str:
        """The limit that one more call in this turn would pass, in words; "" for none. It is taken to cost what the last did."""
        if turn > self._turns:
            return f"The limit of {self.limits.max_steps} steps is reached."
        if self.time is not None and self.time_is_over:
            return f"The limit of {self.time.limit:g} s is reached."
        if self.limits.max_tokens and self._next_tokens > self._tokens:
            return f"The limit of {self.limits.max_tokens} tokens is reached."
        return self._of_money()

    @property
    def time_is_over(self) -> bool:
        """Have the seconds been used up?"""
        return self.time is not None and self.time.left <= 0

    @property
    def _next_tokens(self) -> int:
        """All tokens after one more call."""
        last = self._last.input + self._last.output
        return self._spent.input_tokens + self._spent.output_tokens + last

    @property
    def _next_dollars(self) -> float:
        return (self._spent.dollars or 0.0) + (self._last.dollars or 0.0)

    def _of_money(self) -> str:
        if not self.limits.max_dollars or self._last == TokenUsage():
            return ""
        if self._last.dollars is None:
            limit = f"the limit of ${self.limits.max_dollars:g} cannot be kept"
            return "" if self._unpriced else f"What this model costs is not known, so {limit}."
        over = self._next_dollars > self._dollars
        return f"The limit of ${self.limits.max_dollars:g} is reached." if over else ""

    def extend(self, turn: int) -> None:
        """The user said to go on: as much again of whatever is used up."""
        if turn > self._turns:
            self._turns += self.limits.max_steps
        if self.time is not None and self.time_is_over:
            self.time.extend()
        if self.limits.max_tokens and self._next_tokens > self._tokens:
            self._tokens = self._next_tokens + self.limits.max_tokens
        if self._of_money():
            self._unpriced |= self._last.dollars is None
            self._dollars = self._next_dollars + self.limits.max_dollars

    def restore(self, spent: Spent, last: TokenUsage, turn: int) -> None:
        """Go on from what a run that was cut short had spent in all, and in its last call."""
        self._last = last
        self._spent = self.bill.restore(spent, turn, self._turns)

    def spend(self, usage: TokenUsage, turn: int) -> Usage:
        """Add one call's tokens and money; returns the running totals."""
        self._last = usage
        self._spent = self.bill.add(usage, turn, self._turns)
        return self._spent
