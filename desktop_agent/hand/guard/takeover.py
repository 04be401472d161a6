"""Detects a takeover: human input during a run ends the batch under way and tells the brain to pause.

It counts while the brain has armed it: from the first batch of a run until the human is asked
something, has paused, or the run is over. Each armed period has a number (`Word.ARMED`); the guard
answers a takeover by writing that number into `Word.TAKEN`, which the hand reads before each event.
"""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable

from desktop_agent.hand.ipc.shared_block import Shared, Word
from desktop_agent.platforms.base import MEANS, Means

# Seconds without human input before a batch begins, and how long to wait for them.
STILL = 0.3
PATIENCE = 10.0
_SLICE = 0.02


class Takeover:
    """The guard's judgement of the human's input: a HumanSink. `tell` gets the guard's word of a takeover."""

    def __init__(self, shared: Shared, tell: Callable[[str], None]) -> None:
        self._shared = shared
        self._tell = tell
        self._judging = threading.Lock()

    @property
    def holding_button(self) -> bool:
        """Does the hand hold a button down, as in a drag?"""
        return self._shared[Word.BUTTONS] != 0

    def seen(self, means: Means, owner: Callable[[], int]) -> None:
        """The human did something; `owner()` asks whose window the input goes to. Into the brain's own it is no takeover."""
        self._shared.beat(Word.HUMAN_TIME)
        period = self._shared[Word.ARMED]
        if not period or period == self._shared[Word.TAKEN] or self._shared.stopped:
            return
        if not self._shared[Word.BUSY] and owner() == self._shared[Word.BRAIN_PID]:
            return  # talking to us is not taking over
        self._take(means, period)

    def follow(self) -> None:
        """To be called every few milliseconds: a takeover that the hand alone has seen is one, too."""
        period = self._shared[Word.ARMED]
        if period and period == self._shared[Word.HAND_TAKEN] and not self._shared.stopped:
            self._take(MEANS[self._shared[Word.HAND_MEANS]], period)

    def _take(self, means: Means, period: int) -> None:
        with self._judging:
            if self._shared[Word.TAKEN] == period:
                return
            self._shared.beat(Word.HUMAN_TIME)  # the hand may have seen it before the watch did
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
            if still(shared):
                shared[Word.ARMED] = shared[Word.ARMED] or next(self._periods)
                if still(shared) or _taken(shared):
                    break
            self.stand_down(shared)
            if time.monotonic() > end:
                return False
            self._stopped.wait(_SLICE)
        return True

    def stand_down(self, shared: Shared) -> None:
        """Until the next batch begins, the human's input is no takeover; one that was is over."""
        shared[Word.ARMED] = 0


def still(shared: Shared) -> bool:
    """Has the human been still for long enough?"""
    return shared.age(Word.HUMAN_TIME) >= STILL


def _taken(shared: Shared) -> bool:
    period = shared[Word.ARMED]
    return period != 0 and period in (shared[Word.TAKEN], shared[Word.HAND_TAKEN])
