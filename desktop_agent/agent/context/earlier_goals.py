"""Keeps what was said in the last runs of a session, for the model of the next run.

It grants nothing and is nobody's order: what a run may do follows from its own goal alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from desktop_agent.policy.facts.place import Subject
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.agent_events import FeedEvent
from desktop_agent.redaction.redactor import outdated
from desktop_agent.vision.elements.describe import one_line

MOST_GOALS = 5
MOST_CHARACTERS = 4_000
"""Characters of all that is told of them: the newest first, what does not fit is left out."""
_WORDS, _ENDING = 600, 1_000
_MOST_SAID, _MOST_SPOKEN = 4, 3


@dataclass
class EarlierGoal:
    """One run: `said` by the user, `spoken` by the agent, how it `ended`, and the `sources` that it had read."""

    by: str = ""
    said: list[str] = field(default_factory=list)
    spoken: list[str] = field(default_factory=list)
    ended: str = ""
    sources: frozenset[Subject] = frozenset()

    @property
    def told(self) -> str:
        """The run in a few lines; without the secrets of its goal, which name nothing any more."""
        said = [
            f"The user said: {one_line(each, _WORDS)}"
            for each in (self.said[:1] + self.said[1:][-_MOST_SAID:])
        ]
        spoken = [f"You said: {one_line(each, _WORDS)}" for each in self.spoken[-_MOST_SPOKEN:]]
        ended = one_line(self.ended or "It was cut short.", _ENDING)
        return outdated("\n".join((*said, *spoken, ended)))


class EarlierGoals:
    """Follows the events of a session. `forget` may be called from any thread, all else from the agent's."""

    def __init__(self) -> None:
        self._ended: tuple[EarlierGoal, ...] = ()
        self._now: EarlierGoal | None = None

    def hear(self, event: FeedEvent) -> None:
        """Take in one event of a run."""
        if isinstance(event, say.Goal):
            self._now = self._now or EarlierGoal(event.by)
            if not event.by:
                self._now.said.append(event.text)
        elif (run := self._now) is not None:
            self._follow(run, event)

    def _follow(self, run: EarlierGoal, event: FeedEvent) -> None:
        match event:
            case say.Note(text=text) | say.Question(text=text):
                run.spoken.append(text)
            case say.GoalReached():
                run.ended = f"{ended_as(event)} {event.summary}"
            case say.Error():
                run.ended = f"It ended with an error: {event.message}"
            case say.Status(state="stopped"):
                run.ended = f"It was stopped: {event.detail}" if event.detail else "It was stopped."

    def end(self, sources: Iterable[Subject]) -> None:
        """The run has ended, having read these. One that a program has begun is no part of the user's conversation."""
        run, self._now = self._now, None
        if run is not None and not run.by:
            run.sources = frozenset(sources)
            self._ended = (*self._ended, run)[-MOST_GOALS:]

    def forget(self) -> None:
        """A new conversation begins."""
        self._ended = ()

    def account(self) -> tuple[str, frozenset[Subject]]:
        """The last runs as the next one is told them, the oldest first, and all sources that they had read; "" for none."""
        told: list[str] = []
        sources: frozenset[Subject] = frozenset()
        for run in reversed(self._ended):
            if sum(map(len, (*told, run.told))) > MOST_CHARACTERS and told:
                break
            told.insert(0, run.told[:MOST_CHARACTERS])
            sources |= run.sources
        return "\n\n".join(told), sources


def ended_as(event: say.GoalReached) -> str:
    """How sure it is that a goal was reached, in a few words for the model."""
    if event.answered:
        return "It was answered in words; nothing was done:"
    if event.verdict == "verified":
        return "It was done, and checked:"
    return (
        "The user said that it is done:" if event.said_by_user else "It was said to be done, but not checked:"
    )
