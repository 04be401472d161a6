"""Compares two frames of the same region by tiles and finds the areas that differ."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from desktop_agent.protocol.geometry import Rect
from desktop_agent.vision.capture.frame import Frame, changed_rows

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TILE = 32
MAX_AREAS = 12


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
