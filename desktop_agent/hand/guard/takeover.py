"""Takeover: input that the hand did not make ends the batch under way, and the brain is told to pause.

It counts while the brain has armed it: from the first batch of a run until the human is asked
something, has paused, or the run is over. Each armed period has a number (`Word.ARMED`); the guard
answers a takeover by writing that number into `Word.TAKEN`, which the hand reads before each event.
"""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable
from typing import Literal, TypeAlias

from desktop_agent.hand.injector.bounds import SLACK
from desktop_agent.hand.ipc.shared_block import Shared, Word

Means: TypeAlias = Literal["mouse", "keyboard"]
Point: TypeAlias = tuple[float, float]

# Seconds without human input before a batch begins, and how long to wait for them.
STILL = 0.3
PATIENCE = 10.0
# A device that rested this long has a new place to rest.
REST = 0.5
_SLICE = 0.02


class Takeover:
    """The guard's judgement. `ours(means)` says whether the input goes to a window of the brain's."""

    def __init__(self, shared: Shared, tell: Callable[[str], None], ours: Callable[[Means], bool]) -> None:
        self._shared = shared
        self._tell = tell
        self._ours = ours

    def seen(self, means: Means) -> None:
        """The human pressed, scrolled, or moved farther than a resting hand does."""
        self._shared.beat(Word.HUMAN_TIME)
        period = self._shared[Word.ARMED]
        if not period or period == self._shared[Word.TAKEN] or self._shared.stopped:
            return
        if not self._shared[Word.BUSY] and self._ours(means):
            return  # talking to us is not taking over
        self._shared[Word.TAKEN] = period
        self._tell(f"takeover {means} {period}")


class Turns:
    """The brain's side: whose turn it is. `stopped` is set by every stop and wakes the waiting."""

    def __init__(self, stopped: threading.Event, *, wanted: bool) -> None:
        self._stopped = stopped
        self._wanted = wanted
        self._periods = itertools.count(1)

    def begin(self, shared: Shared) -> bool:
        """Before a batch: wait until the human is still, then arm. False when the human is not within PATIENCE."""
        end = time.monotonic() + PATIENCE
        while self._wanted and not shared.stopped and not _taken(shared):
            if _still(shared):
                shared[Word.ARMED] = shared[Word.ARMED] or next(self._periods)
                if _still(shared) or _taken(shared):
                    break
            self.stand_down(shared)
            if time.monotonic() > end:
                return False
            self._stopped.wait(_SLICE)
        return True

    def stand_down(self, shared: Shared) -> None:
        """Until the next batch begins, the human's input is no takeover; one that was is over."""
        shared[Word.ARMED] = 0


def _still(shared: Shared) -> bool:
    return shared.age(Word.HUMAN_TIME) >= STILL


def _taken(shared: Shared) -> bool:
    return shared[Word.ARMED] != 0 and shared[Word.ARMED] == shared[Word.TAKEN]


class Movement:
    """How far a pointing device is from where it last rested, in pixels; `place` is where it is, if known."""

    def __init__(self, place: Point | None = None) -> None:
        self._place = self._rest = place
        self._moved_at = float("-inf")

    def to(self, x: float, y: float, now: float) -> bool:
        """It is at x, y (`now` in seconds); true when that is farther than a resting hand trembles, or unknown."""
        if now - self._moved_at > REST:
            self._rest = self._place
        self._place, self._moved_at = (x, y), now
        return self._rest is None or max(abs(x - self._rest[0]), abs(y - self._rest[1])) > SLACK

    def by(self, x: float, y: float, now: float) -> bool:
        """It moved by x, y; true as in `to`."""
        was = self._place or (0.0, 0.0)
        self._place = self._place or was
        self._rest = self._rest or was
        return self.to(was[0] + x, was[1] + y, now)
