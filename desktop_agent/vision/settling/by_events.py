"""Waits until the screen is still after an action, from the target's drawing and activity events (`protocol.app_activity`).

The screen is at rest when nothing that matters was drawn for a while and the applications acted on
have read their input, use no processor and wait for no reply from the network. What moves by itself (a
spinner, a film) stops to matter once it is recognised; it is remembered from action to action. `polling`
does the same for targets without such events, by comparing whole pictures.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from desktop_agent.protocol.app_activity import Activity
from desktop_agent.protocol.errors import OutOfBounds
from desktop_agent.protocol.geometry import Rect, Viewport, bounding_box
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.vision.capture.frame import Frame, changed_areas
from desktop_agent.vision.encoding.encode import crop
from desktop_agent.vision.settling.result import Settled, SlideDetector

if TYPE_CHECKING:
    from numpy.typing import NDArray

Grab = Callable[[Rect], Frame]
Tile = tuple[int, int]

TICK = 0.008
"""Seconds between two queries for activity while nothing is drawn."""
STILL = 0.045
"""Seconds without a change that matters: more than two frames of a 60 Hz display."""
IDLE = 0.03
"""Seconds in which no application was at work."""
BLIND = 0.15
"""Seconds without a change when activity is unknown, in place of STILL."""
STREAM_GAPS, STREAM_MOST = 3.0, 0.2
"""A series of redraws is over after this many times its median gap without a change, at most so many seconds."""
FRUITLESS = 1.0
"""Seconds of work without a change after which the work is taken to be unrelated to the action."""
SPINNING = 0.5
"""Seconds without movement after which a restless tile counts as stopped."""
RESTLESS_TIMES, RESTLESS_SECONDS = 8, 0.6
"""A tile that changed so many times over so many seconds moves by itself."""
REMEMBERED = 15.0
"""Seconds for which a restless tile is remembered after its last change."""
TILE = 32
BOXES = 6
CARET = (3, 48)


@dataclass
class RestlessTiles:
    """Tiles of the screen that change by themselves (spinners, films), with the time of their last change.

    Kept from action to action by the caller; times are seconds of the monotonic clock.
    """

    moving: dict[Tile, float] = field(default_factory=dict)

    def recent(self, now: float) -> set[Tile]:
        """The tiles that changed by themselves within the last REMEMBERED seconds; forgets the others."""
        self.moving = {tile: at for tile, at in self.moving.items() if now - at < REMEMBERED}
        return set(self.moving)


class KnownPixels:
    """The latest known pixels of a screen region, updated part by part as parts are grabbed."""

    def __init__(self, before: Frame) -> None:
        import numpy as np

        self.before, self.region = before, before.region
        self.resized = False
        self._taken: Rect | None = None
        self._pixels: Any = np.frombuffer(before.pixels, dtype=np.uint32).reshape(self._shape(before)).copy()

    def _shape(self, frame: Frame) -> tuple[int, int]:
        return frame.size.height, frame.size.width

    def take(self, part: Frame) -> set[Tile]:
        """Store a newly grabbed part; returns the tiles it changed, none when the change is as small as a text cursor."""
        import numpy as np

        self.resized |= part.epoch != self.before.epoch
        self._taken = part.region if self._taken is None else bounding_box((self._taken, part.region))
        new: Any = np.frombuffer(part.pixels, dtype=np.uint32).reshape(self._shape(part))
        top, left = part.region.y - self.region.y, part.region.x - self.region.x
        place = np.s_[top : top + part.size.height, left : left + part.size.width]
        different = self._pixels[place] != new
        if not different.any():
            return set()
        self._pixels[place] = new
        return set(_tiles(different, top, left))

    def changes(self) -> tuple[tuple[Rect, ...], float]:
        """The changed areas since `before`, as `tile_diff.changed_areas`; the share is of the whole region."""
        if self._taken is None:
            return (), 0.0
        box = self._taken
        top, left = box.y - self.region.y, box.x - self.region.x
        pixels = self._pixels[top : top + box.height, left : left + box.width].tobytes()
        now = Frame(pixels, box, self.before.epoch, self.before.time)
        areas, share = changed_areas(crop(self.before, box), now)
        return areas, share * (box.width * box.height) / (self.region.width * self.region.height)


def _tiles(different: NDArray[Any], top: int, left: int) -> Iterator[Tile]:
    """Tiles (row, column) of the region with a difference; none when it is as small as a text cursor."""
    import numpy as np

    rows, columns = np.flatnonzero(different.any(axis=1)), np.flatnonzero(different.any(axis=0))
    if columns[-1] - columns[0] < CARET[0] and rows[-1] - rows[0] < CARET[1]:
        return
    pad = ((top % TILE, 0), (left % TILE, 0))
    padded = np.pad(different, pad)
    down = np.logical_or.reduceat(padded, np.arange(0, padded.shape[0], TILE), axis=0)
    both = np.logical_or.reduceat(down, np.arange(0, padded.shape[1], TILE), axis=1)
    for row, column in zip(*both.nonzero(), strict=True):
        yield top // TILE + int(row), left // TILE + int(column)


def settle_by_events(
    activity: Activity,
    grab: Callable[[Rect], Frame],
    before: Frame,
    stop: StopFlag,
    restless: RestlessTiles,
    *,
    patience: float = 0.0,
    ceiling: float = 4.0,
    viewport: Viewport | None = None,
) -> Settled:
    """Wait until the screen is at rest, at most `ceiling` seconds; returns what changed.

    `activity` reports drawing and work, `grab` takes any part of the screen, `before` is a frame from before the
    action. A first change is waited for `patience` seconds even when no program is at work (one that starts up).
    Raises Stopped, TargetError.
    """
    watch = EventWatch(activity, grab, before, patience, restless)
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


class EventWatch:
    """Follows drawing and activity events after one action until the screen is at rest."""

    def __init__(
        self, activity: Activity, grab: Grab, before: Frame, patience: float, restless: RestlessTiles
    ) -> None:
        self._activity, self._grab, self._patience, self._restless_tiles = activity, grab, patience, restless
        self.canvas = KnownPixels(before)
        self.started = self._worked_at = time.monotonic()
        self._moved_at: float | None = None
        self._gaps: deque[float] = deque(maxlen=8)
        self._slide = SlideDetector()
        self._times: dict[Tile, list[float]] = {}
        self._spun_at = -SPINNING

    def run(self, stop: StopFlag, deadline: float) -> bool:
        """Wait; true when the screen came to rest, false at the deadline. Raises Stopped, TargetError, OutOfBounds."""
        self._activity.begin()
        while not self._at_rest():
            stop.check()
            if time.monotonic() > deadline:
                return False
            news = self._activity.wait(TICK)
            if news.windows:
                self._moved(time.monotonic())
            if news.drawn:
                self._see(news.drawn)
        return True

    def _at_rest(self) -> bool:
        now = time.monotonic()
        computes, waits = self._activity.computes(), self._activity.waits()
        # A spinner costs some program processor time: while one turns, work says nothing about the action.
        blind = computes is None or now - self._spun_at < SPINNING
        since_move = now - (self._moved_at or self.started)
        if waits or (computes and not blind and since_move < FRUITLESS):
            self._worked_at = now
        if self._moved_at is None and since_move < self._patience:
            return False
        return since_move >= (BLIND if blind else self._still) and now - self._worked_at >= IDLE

    @property
    def _still(self) -> float:
        if len(self._gaps) < 2:
            return STILL
        usual = sorted(self._gaps)[len(self._gaps) // 2]
        return min(max(STILL, STREAM_GAPS * usual), STREAM_MOST)

    def _see(self, drawn: Iterable[Rect]) -> None:
        """Grab what was drawn and record what really changed: much is redrawn as it was."""
        changed: set[Tile] = set()
        for box in _boxes(drawn, self.canvas.region):
            changed |= self.canvas.take(self._grab(box))
        now = time.monotonic()
        restless = self._restless(changed, now)
        self._spun_at = now if restless else self._spun_at
        if changed - restless:
            self._moved(now)

    @property
    def slid(self) -> bool:
        """True when something slid on the screen (see SlideDetector)."""
        return self._slide.seen

    def _moved(self, now: float) -> None:
        self._slide.change(now)
        if self._moved_at is not None:
            self._gaps.append(now - self._moved_at)
        self._moved_at = now

    def _restless(self, changed: set[Tile], now: float) -> set[Tile]:
        """Those of the changed tiles that change by themselves."""
        known = self._restless_tiles.recent(now)
        found: set[Tile] = set()
        for tile in changed:
            times = self._times.setdefault(tile, [])
            times.append(now)
            if tile in known or (len(times) >= RESTLESS_TIMES and now - times[0] >= RESTLESS_SECONDS):
                found.add(tile)
                self._restless_tiles.moving[tile] = now
        return found


def _boxes(drawn: Iterable[Rect], region: Rect) -> list[Rect]:
    """At most BOXES rectangles of the region that hold everything drawn in it."""
    parts = [part for each in drawn if not (part := each.intersection(region)).empty]
    if len(parts) <= BOXES:
        return parts
    return [bounding_box(parts)]
