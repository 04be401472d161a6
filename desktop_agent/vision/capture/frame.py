"""A captured picture (pixels, place on the screen, time), its hash, and how two of them differ, by rows and by tiles."""

from __future__ import annotations

import hashlib
import threading
from collections import deque
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from desktop_agent.protocol.geometry import Rect, Size

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BAND = 64  # rows hashed together
REMEMBERED = 3  # pictures: a whole screen, the same with masks, a part of it


BYTES = 4


TILE = 32
MAX_AREAS = 12


@dataclass(frozen=True)
class Frame:
    """Raw pixels, 4 bytes each (B, G, R, unused), rows without padding.

    `region` is where the pixels are on the screen (same size as the picture), `epoch` the geometry's
    epoch, `time` seconds of the monotonic clock at capture.
    """

    pixels: bytes = field(repr=False)
    region: Rect
    epoch: int
    time: float

    @property
    def size(self) -> Size:
        return self.region.size

    @cached_property
    def digest(self) -> str:
        """Content hash in hex: equal pictures have equal digests."""
        return content_hash(self.pixels, self.size.width)


@dataclass(frozen=True)
class _Known:
    pixels: bytes
    width: int
    bands: tuple[bytes, ...]
    whole: str


class FrameHasher:
    """Hashes pictures and remembers the last few, so that a similar one costs little. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: deque[_Known] = deque(maxlen=REMEMBERED)

    def of(self, pixels: bytes, width: int) -> str:
        """Hex hash of a picture with `width` pixels of 4 bytes a row: equal content and width have equal hashes."""
        with self._lock:
            same_size = [p for p in self._known if p.width == width and len(p.pixels) == len(pixels)]
        for each in same_size:
            if each.pixels is pixels:
                return each.whole
        found = _hashed(pixels, width, same_size[-1] if same_size else None)
        with self._lock:
            self._known.append(found)
        return found.whole


def _hashed(pixels: bytes, width: int, before: _Known | None) -> _Known:
    step = max(1, BAND * width * BYTES)
    view = memoryview(pixels)
    starts = range(0, len(pixels), step)
    if before is None:
        bands = tuple(_hash(view[start : start + step]) for start in starts)
    else:
        new = changed_rows(before.pixels, pixels, width)
        bands = tuple(
            _hash(view[start : start + step]) if new[i * BAND : (i + 1) * BAND].any() else before.bands[i]
            for i, start in enumerate(starts)
        )
    whole = hashlib.blake2b(b"".join(bands), digest_size=16, salt=width.to_bytes(4, "little"))
    return _Known(pixels, width, bands, whole.hexdigest())


def _hash(rows: memoryview) -> bytes:
    return hashlib.blake2b(rows, digest_size=16).digest()


@lru_cache(maxsize=1)
def _shared() -> FrameHasher:
    return FrameHasher()


def content_hash(pixels: bytes, width: int) -> str:
    """As `FrameHasher.of`, by one hasher for the whole process."""
    return _shared().of(pixels, width)


def changed_rows(before: bytes, after: bytes, width: int) -> NDArray[np.bool_]:
    """One boolean per row, true where it differs; the buffers have equal length and `width` pixels of 4 bytes a row."""
    import numpy as np

    unit = np.uint64 if width % 2 == 0 else np.uint32  # twice as fast where two pixels make one number
    rows = len(before) // (BYTES * width)
    one, two = (np.frombuffer(each, unit).reshape(rows, -1) for each in (before, after))
    different: NDArray[np.bool_] = (one != two).any(axis=1)
    return different


@dataclass(frozen=True)
class ChangedTiles:
    """The tiles (TILE x TILE pixels) that differ: `grid` is a matrix of booleans, None when the frames are equal."""

    grid: NDArray[np.bool_] | None

    @property
    def any(self) -> bool:
        """True when at least one tile differs."""
        return self.grid is not None

    @property
    def share(self) -> float:
        """The share of tiles that differ, 0 to 1."""
        return 0.0 if self.grid is None else float(self.grid.mean())

    def often_in(self, others: Iterable[ChangedTiles], times: int) -> bool:
        """True when every tile that differs here also differs in at least `times` of the others."""
        if self.grid is None:
            return True
        same = [o.grid for o in others if o.grid is not None and o.grid.shape == self.grid.shape]
        counts: Any = sum(grid.astype(int) for grid in same)
        return len(same) >= times and bool((counts[self.grid] >= times).all())


def changed_tiles(first: Frame, second: Frame) -> ChangedTiles:
    """The tiles in which two frames differ; all tiles when the frames differ in size."""
    if first.size == second.size and first.pixels == second.pixels:
        return ChangedTiles(None)
    return ChangedTiles(_tiled(_difference(first, second)))


def changed_areas(
    first: Frame, second: Frame, most: int = MAX_AREAS, without: Iterable[Rect] = ()
) -> tuple[tuple[Rect, ...], float]:
    """The rectangles in which two frames of the same size differ, and the share of pixels that do (0 to 1).

    Rectangles are in screen pixels, largest first, at most `most`. Differences in `without` count for nothing.
    """
    import numpy as np

    if first.pixels == second.pixels:
        return (), 0.0
    width, height = second.size.width, second.size.height
    top, bottom = 0, height
    if first.size == second.size:
        (rows,) = np.nonzero(changed_rows(first.pixels, second.pixels, width))
        # Above and below nothing differs, and most of the time goes into the tiles.
        top, bottom = int(rows[0]) // TILE * TILE, int(rows[-1]) + 1
    band = _difference(first, second, top, bottom)
    x, y = second.region.x, second.region.y + top
    for part in (each.moved(-x, -y) for each in without):
        band[max(part.y, 0) : max(part.bottom, 0), max(part.x, 0) : max(part.right, 0)] = False
    areas = [_tight(band, tiles) for tiles in _groups(_tiled(band))]
    areas.sort(key=lambda area: -area.width * area.height)
    moved = (area.moved(x, y) for area in areas[:most])
    return tuple(moved), int(np.count_nonzero(band)) / (width * height)


def _difference(first: Frame, second: Frame, top: int = 0, bottom: int | None = None) -> NDArray[np.bool_]:
    """A matrix (rows from `top` to `bottom`, columns) of booleans, true where pixels differ; all true for different sizes."""
    import numpy as np

    shape = (second.size.height, second.size.width)
    if first.size != second.size:
        return np.ones(shape, dtype=bool)
    one: Any = np.frombuffer(first.pixels, dtype=np.uint32).reshape(shape)[top:bottom]
    two: Any = np.frombuffer(second.pixels, dtype=np.uint32).reshape(shape)[top:bottom]
    different: NDArray[np.bool_] = one != two
    return different


def _tiled(difference: NDArray[np.bool_]) -> NDArray[np.bool_]:
    import numpy as np

    rows = np.logical_or.reduceat(difference, np.arange(0, difference.shape[0], TILE), axis=0)
    tiles: NDArray[np.bool_] = np.logical_or.reduceat(rows, np.arange(0, difference.shape[1], TILE), axis=1)
    return tiles


def _groups(tiles: NDArray[np.bool_]) -> Iterator[list[tuple[int, int]]]:
    """Groups of tiles (row, column) that touch each other, also at corners."""
    left = {(int(row), int(column)) for row, column in zip(*tiles.nonzero(), strict=True)}
    while left:
        group = [left.pop()]
        for row, column in group:
            around = {(row + i, column + j) for i in (-1, 0, 1) for j in (-1, 0, 1)} & left
            left -= around
            group.extend(around)
        yield group


def _tight(difference: NDArray[np.bool_], tiles: list[tuple[int, int]]) -> Rect:
    """The smallest rectangle around the differing pixels within a group's bounding box."""
    import numpy as np

    top, left = min(row for row, _ in tiles) * TILE, min(column for _, column in tiles) * TILE
    bottom, right = (max(row for row, _ in tiles) + 1) * TILE, (max(column for _, column in tiles) + 1) * TILE
    part = difference[top:bottom, left:right]
    (rows,), (columns,) = np.nonzero(part.any(axis=1)), np.nonzero(part.any(axis=0))
    x, y = left + int(columns[0]), top + int(rows[0])
    return Rect(x, y, left + int(columns[-1]) + 1 - x, top + int(rows[-1]) + 1 - y)
