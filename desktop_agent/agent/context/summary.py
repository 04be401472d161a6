"""Shortens a conversation that has grown beyond what its model is given at once, and keeps the content of a view that was closed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from desktop_agent.agent.context.context import Context
from desktop_agent.agent.prompting.untrusted_blocks import Boundary
from desktop_agent.agent.runlog.publisher import Feed
from desktop_agent.llm.base import Model, Support, TokenUsage
from desktop_agent.protocol.chat_messages import Message, words_of
from desktop_agent.protocol.errors import ModelError
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.redaction.redactor import redactor
from desktop_agent.support import resources

PATIENCE = 1.2
"""After a summary that came to nothing the next try is made when the conversation is so many times as long."""
FULL = 0.7
"""The share of the model's window that a call may fill where no limit of tokens is set."""
ROOM = 0.75
"""The share of the limit that is left of a conversation whose oldest turns are dropped: it is not done in every turn."""
HARD = 4
"""So many times the limit, and the beginning is dropped, whatever was to be done instead."""


LINES = 40
"""What is shorter is read as quickly as its summary."""
_MOST = 800
Summarize: TypeAlias = Callable[[str, StopFlag], str]


@dataclass
class Shortener:
    """Keeps one run's conversation within the limits of its model.

    `spend(usage)` is told what a summary cost.
    """

    model: Model
    context: Context
    feed: Feed
    spend: Callable[[TokenUsage], None]
    _wait_until: float = 0.0

    def shorten(self, system: str, opening: tuple[Message, ...], tokens: int, stop: StopFlag) -> bool:
        """Shorten the conversation where it is too long; true when that was done.

        `opening` are the messages before the conversation, which always stay; `tokens` is the size of the last
        call, 0 when it is not known. Raises StoreError, Stopped.
        """
        support, words = self.model.support, self.context.words
        limits, excess = support.context, _excess(support, words, tokens)
        if excess <= 1:
            return False
        if limits.strategy == "truncate" or excess > HARD:
            self.context.truncate(limits.keep)
            return True
        if limits.strategy == "provider" or words < self._wait_until:
            return False
        if not support.questions:
            self.context.truncate(limits.keep)
            return True
        summary = self._summary(system, opening, stop)
        if not summary:
            self._wait_until = words * PATIENCE
            return False
        self.context.summarize(summary, limits.keep)
        return True

    def drop_turns(self, tokens: int) -> None:
        """Drop the oldest whole turns of a conversation that is too long, until it is not; `tokens` as in `shorten`.

        What the user said stays. Raises StoreError.
        """
        excess = _excess(self.model.support, self.context.words, tokens)
        if excess > 1:
            self.context.drop_turns(int(self.context.words / excess * ROOM))

    def _summary(self, system: str, opening: tuple[Message, ...], stop: StopFlag) -> str:
        """The model's summary of the whole conversation; "" when it is empty, cut off, or could not be had."""
        request = words_of(resources.text("prompts", "summary.md"), "user")
        try:
            spoken = self.model.ask(system, (*opening, *self.context.messages, request), stop=stop)
        except ModelError as error:
            self.feed.record("no_summary", {"reason": str(error)})
            return ""
        self.spend(spoken.usage)
        self.feed.record("spoken", {"purpose": "summary", "raw": spoken.text})
        return redactor().clean(spoken.text.strip())


def _excess(support: Support, words: int, tokens: int) -> float:
    """How many times as long as it may be the conversation is."""
    limits = support.context
    most = limits.tokens or FULL * support.context_tokens
    return max(words / limits.words, tokens / most if most else 0.0)


def summary_by(model: Model, feed: Feed, spend: Callable[[TokenUsage], None]) -> Summarize | None:
    """What sums up a view of at least LINES lines, "" for a shorter one or without an answer; None for a model that answers no questions."""
    if not model.support.questions:
        return None
    boundary = Boundary()
    system = resources.text("prompts", "view_summary.md").replace("{mark}", boundary.mark)

    def summarize(view: str, stop: StopFlag) -> str:
        if view.count("\n") < LINES:
            return ""
        try:
            spoken = model.ask(
                system, (words_of(redactor().clean(boundary.block("view", view)), "user"),), stop=stop
            )
        except ModelError as error:
            feed.record("no_summary", {"reason": str(error)})
            return ""
        spend(spoken.usage)
        feed.record("spoken", {"purpose": "view", "raw": spoken.text})
        return redactor().clean(" ".join(spoken.text.split()))[:_MOST]

    return summarize
