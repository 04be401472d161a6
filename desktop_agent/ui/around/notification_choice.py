"""Decides when the user is notified, and in which words: only of what they cannot see, and never of any content."""

from __future__ import annotations

from typing import NamedTuple

from desktop_agent.protocol.agent_events import State
from desktop_agent.support.language import later
from desktop_agent.ui.view_model import RunView


class Notice(NamedTuple):
    """What a notification says, in English: fixed words of ours, so that none can hold a secret or what is on the screen."""

    title: str
    text: str


APPROVAL = Notice(later("The agent asks before it acts"), later("It waits for your yes or no in its window."))
QUESTION = Notice(later("The agent has a question"), later("It waits for your answer in its window."))
ANSWERED = Notice(later("The agent has answered"), later("Its answer is in its window."))
ENDS: dict[State, Notice] = {
    "done": Notice(later("The run is done"), later("What it did is in its window.")),
    "stopped": Notice(later("The run was stopped"), later("Nothing is held down any more.")),
    "error": Notice(later("The run has failed"), later("What went wrong is in its window.")),
}


class NotificationChoice:
    """Remembers what has been told: each question and each end is told once."""

    def __init__(self) -> None:
        self._asked: object = None
        self._worked = False

    def of(self, view: RunView, in_sight: bool) -> Notice | None:
        """What the user is to be told now that the view is like this; None while they can see it, or know it."""
        asked = view.approval or view.question
        new = asked is not None and asked is not self._asked
        ended = self._worked and not view.working
        self._asked, self._worked = asked, view.working
        if in_sight:
            return None
        if new:
            return APPROVAL if view.approval is not None else QUESTION
        if not ended:
            return None
        return ANSWERED if view.state == "done" and view.answered else ENDS.get(view.state)
