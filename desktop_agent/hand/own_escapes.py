"""Tells the human's ESC from the hand's own by count: the hand counts each of its own before it sends it."""

from __future__ import annotations

import threading
from collections.abc import Callable

from desktop_agent.hand.ipc.shared_block import Shared, Word

# After this long an own press that was accepted and never seen will not be seen any more.
FORGET = 0.25


class Escapes:
    """An EscapeSink with two independent judgements, one for events and one for the state of the keyboard.

    `stop` is called, from the watching threads, for each ESC that is not the hand's own.
    """

    def __init__(self, shared: Shared, stop: Callable[[], None], clock: Callable[[], float]) -> None:
        self._shared = shared
        self._stop = stop
        self._clock = clock
        self._lock = threading.Lock()
        self._seen = shared[Word.ESCAPES_SENT]
        self._unseen_since: float | None = None

    def pressed(self, *, from_own_device: bool) -> None:
        """An ESC press was reported; presses of a device the hand does not use are the human's."""
        with self._lock:
            self._seen += from_own_device
            human = not from_own_device or self._seen > self._shared[Word.ESCAPES_SENT]
            self._seen = min(self._seen, self._shared[Word.ESCAPES_SENT])
        if human:
            self._stop()

    @property
    def busy(self) -> bool:
        """Does a batch run, so that there is something to stop?"""
        return bool(self._shared[Word.BUSY])

    def settle(self) -> None:
        """Forget own presses that were sent and never came, lest they excuse a later one of the human."""
        sent, done = self._shared[Word.ESCAPES_SENT], self._shared[Word.ESCAPES_DONE]
        with self._lock:
            if self._seen == sent or sent != done:
                self._unseen_since = None
            elif self._unseen_since is None:
                self._unseen_since = self._clock()
            elif self._clock() - self._unseen_since > FORGET:
                self._seen, self._unseen_since = sent, None

    def snapshot(self, codes: frozenset[int]) -> tuple[int, bool]:
        """To be taken before and after looking at the keyboard; see `down`."""
        own = self._shared[Word.ESCAPES_SENT]
        busy = own != self._shared[Word.ESCAPES_DONE]
        held = any(self._shared[Word.KEYS + code // 64] >> code % 64 & 1 for code in codes)
        return own, busy or held

    def down(self, before: tuple[int, bool], after: tuple[int, bool]) -> bool:
        """ESC was down between two snapshots: the human's (True), unless the hand may have held it."""
        human = before == after and not before[1]
        if human:
            self._stop()
        return human
