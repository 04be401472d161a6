"""What the list of runs tells of one: when, what for, how it ended, how long, how much, and where."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from desktop_agent.agent.bill_words import money
from desktop_agent.history.logged_run import folder_size
from desktop_agent.history.run_story import RunOutcome, Story, read_story
from desktop_agent.protocol.agent_events import Spent
from desktop_agent.redaction.redactor import redactor
from desktop_agent.support.language import later

OUTCOME_WORDS: dict[RunOutcome, str] = {
    "verified": later("Done"),
    "said": later("Done, as you said"),
    "unchecked": later("Done, not checked"),
    "answered": later("Answered"),
    "stopped": later("Stopped"),
    "error": later("Failed"),
    "cut": later("Cut short"),
    "under_way": later("Under way"),
    "unreadable": later("Unreadable"),
}
MOST_TEXT = 60_000
"""Characters of a run's texts that can be searched."""


class RunSummary(msgspec.Struct, frozen=True):
    """One run of the list; `started` in seconds since the epoch, `size` in bytes of all its files.

    `dollars` is None where no price is known, and a lower bound unless `dollars_complete`. `trouble` says what is
    wrong with its log, and `resumable` whether the run can go on.
    """

    name: str
    goal: str
    started: float
    seconds: float
    outcome: RunOutcome
    steps: int
    actions: int
    tokens: int
    dollars: float | None
    dollars_complete: bool
    applications: tuple[str, ...]
    size: int
    trouble: tuple[str, ...]
    resumable: bool


def summarize(folder: Path) -> tuple[RunSummary, str]:
    """What the list tells of the run in this folder, and the text in which words are searched. Never raises."""
    story = read_story(folder)
    return summary_of(story, folder_size(folder)), searched_text(story)


def summary_of(story: Story, size: int) -> RunSummary:
    """What the list tells of a story."""
    usage = story.usage
    return RunSummary(
        name=story.name,
        goal=story.goal[:1_000],
        started=story.started,
        seconds=max(0.0, story.ended - story.started),
        outcome=story.outcome,
        steps=story.turns,
        actions=story.actions,
        tokens=usage.input_tokens + usage.output_tokens if usage else 0,
        dollars=usage.dollars if usage else None,
        dollars_complete=usage.dollars_complete if usage else True,
        applications=story.applications,
        size=size,
        trouble=story.trouble,
        resumable=story.can_continue,
    )


def cost_of(run: RunSummary) -> str:
    """What it cost, as in `$0.12` or `at least $0.12`; "" when nothing was used."""
    spent = Spent(input_tokens=run.tokens, dollars=run.dollars, dollars_complete=run.dollars_complete)
    return money(spent)


def searched_text(story: Story) -> str:
    """Goal, words, notes, what was done and typed, and titles, cut to MOST_TEXT characters."""
    return redactor().clean("\n".join(_texts(story))[:MOST_TEXT])


def _texts(story: Story) -> Iterator[str]:
    yield story.goal
    yield from story.applications
    yield from story.titles
    for each in story.moments:
        yield each.words
        yield from filter(None, (each.exact, each.detail, *(receipt.detail for receipt in each.receipts)))
