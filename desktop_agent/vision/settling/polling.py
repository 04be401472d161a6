"""Waiting until the screen is quiet after an action, and saying what changed."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace

from desktop_agent.protocol.activity import Activity
from desktop_agent.protocol.errors import OutOfBounds
from desktop_agent.protocol.geometry import Point, Rect, Viewport
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.settling.by_events import EventWatch, RestlessTiles, SlideDetector
from desktop_agent.vision.settling.tile_diff import ChangedTiles, changed_areas, changed_tiles

POLL_SECONDS = 0.04
RESTLESS_POLLS = 8
BUSY_SECONDS = 2.0
"""How long a program that does not take what was done is waited for."""
RESTLESS_SHARE = 0.05
"""A spot that changed in most of the last polls, no larger than this share, is a spinner: not waited for."""
CURSOR_WIDTH, CURSOR_HEIGHT = 3, 48
MOST = 0.5
NAMED_AREAS = 4


@dataclass(frozen=True)
class Settled:
    """How the screen came to rest.

    `areas` are the changed rectangles in screen pixels, largest first, `fraction` the changed share
    of all pixels, `quiet` false when something still moved at the ceiling, `resized` true when the
    screen's layout changed, `slid` true when something was drawn in many steps. `words` speaks of
    pixels of `viewport`'s picture, or of the screen without one.
    """

    areas: tuple[Rect, ...]
    fraction: float
    quiet: bool
    seconds: float
    resized: bool = False
    viewport: Viewport | None = None
    slid: bool = False

    @property
    def changed(self) -> bool:
        """True when more than a text cursor changed (it blinks whether or not anything was done)."""
        return self.resized or any(not _is_cursor(area) for area in self.areas)

    @property
    def words(self) -> str:
        """What changed, for a model or a person."""
        moving = "" if self.quiet else ", and something is still moving"
        return self._what() + moving

    def _what(self) -> str:
        if self.resized:
            return "the screen's layout changed"
        if not self.changed:
            return "nothing changed but a text cursor" if self.areas else "nothing happened: nothing changed"
        if self.fraction > MOST:
            return "most of the screen changed"
        areas = [area for area in self.areas if not _is_cursor(area)]
        spots = ", ".join(self._spot(area) for area in areas[:NAMED_AREAS])
        if len(areas) == 1:
            return f"the area around {spots} changed"
        more = f" and {len(areas) - NAMED_AREAS} more" if len(areas) > NAMED_AREAS else ""
        return f"areas around {spots}{more} changed"

    def _spot(self, area: Rect) -> str:
        """An area's centre and size."""
        if self.viewport is not None:
            area = self.viewport.rect_to_image(area)
        center: Point = area.center
        return f"{center.x},{center.y} ({area.width}x{area.height})"


def _is_cursor(area: Rect) -> bool:
    return area.width <= CURSOR_WIDTH and area.height <= CURSOR_HEIGHT


def settle_by_polling(
    grab: Callable[[], Frame],
    before: Frame,
    stop: StopFlag,
    *,
    patience: float = 0.4,
    quiet: float = 0.15,
    ceiling: float = 4.0,
    viewport: Viewport | None = None,
    busy: Callable[[], bool] = lambda: False,
) -> Settled:
    """Wait until the screen has been still for `quiet` seconds, at most `ceiling`; say what changed.

    `before` is a frame from before the action, `grab` takes one of the same region, `patience` is how
    long a first change may take to show, `busy` says whether a program has yet to take the action: it has to
    have been ready for `quiet` seconds, too. Raises Stopped as soon as `stop` is set, TargetError.
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


def settle_by_events(
    activity: Activity,
    grab: Callable[[Rect], Frame],
    before: Frame,
    stop: StopFlag,
    habits: RestlessTiles,
    *,
    patience: float = 0.0,
    ceiling: float = 4.0,
    viewport: Viewport | None = None,
) -> Settled:
    """The same for a place that tells what is drawn and who works; `grab` takes any part of the screen.

    A first change is waited for `patience` seconds even when nobody works (a program that starts).
    Raises Stopped, TargetError.
    """
    watch = EventWatch(activity, grab, before, patience, habits)
    try:
        quiet = watch.run(stop, watch.started + max(ceiling, patience))
        now = grab(Rect(before.region.x, before.region.y, 1, 1))  # is the screen still there, and as large?
    except OutOfBounds:  # the screen shrank: the region is not there any more
        return Settled((), 1.0, True, time.monotonic() - watch.started, resized=True)
    seconds = time.monotonic() - watch.started
    if watch.canvas.resized or now.epoch != before.epoch:
        return Settled((), 1.0, quiet, seconds, resized=True)
    areas, fraction = watch.canvas.changes()
    return Settled(areas, fraction, quiet, seconds, viewport=viewport, slid=watch.slid)


class _PollingWatch:
    """Sees frame after frame and knows whether the screen has come to rest."""

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
        self.done &= self._taken(now)

    def _taken(self, now: float) -> bool:
        """Has nothing been busy for a while?"""
        was, self._at_work = self._at_work, now - self.started < BUSY_SECONDS and self._busy()
        if was or self._at_work:  # what came of it is drawn after it: the quiet begins anew
            self._worked_at = time.monotonic()
        return now - self._worked_at >= self._quiet

    def _restless(self, moved: ChangedTiles) -> bool:
        """Only what has been changing all the time changed again, and it is small."""
        if moved.share > RESTLESS_SHARE or len(self._moves) < RESTLESS_POLLS:
            return False
        return moved.often_in(self._moves, RESTLESS_POLLS * 3 // 4)

    def result(self) -> Settled:
        if self._last.region != self._before.region or self._last.epoch != self._before.epoch:
            return Settled((), 1.0, self.done, self.seconds, resized=True)
        areas, fraction = changed_areas(self._before, self._last)
        return Settled(areas, fraction, self.done, self.seconds, slid=self._slide.seen)
