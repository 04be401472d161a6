"""Colours in the picture that the tree does not tell: the ink of a text, the ground of a button."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from desktop_agent.protocol.geometry import Rect
from desktop_agent.vision.observation import Observation, raw_pixels

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
    marks = picture[marked(picture)]
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


def _ground(picture: Picture) -> NDArray[np.int_]:
    """The commonest colour."""
    colours, counts = np.unique(picture.reshape(-1, 3), axis=0, return_counts=True)
    commonest: NDArray[np.int_] = colours[counts.argmax()].astype(int)
    return commonest


def marked(picture: Picture) -> NDArray[np.bool_]:
    """Where the picture differs from its ground."""
    marked: NDArray[np.bool_] = np.abs(picture.astype(int) - _ground(picture)).max(axis=2) > _CONTRAST
    return marked
