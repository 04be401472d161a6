"""Waits until the screen is still after an action by comparing pictures, for targets that report no drawing events.

`by_events` does the same for targets that do.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import replace

from desktop_agent.protocol.errors import OutOfBounds
from desktop_agent.protocol.geometry import Viewport
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.vision.capture.frame import ChangedTiles, Frame, changed_areas, changed_tiles
from desktop_agent.vision.settling.result import Settled, SlideDetector

CEILING = 4.0
"""Seconds after which a screen that does not come to rest is not waited for any longer."""
POLL_SECONDS = 0.04
RESTLESS_POLLS = 8
BUSY_SECONDS = 2.0
"""Longest wait for a program that has not yet read the input of the action."""
RESTLESS_SHARE = 0.05
"""An area of at most this share of the screen that changed in most of the last polls is a spinner: it is not waited for."""


def settle_by_polling(
    grab: Callable[[], Frame],
    before: Frame,
    stop: StopFlag,
    *,
    patience: float = 0.4,
    quiet: float = 0.15,
    ceiling: float = CEILING,
    viewport: Viewport | None = None,
    busy: Callable[[], bool] = lambda: False,
) -> Settled:
    """Wait until the screen has been still for `quiet` seconds, at most `ceiling` seconds; returns what changed.

    `before` is a frame from before the action; `grab` takes another one of the same region. `patience` is how
    many seconds a first change may take to show. `busy` tells whether a program has not yet read its input;
    nothing may have been busy for `quiet` seconds either. Raises Stopped as soon as `stop` is set, TargetError.
    """
    watch = _PollingWatch(before, patience, quiet, busy)
    deadline = watch.started + ceiling
    try:
        while not watch.done and time.monotonic() < deadline:
            stop.wait(POLL_SECONDS)
            watch.see(grab())
    except OutOfBounds:  # the screen shrank: the region is not there any more
        return Settled((), 1.0, True, watch.seconds, resized=True)
    return replace(watch.result(), viewport=viewport)


def settled_at_once(now: Frame, before: Frame, *, quiet: bool, viewport: Viewport | None = None) -> Settled:
    """What changed between two frames of the same region, where the place has a time of its own; `quiet`: it is at rest."""
    if now.region != before.region or now.epoch != before.epoch:
        return Settled((), 1.0, quiet, 0.0, resized=True, viewport=viewport, own_time=True)
    areas, fraction = changed_areas(before, now)
    return Settled(areas, fraction, quiet, 0.0, viewport=viewport, own_time=True)


class _PollingWatch:
    """Compares frame after frame; `done` is true once the screen has come to rest."""

    def __init__(self, before: Frame, patience: float, quiet: float, busy: Callable[[], bool]) -> None:
        self._busy = busy
        self._before = self._last = before
        self._patience, self._quiet = patience, quiet
        self.started = time.monotonic()
        self._moved_at: float | None = None
        self._at_work, self._worked_at = False, self.started - quiet
        self._slide = SlideDetector()
        self._moves: deque[ChangedTiles] = deque(maxlen=RESTLESS_POLLS)
        self.done = False

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.started

    def see(self, frame: Frame) -> None:
        now = time.monotonic()
        moved = changed_tiles(self._last, frame)
        self._moves.append(moved)
        self._last = frame
        if moved.any and not self._restless(moved):
            self._moved_at = now
            self._slide.change(now)
        if self._moved_at is None:
            self.done = now - self.started >= self._patience
        else:
            self.done = now - self._moved_at >= self._quiet
        self.done &= self._idle(now)

    def _idle(self, now: float) -> bool:
        """True when no program has been busy for `quiet` seconds."""
        was, self._at_work = self._at_work, now - self.started < BUSY_SECONDS and self._busy()
        if was or self._at_work:  # the program draws its answer afterwards: the quiet time starts again
            self._worked_at = time.monotonic()
        return now - self._worked_at >= self._quiet

    def _restless(self, moved: ChangedTiles) -> bool:
        """True when the only change is a small area that has been changing all the time (a spinner)."""
        if moved.share > RESTLESS_SHARE or len(self._moves) < RESTLESS_POLLS:
            return False
        return moved.often_in(self._moves, RESTLESS_POLLS * 3 // 4)

    def result(self) -> Settled:
        if self._last.region != self._before.region or self._last.epoch != self._before.epoch:
            return Settled((), 1.0, self.done, self.seconds, resized=True)
        areas, fraction = changed_areas(self._before, self._last)
        return Settled(areas, fraction, self.done, self.seconds, slid=self._slide.seen)
