"""Small marks in the picture that tell what the tree does not: the plus of a closed branch, the ink of a text."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from desktop_agent.protocol.geometry import Rect
from desktop_agent.vision.observation import Observation, raw_pixels

_REACH = 36
"""Pixels before and into a row in which its mark is looked for."""

_BOX = range(7, 15)
_CONTRAST = 48
Picture = NDArray[np.uint8]


def cut(look: Observation, area: Rect) -> Picture:
    """The pixels of a part of the screen (red, green, blue), as far as it is in the picture."""
    frame = raw_pixels(look)
    part = area.intersection(frame.region)
    if len(frame.pixels) != 4 * frame.region.width * frame.region.height:
        return np.zeros((0, 0, 3), np.uint8)  # a look without a picture
    pixels = np.frombuffer(frame.pixels, np.uint8).reshape(frame.region.height, frame.region.width, 4)
    top, left = part.y - frame.region.y, part.x - frame.region.x
    return pixels[top : top + part.height, left : left + part.width, 2::-1]


def ink(look: Observation, area: Rect) -> tuple[int, int, int] | None:
    """The colour a text is written in; None where there is no text."""
    picture = cut(look, area)
    if not picture.size:
        return None
    marks = picture[_marked(picture)]
    if not len(marks):
        return None
    ground = _ground(picture)
    far = np.abs(marks.astype(int) - ground).sum(axis=1)
    red, green, blue = np.median(marks[far >= np.percentile(far, 75)], axis=0)
    return int(red), int(green), int(blue)


def ground(look: Observation, area: Rect) -> tuple[int, int, int] | None:
    """The commonest colour of a part of the screen; None where it is not in the picture."""
    picture = cut(look, area)
    if not picture.size:
        return None
    red, green, blue = _ground(picture)
    return int(red), int(green), int(blue)


def coloured(colour: tuple[int, int, int] | None) -> bool:
    """Is it a colour, and not black, grey or white?"""
    return colour is not None and max(colour) - min(colour) > 60


def closed_mark(row: Rect, look: Observation) -> Rect | None:
    """The plus in a box, or the triangle pointing to the right, that stands before a closed branch's name."""
    area = Rect(row.x - _REACH // 2, row.y, _REACH + _REACH // 2, row.height).intersection(
        look.viewport.region
    )
    picture = cut(look, area)
    if not picture.size:
        return None
    marked = _marked(picture)
    for size in _BOX:
        for top in range(marked.shape[0] - size + 1):
            for left in range(marked.shape[1] - size + 1):
                if _is_plus(marked[top : top + size, left : left + size]):
                    return Rect(area.x + left, area.y + top, size, size)
    return None


def _is_plus(box: NDArray[np.bool_]) -> bool:
    """A frame with a cross in it, the cross not touching the frame, and nothing else."""
    size = len(box)
    if not (box[0].all() and box[-1].all() and box[:, 0].all() and box[:, -1].all()) or size % 2 == 0:
        return False
    inner = box[1:-1, 1:-1]
    middle = len(inner) // 2
    arms = inner[middle, 1:-1].all() and inner[1:-1, middle].all()
    rest = inner.copy()
    rest[middle, :], rest[:, middle] = False, False
    return bool(arms) and not rest.any()


def _ground(picture: Picture) -> NDArray[np.int_]:
    """The commonest colour."""
    colours, counts = np.unique(picture.reshape(-1, 3), axis=0, return_counts=True)
    commonest: NDArray[np.int_] = colours[counts.argmax()].astype(int)
    return commonest


def strength(look: Observation, area: Rect) -> NDArray[np.float64]:
    """How much each pixel of a part of the screen differs from its ground."""
    picture = cut(look, area)
    if not picture.size:
        return np.zeros((0, 0))
    differing: NDArray[np.float64] = np.abs(picture.astype(float) - _ground(picture)).max(axis=2)
    return differing


def _marked(picture: Picture) -> NDArray[np.bool_]:
    """Where the picture differs from its ground."""
    marked: NDArray[np.bool_] = np.abs(picture.astype(int) - _ground(picture)).max(axis=2) > _CONTRAST
    return marked
