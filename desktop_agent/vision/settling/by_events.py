"""Waiting for a screen that tells what is drawn on it: the first change is known at once, and stillness is short but honest.

The screen is at rest when nothing that matters was drawn for a while and the applications acted on
have taken the action, use no processor and wait for no answer. What moves by itself (a spinner, a
film) does not matter once that has shown; it is remembered from action to action.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from desktop_agent.protocol.activity import Activity
from desktop_agent.protocol.geometry import Rect, bounding_box
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.encoding.encode import crop
from desktop_agent.vision.settling.tile_diff import changed_areas

if TYPE_CHECKING:
    from numpy.typing import NDArray

Grab = Callable[[Rect], Frame]
Tile = tuple[int, int]

TICK = 0.008
"""Seconds between two questions about work while nothing is drawn."""
STILL = 0.045
"""Seconds without a change that matters: more than two frames of a display at 60 a second."""
IDLE = 0.03
"""Seconds without work."""
BLIND = 0.15
"""Seconds without a change where nobody can tell about work."""
STREAM_GAPS, STREAM_MOST = 3.0, 0.2
"""What is drawn again and again is over when this many of its usual gaps, at most so many seconds, were still."""
FRUITLESS = 1.0
"""Seconds of work with nothing to show for it after which it is taken to be about something else."""
SPINNING = 0.5
"""Seconds after which something that moves by itself has stopped."""
RESTLESS_TIMES, RESTLESS_SECONDS = 8, 0.6
"""A tile that changed that often over so long moves by itself."""
REMEMBERED = 15.0
"""Seconds for which a tile is known to move by itself after it last did."""
TILE = 32
BOXES = 6
CARET = (3, 48)
SLIDE_CHANGES, SLIDE_GAP = 4, 0.1
"""So many changes, none later than so many seconds after the one before, show something that slides."""


@dataclass
class RestlessTiles:
    """Which tiles of the screen move by themselves, and when they last did."""

    moving: dict[Tile, float] = field(default_factory=dict)

    def known(self, now: float) -> set[Tile]:
        self.moving = {tile: at for tile, at in self.moving.items() if now - at < REMEMBERED}
        return set(self.moving)


@dataclass
class SlideDetector:
    """Whether something slid on the screen: it was drawn anew again and again."""

    seen: bool = False
    _count: int = 0
    _last: float = 0.0

    def change(self, now: float) -> None:
        """Something is different than before."""
        self._count = self._count + 1 if now - self._last <= SLIDE_GAP else 1
        self._last = now
        self.seen |= self._count >= SLIDE_CHANGES


class KnownPixels:
    """What a region of the screen looked like at the last grab of each of its parts."""

    def __init__(self, before: Frame) -> None:
        import numpy as np

        self.before, self.region = before, before.region
        self.resized = False
        self._taken: Rect | None = None
        self._pixels: Any = np.frombuffer(before.pixels, dtype=np.uint32).reshape(self._shape(before)).copy()

    def _shape(self, frame: Frame) -> tuple[int, int]:
        return frame.size.height, frame.size.width

    def take(self, part: Frame) -> set[Tile]:
        """The tiles that are different now, without those in which no more than a text cursor is."""
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
        """As `changes.changed_areas` between then and now; the share is of the whole region."""
        if self._taken is None:
            return (), 0.0
        box = self._taken
        top, left = box.y - self.region.y, box.x - self.region.x
        pixels = self._pixels[top : top + box.height, left : left + box.width].tobytes()
        now = Frame(pixels, box, self.before.epoch, self.before.time)
        areas, share = changed_areas(crop(self.before, box), now)
        return areas, share * (box.width * box.height) / (self.region.width * self.region.height)


def _tiles(different: NDArray[Any], top: int, left: int) -> Iterator[Tile]:
    """Tiles (row, column) of the region with a difference, none when it is as small as a text cursor."""
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


class EventWatch:
    """Follows one action until the screen is at rest."""

    def __init__(
        self, activity: Activity, grab: Grab, before: Frame, patience: float, habits: RestlessTiles
    ) -> None:
        self._activity, self._grab, self._patience, self._habits = activity, grab, patience, habits
        self.canvas = KnownPixels(before)
        self.started = self._worked_at = time.monotonic()
        self._moved_at: float | None = None
        self._gaps: deque[float] = deque(maxlen=8)
        self._slide = SlideDetector()
        self._times: dict[Tile, list[float]] = {}
        self._spun_at = -SPINNING

    def run(self, stop: StopFlag, deadline: float) -> bool:
        """Return when all is at rest (true) or at the deadline. Raises Stopped, TargetError, OutOfBounds."""
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
        # What moves by itself is drawn by somebody: then nobody can tell who works on what was done.
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
        """Look at what was drawn: much of it is as it was before."""
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
        """Did something slide on the screen?"""
        return self._slide.seen

    def _moved(self, now: float) -> None:
        self._slide.change(now)
        if self._moved_at is not None:
            self._gaps.append(now - self._moved_at)
        self._moved_at = now

    def _restless(self, changed: set[Tile], now: float) -> set[Tile]:
        """Those of the tiles that move by themselves."""
        known = self._habits.known(now)
        found: set[Tile] = set()
        for tile in changed:
            times = self._times.setdefault(tile, [])
            times.append(now)
            if tile in known or (len(times) >= RESTLESS_TIMES and now - times[0] >= RESTLESS_SECONDS):
                found.add(tile)
                self._habits.moving[tile] = now
        return found


def _boxes(drawn: Iterable[Rect], region: Rect) -> list[Rect]:
    """A few rectangles of the region that hold all that was drawn in it."""
    parts = [part for each in drawn if not (part := each.intersection(region)).empty]
    if len(parts) <= BOXES:
        return parts
    return [bounding_box(parts)]
