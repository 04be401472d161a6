"""Straight horizontal and vertical edges of a picture, above its own noise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[Any]
_ALONG = 9
"""Pixels along an edge that are averaged: noise is not straight, borders are."""
_STRETCH, _UNSTEADY = 21, 0.3
"""Pixels along which an edge is as strong, and the standard deviation as a share of the mean that it may have."""
_SURE = 5.0
"""Standard deviations of the noise that an edge stands above it."""
_LEAST = 1.6
"""Least edge in shades; a border of this contrast can just be seen."""
_THICKEST, _TWO = 12, 6
"""Pixels: a line is no thicker; from there on it may be two."""
_STRAY = 4
"""Pixels by which a line's ends differ from row to row."""
_SHORTEST_ACROSS, _SHORTEST_DOWN = 20, 12


@dataclass(frozen=True)
class StraightEdges:
    """`across` and `down` are true where a horizontal or vertical edge runs; `noise` is the picture's, in shades."""

    across: Pixels
    down: Pixels
    noise: float


def noise_of(grey: Pixels) -> float:
    """Standard deviation of the noise in shades, from the differences of neighbouring pixels; 0 for a clean picture."""
    values = grey.astype(np.float32)
    corner = values[1:, 1:] - values[1:, :-1] - values[:-1, 1:] + values[:-1, :-1]
    return float(np.median(np.abs(corner))) / 0.6745 / 2


def straight_edges(picture: Pixels) -> StraightEdges:
    """The edges of a picture (rows, columns, blue, green, red)."""
    soft = cv2.GaussianBlur(picture.astype(np.float32), (0, 0), 0.8)
    across = _edges(soft, down=False)
    down = _edges(soft, down=True)
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    return StraightEdges(_long(across, _SHORTEST_ACROSS, 1), _long(down, 1, _SHORTEST_DOWN), noise_of(grey))


def _edges(soft: Pixels, *, down: bool) -> Pixels:
    """True at the crest of every edge of this direction, averaged along it."""
    step = cv2.Sobel(soft, cv2.CV_32F, 1 if down else 0, 0 if down else 1, ksize=3, scale=0.25)
    plain = np.abs(step).max(axis=2)
    straight = np.abs(cv2.blur(step, (1, _ALONG) if down else (_ALONG, 1))).max(axis=2)
    axis = 1 if down else 0
    found = _crests(straight, axis) & (straight > _threshold(straight))
    found |= _crests(plain, axis) & (plain > 2 * _threshold(plain))
    kept: Pixels = found if down else found & _steady(straight, found)
    return kept


def _steady(strength: Pixels, found: Pixels) -> Pixels:
    """Where an edge is about as strong all along: a border is, a line of text is not."""
    crest = cv2.dilate(strength, np.ones((3, 1), np.uint8))
    mean = cv2.blur(crest, (_STRETCH, 1))
    spread = np.sqrt(np.maximum(cv2.blur(crest * crest, (_STRETCH, 1)) - mean * mean, 0))
    lowest = cv2.erode(crest, np.ones((1, _STRETCH), np.uint8))
    seeds = (spread < _UNSTEADY * mean) & (lowest > 0.45 * mean) & found
    near = cv2.dilate(seeds.astype(np.uint8), np.ones((3, _STRETCH + 4), np.uint8))
    steady: Pixels = near > 0
    return steady


def _threshold(strength: Pixels) -> float:
    return max(_LEAST, _SURE * float(np.median(strength)) / 1.2)


def _crests(strength: Pixels, axis: int) -> Pixels:
    before, after = np.roll(strength, 1, axis), np.roll(strength, -1, axis)
    crest: Pixels = (strength >= before) & (strength >= after)
    return crest


def _long(edges: Pixels, across: int, down: int) -> Pixels:
    """Only what runs on for so many pixels; it may stray by one to either side, and be interrupted for three."""
    wide = across > 1
    thick = cv2.dilate(edges.astype(np.uint8), np.ones((3, 1) if wide else (1, 3), np.uint8))
    closed = cv2.morphologyEx(thick, cv2.MORPH_CLOSE, np.ones((1, 4) if wide else (4, 1), np.uint8))
    kept: Pixels = cv2.morphologyEx(closed, cv2.MORPH_OPEN, np.ones((down, across), np.uint8)) > 0
    return kept


def segments(edges: Pixels, *, down: bool) -> list[tuple[int, int, int]]:
    """Each edge as (its row, first and last column), or for those that run down (column, first and last row)."""
    lines = edges.T if down else edges
    height, width = lines.shape
    padded = np.zeros((height, width + 2), np.int8)
    padded[:, 1:-1] = lines
    turns = np.flatnonzero(np.diff(padded.ravel()))
    starts, ends = turns[::2], turns[1::2]
    rows, firsts = np.divmod(starts, width + 2)
    lasts = ends - rows * (width + 2) - 1
    found: list[tuple[int, int, int]] = []
    above: list[list[int]] = []  # first row, last row, first and last column of lines that go on
    for row, first, last in sorted(zip(rows.tolist(), firsts.tolist(), lasts.tolist(), strict=True)):
        gone = [each for each in above if each[1] < row - 1]
        found += [line for each in gone for line in _middle(each)]
        above = [each for each in above if each[1] >= row - 1]
        same = next((e for e in above if abs(e[2] - first) <= _STRAY and abs(e[3] - last) <= _STRAY), None)
        if same is None:
            above.append([row, row, first, last])
        else:
            same[1] = row
    return found + [line for each in above for line in _middle(each)]


def _middle(line: list[int]) -> list[tuple[int, int, int]]:
    """Where a line some pixels thick runs; from a certain thickness on it is two borders side by side."""
    top, bottom, first, last = line
    thick = bottom - top + 1
    if thick > _THICKEST:
        return []
    places = [(top + bottom) // 2] if thick < _TWO else [top + 1, bottom - 1]
    return [(each, first, last) for each in places]
