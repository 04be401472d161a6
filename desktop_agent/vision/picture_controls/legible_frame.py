"""A frame made easy to read for text recognition: no borders, no boxes, dark on light, its noise evened out."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from desktop_agent.protocol.geometry import Rect, bounding_box
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.picture_controls.form_shapes import FormShapes, ground_of, level_in
from desktop_agent.vision.picture_controls.picture_lines import Pixels

_NOISY = 1.2
"""Shades of noise from which on it is evened out."""
_STEADY = 0.6
"""Shades by which the noise of a later picture may differ and still be taken for the same."""
_REACH, _PATCH = 11, 3
"""Pixels around one that it is compared with when noise is evened out, and the size of what is compared."""
_INSET = 3
"""Pixels from a box's side to what is read in it."""
_ENLARGED, _LARGE = 2, 64
"""Times that what is in a box no higher than so many pixels is enlarged: fields are written in small letters."""
_APART = 24
"""Pixels between the texts of two boxes on a sheet, and around them."""


class Denoiser:
    """Evens out the noise of pictures of one screen; where one is as the last was, so is the result. For one thread."""

    def __init__(self) -> None:
        self._before: Pixels | None = None
        self._clean: Pixels | None = None
        self._noise = 0.0

    def __call__(self, picture: Pixels, noise: float) -> Pixels:
        """The picture without noise of so many shades (standard deviation); the picture itself where there is hardly any."""
        if noise < _NOISY:
            self._before = self._clean = None
            return picture
        before, clean = self._before, self._clean
        if before is None or clean is None or before.shape != picture.shape:
            self._noise = float(round(noise))
            self._clean = self._evened(picture)
        elif abs(noise - self._noise) > _STEADY + 0.5:
            self._noise = float(round(noise))
            self._clean = self._evened(picture)
        else:
            self._clean = self._renewed(picture, before, clean)
        self._before = picture
        return self._clean

    def _evened(self, picture: Pixels) -> Pixels:
        strength = self._noise * 1.5
        evened: Pixels = cv2.fastNlMeansDenoisingColored(picture, None, strength, strength, _PATCH, _REACH)
        return evened

    def _renewed(self, picture: Pixels, before: Pixels, clean: Pixels) -> Pixels:
        """The last result with the part anew in which something changed."""
        rows, columns = np.nonzero((picture != before).any(axis=2))
        if not rows.size:
            return clean
        height, width = picture.shape[:2]
        changed = Rect(
            int(columns.min()),
            int(rows.min()),
            int(columns.max() - columns.min()) + 1,
            int(rows.max() - rows.min()) + 1,
        )
        whole = Rect(0, 0, width, height)
        kept = changed.grown(_REACH, _REACH).intersection(whole)
        read = kept.grown(_REACH, _REACH).intersection(whole)
        part = self._evened(np.ascontiguousarray(picture[read.y : read.bottom, read.x : read.right]))
        renewed: Pixels = clean.copy()
        renewed[kept.y : kept.bottom, kept.x : kept.right] = part[
            kept.y - read.y : kept.bottom - read.y, kept.x - read.x : kept.right - read.x
        ]
        return renewed


def legible(frame: Frame, shapes: FormShapes, clean: Pixels) -> Frame:
    """The same frame in grey without boxes and marks and what is in them, from its picture without noise.

    Recognisers take borders for letters, and join the words in a field with those beside it.
    """
    grey = cv2.cvtColor(clean, cv2.COLOR_BGR2GRAY).astype(np.float32)
    for bounds in (*shapes.boxes, *(mark.bounds for mark in shapes.marks)):
        own = bounds.grown(_INSET, _INSET)
        around = float(ground_of(shapes.picture, bounds).mean())
        grey[max(0, own.y) : own.bottom, max(0, own.x) : own.right] = around
    return Frame(_pixels(_sharp(grey)), frame.region, frame.epoch, frame.time)


def strip(shapes: FormShapes, clean: Pixels, box: Rect) -> Pixels | None:
    """What is written in a box, dark on white and without its border, enlarged; None where nothing is."""
    inner = clean[box.y + _INSET : box.bottom - _INSET, box.x + _INSET : box.right - _INSET].astype(
        np.float32
    )
    if min(inner.shape[:2]) < 8:
        return None
    ink = np.abs(inner - level_in(clean, box, _INSET)).max(axis=2)
    ink[_border_ink(ink)] = 0
    if float(ink.max(initial=0)) < max(24.0, 5 * shapes.noise):
        return None
    ink[ink < max(10.0, 2 * shapes.noise)] = 0
    ink *= 235 / max(90.0, float(np.percentile(ink[ink > 0], 97)))
    times = enlargement(box)
    grey = 255 - np.clip(ink, 0, 255)
    if times > 1:
        grey = cv2.resize(grey, None, fx=times, fy=times, interpolation=cv2.INTER_CUBIC)
    return np.clip(grey, 0, 255).astype(np.uint8)


def _border_ink(ink: Pixels) -> Pixels:
    """Where a line runs along a side of a box: what is left of a thick border."""
    seen = ink > 24
    found = np.zeros_like(seen)
    for rows in (seen, found), (seen.T, found.T):
        there, line = rows
        for at in (0, 1, 2, -3, -2, -1):
            if there[at].mean() > 0.6:
                line[at] = True
    return found


def enlargement(box: Rect) -> int:
    """How many times as large what is in a box is on a sheet."""
    return _ENLARGED if box.height <= _LARGE else 1


def sheet(strips: Sequence[Pixels]) -> tuple[Frame, list[Rect]]:
    """The strips one below the other on white, far enough apart to be read as lines of their own; and where each is."""
    places, y = [], _APART
    for each in strips:
        places.append(Rect(_APART, y, each.shape[1], each.shape[0]))
        y += each.shape[0] + _APART
    whole = bounding_box(places).grown(_APART, _APART)
    paper = np.full((whole.bottom, whole.right), 255, np.uint8)
    for place, each in zip(places, strips, strict=True):
        paper[place.y : place.bottom, place.x : place.right] = each
    return Frame(_pixels(paper), Rect(0, 0, whole.right, whole.bottom), 0, 0.0), places


def _sharp(grey: Pixels) -> Pixels:
    soft = cv2.GaussianBlur(grey, (0, 0), 1.6)
    sharp: Pixels = np.clip(grey + 0.8 * (grey - soft), 0, 255).astype(np.uint8)
    return sharp


def _pixels(grey: Pixels) -> bytes:
    every: bytes = np.dstack((grey, grey, grey, np.zeros_like(grey))).tobytes()
    return every
