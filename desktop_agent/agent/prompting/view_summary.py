"""Asks a model what a view that was just opened holds, so that the conversation keeps that when the view is gone."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from desktop_agent.agent.prompting.untrusted_blocks import Boundary
from desktop_agent.agent.runlog.publisher import Feed
from desktop_agent.llm.base import Model, TokenUsage
from desktop_agent.protocol.chat_messages import words_of
from desktop_agent.protocol.errors import ModelError
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.redaction.redactor import redactor
from desktop_agent.support import resources

LINES = 40
"""What is shorter is read as quickly as its summary."""
_MOST = 800

Summarize: TypeAlias = Callable[[str, StopFlag], str]


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
