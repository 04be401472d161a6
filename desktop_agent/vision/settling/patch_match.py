"""Compares a small patch of the screen with an earlier picture of it: does it still show the same?

`same_pixels` is for a place that nothing has touched since; `same_shapes` for one that the pointer has entered
or left: hover and focus change colours, borders and underlines, but not the words.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from desktop_agent.protocol.geometry import Size

Mask: TypeAlias = NDArray[np.bool_]

NOISE = 16  # of 255, in one colour channel: smaller differences come from anti-aliasing
CARET_WIDTH, CARET_LEAST, CARET_MOST, CARET_SOLID = 3, 10, 48, 0.6
TILE = 16
RING = 4  # pixels around an element in which borders and focus rings are drawn
EDGE = 0.25  # of the strongest step of brightness in the patch: a greater step is an edge
FAINT = 20  # of 255: smaller steps are never edges
KEPT = 0.8  # share of a tile's edge pixels that hovering leaves where they are
FEW = 3  # edge pixels that any tile may lose
NEW, NEW_SHARE = 12, 0.35  # edge pixels, and share of those there before, that a tile may gain
LINE = 10  # pixels: a straight run of edge pixels this long is an underline or a border


def same_pixels(seen: bytes, now: bytes, size: Size, *, caret: bool = False) -> bool:
    """True when two patches of `size` (4 bytes a pixel) are equal but for noise and, with `caret`, a text cursor."""
    if seen == now:
        return True
    return _same_pixels(_pixels(seen, size), _pixels(now, size), caret=caret)


def _same_pixels(seen: NDArray[np.int16], now: NDArray[np.int16], *, caret: bool) -> bool:
    far = np.abs(seen - now) > NOISE
    different = far[:, :, 0] | far[:, :, 1] | far[:, :, 2]  # several times as fast as any(axis=2)
    return not different.any() or (caret and is_caret(different))


def same_shapes(seen: bytes, now: bytes, size: Size, *, caret: bool = False) -> bool:
    """True when two patches of `size` (4 bytes a pixel) show the same words and shapes, be it in other colours.

    `caret` allows a text cursor to have come or gone.
    """
    if seen == now:
        return True
    one, other = _pixels(seen, size), _pixels(now, size)
    if _same_pixels(one, other, caret=caret):
        return True
    before, after = _edges(one), _edges(other)
    kept, was = _tiles(before & after), _tiles(before)
    if (was - kept > np.maximum((1 - KEPT) * was, FEW)).any():
        return False
    new, may_come = after & ~before, np.maximum(NEW_SHARE * was, NEW)
    return not (_tiles(new) > may_come).any() or not (_tiles(new & ~_lines(after)) > may_come).any()


def is_caret(different: Mask) -> bool:
    """True when the differing pixels form a single upright bar, as narrow as a text cursor and nearly solid."""
    rows, columns = np.flatnonzero(different.any(axis=1)), np.flatnonzero(different.any(axis=0))
    height, width = rows[-1] - rows[0] + 1, columns[-1] - columns[0] + 1
    solid = different.sum() / (height * width)
    return bool(width <= CARET_WIDTH and CARET_LEAST <= height <= CARET_MOST and solid >= CARET_SOLID)


def _pixels(raw: bytes, size: Size) -> NDArray[np.int16]:
    whole = np.frombuffer(raw, dtype=np.uint8).reshape(size.height, size.width, 4)
    return whole[:, :, :3].astype(np.int16)


def _edges(pixels: NDArray[np.int16]) -> Mask:
    """The edge pixels (steps of brightness), without the outermost ring, where focus rings are drawn."""
    light = (pixels[:, :, 0] + 2 * pixels[:, :, 1] + pixels[:, :, 2]) >> 2
    steps = np.abs(np.diff(light, axis=0))[:, :-1] + np.abs(np.diff(light, axis=1))[:-1]
    inner = steps[RING:-RING, RING:-RING] if min(steps.shape) > 4 * RING else steps
    found: Mask = inner > max(FAINT, EDGE * float(inner.max(initial=0)))
    return found


def _tiles(mask: Mask) -> NDArray[Any]:
    rows = np.add.reduceat(mask.astype(np.int32), np.arange(0, mask.shape[0], TILE), axis=0)
    return np.add.reduceat(rows, np.arange(0, mask.shape[1], TILE), axis=1)


def _lines(mask: Mask) -> Mask:
    """The pixels that belong to a horizontal or vertical line (borders, underlines)."""
    return _runs(mask) | _runs(mask.T).T


def _runs(mask: Mask) -> Mask:
    """The pixels of horizontal runs of at least LINE pixels."""
    width = mask.shape[1] - LINE + 1
    found = np.zeros_like(mask)
    if width > 0:
        starts = mask[:, :width].copy()
        for i in range(1, LINE):
            starts &= mask[:, i : i + width]
        for i in range(LINE):
            found[:, i : i + width] |= starts
    return found
