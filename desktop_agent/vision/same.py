"""Whether a small part of the screen still shows what was looked at.

`same` is for a place at which nothing has happened since; `alike` for one where the pointer has come
or gone: hovering and focus change colours, borders and underlines there, and leave the words.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from desktop_agent.protocol.geometry import Size

Mask: TypeAlias = NDArray[np.bool_]
Plane: TypeAlias = NDArray[np.float32]

NOISE = 16  # of 255, in one colour: less is how a glyph's edge is smoothed
CARET_WIDTH, CARET_LEAST, CARET_MOST, CARET_SOLID = 3, 10, 48, 0.6
TILE = 16
RING = 4  # pixels around an element in which borders and focus rings are drawn
EDGE = 0.25  # of the strongest step of brightness in the patch: an edge of something
FAINT = 20.0  # of 255: steps below this are no edges at all
KEPT = 0.8  # share of a tile's edges that hovering leaves where they are
NEW, NEW_SHARE = 12, 0.35  # pixels of edges, and share of those that were there, that may come to a tile
LINE = 10  # pixels: a straight run of that many is a line under a word or a border


def same(seen: bytes, now: bytes, size: Size, *, caret: bool = False) -> bool:
    """True when nothing but noise, and a blinking text cursor where `caret` allows it, is different."""
    if seen == now:
        return True
    different = _different(_pixels(seen, size), _pixels(now, size))
    return not different.any() or (caret and is_caret(different))


def alike(seen: bytes, now: bytes, size: Size, *, caret: bool = False) -> bool:
    """True when `same`, or when the words and shapes are the same ones in other colours."""
    if same(seen, now, size, caret=caret):
        return True
    before, after = _edges(_pixels(seen, size)), _edges(_pixels(now, size))
    kept, was = _tiles(before & after), _tiles(before)
    new = _tiles(after & ~before & ~_lines(after))
    lost_too_much = was - kept > np.maximum((1 - KEPT) * was, 3)
    return not lost_too_much.any() and not (new > np.maximum(NEW_SHARE * was, NEW)).any()


def is_caret(different: Mask) -> bool:
    """One upright bar, as narrow as a text cursor and nearly full."""
    rows, columns = np.flatnonzero(different.any(axis=1)), np.flatnonzero(different.any(axis=0))
    height, width = rows[-1] - rows[0] + 1, columns[-1] - columns[0] + 1
    solid = different.sum() / (height * width)
    return bool(width <= CARET_WIDTH and CARET_LEAST <= height <= CARET_MOST and solid >= CARET_SOLID)


def _pixels(raw: bytes, size: Size) -> NDArray[np.int16]:
    whole = np.frombuffer(raw, dtype=np.uint8).reshape(size.height, size.width, 4)
    return whole[:, :, :3].astype(np.int16)


def _different(one: NDArray[np.int16], other: NDArray[np.int16]) -> Mask:
    found: Mask = np.abs(one - other).max(axis=2) > NOISE
    return found


def _edges(pixels: NDArray[np.int16]) -> Mask:
    """Where brightness steps, without the outermost ring."""
    light: Plane = pixels.astype(np.float32) @ np.array((0.25, 0.5, 0.25), dtype=np.float32)
    steps = np.abs(np.diff(light, axis=0))[:, :-1] + np.abs(np.diff(light, axis=1))[:-1]
    inner = steps[RING:-RING, RING:-RING] if min(steps.shape) > 4 * RING else steps
    found: Mask = inner > max(FAINT, EDGE * float(inner.max(initial=0)))
    return found


def _tiles(mask: Mask) -> NDArray[Any]:
    rows = np.add.reduceat(mask.astype(np.int32), np.arange(0, mask.shape[0], TILE), axis=0)
    return np.add.reduceat(rows, np.arange(0, mask.shape[1], TILE), axis=1)


def _lines(mask: Mask) -> Mask:
    """The pixels that belong to a straight run across or down, as lines and borders do."""
    return _runs(mask) | _runs(mask.T).T


def _runs(mask: Mask) -> Mask:
    """The pixels of runs along a row of at least LINE."""
    width = mask.shape[1] - LINE + 1
    found = np.zeros_like(mask)
    if width > 0:
        starts = np.logical_and.reduce([mask[:, i : i + width] for i in range(LINE)])
        for i in range(LINE):
            found[:, i : i + width] |= starts
    return found
