"""Asks the user after two stale-pixel refusals at one place, such as a film or a progress bar."""

from __future__ import annotations

from dataclasses import dataclass, field

from desktop_agent.agent.asking.approval import Approver, surroundings
from desktop_agent.protocol.agent_events import ApprovalAsked, Status
from desktop_agent.protocol.batch import Batch, Expect, OpResult, fingerprint
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.vision.observation import Observation

TIMES = 2
WORDS = "Act here although it keeps changing"
WHY = "What is at this place looks different each time I am about to act, so I cannot tell whether it is still what I meant."


@dataclass
class MovingPlaces:
    """Counts stale refusals of one place in a row, and keeps the places that the user allowed in this run."""

    _last: Expect | None = None
    _times: int = 0
    _allowed: list[Expect] = field(default_factory=list)

    def note(self, batch: Batch, results: list[OpResult]) -> None:
        """Count the stale refusals in the results of a batch."""
        for result in results:
            if result.stale:
                place = next((e for e in batch.expects if e.index == result.index and e.pixels), None)
                again = place is not None and self._last is not None and same_place(place, self._last)
                self._last, self._times = place, self._times + 1 if again else 1
            elif result.outcome == "done":
                self._last, self._times = None, 0

    def lets_pass(self, expect: Expect) -> bool:
        """True when the user allowed acting on this place whatever it shows, as long as its window is the same."""
        return any(same_place(expect, each) for each in self._allowed)

    def ask(self, approver: Approver, observation: Observation, stop: StopFlag) -> bool | None:
        """The user's answer when one place was refused twice in a row after fresh looks; None when it was not.

        Raises Stopped.
        """
        place = self._last
        if place is None or self._times < TIMES:
            return None
        self._last, self._times = None, 0
        yes = decide(place, approver, observation, stop)
        if yes:
            self._allowed.append(place)
        return yes


def decide(place: Expect, approver: Approver, observation: Observation, stop: StopFlag) -> bool:
    """Ask the user whether to act on a place that keeps changing; waits for the answer. Raises Stopped."""
    picture, mark = surroundings(observation.frame, place.at)
    at = place.at or place.patch.center
    asked = ApprovalAsked(
        id=fingerprint(place.windows, place.patch, place.pixels),
        words=WORDS,
        exact=(f"click at {at.x},{at.y}",),
        window=observation.window,
        why=WHY,
        lasting=False,
        picture=picture,
        at=mark,
    )
    approver.emit(Status(state="waiting_for_user", detail="May I?"))
    approver.emit(asked)
    return approver.inbox.wait_for_decision(asked.id, stop) != "skip"


def same_place(one: Expect, other: Expect) -> bool:
    """Are both in the same window, and each within the other's compared patch?"""
    if one.windows != other.windows or one.at is None or other.at is None:
        return False
    return one.patch.contains(other.at) and other.patch.contains(one.at)
