"""How a box looks: what a button, a field, a list to choose from and a line of text have that others do not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from desktop_agent.extras.camera.picture_controls.form_shapes import FormShapes, fill_of, ground_of, level_in
from desktop_agent.extras.camera.picture_controls.picture_lines import Pixels
from desktop_agent.protocol.geometry import Rect, bounding_box

if TYPE_CHECKING:
    from desktop_agent.extras.camera.picture_controls.controls import TextLine

_TALL, _LOW = 46, 64
"""Pixels: a field that is higher takes several lines; no button is higher."""
_ARROW_AREA = 34
"""Pixels at a field's right end in which an arrow may stand."""
_FAR = 60
"""Pixels between the words of a list and its arrow that no word has between its letters."""
_COLOURED = 38.0
"""Shades by which the colours of a ground or of letters differ when they are coloured."""


@dataclass(frozen=True)
class BoxLook:
    """A box as it looks. `plain`: its ground is not coloured; `border`: how much its border differs from what is around."""

    bounds: Rect
    is_button: bool
    is_field: bool
    arrow: bool
    tall: bool
    dots: bool
    plain: bool
    border: float


def look_at(shapes: FormShapes, box: Rect, lines: Sequence[TextLine]) -> BoxLook:
    """The look of a box with these lines of text in it."""
    fill, ground = fill_of(shapes.picture, box), ground_of(shapes.picture, box)
    ink = _ink(shapes, box)
    blobs = _blobs(ink)
    arrow = _has_arrow(blobs, box, lines)
    tall = box.height > _TALL and not arrow
    filled = float(np.abs(fill.astype(float) - ground).max())
    coloured = _colour(fill, ground)
    button = box.height <= _LOW and not arrow and _is_centred(blobs, box, lines, filled, coloured)
    field = (
        not button
        and box.width >= 40
        and coloured < _COLOURED * 1.6
        and (not tall or _is_empty(ink) or _is_written(box, lines))
    )
    return BoxLook(
        box, button, field, arrow, tall, _are_dots(blobs), coloured < _COLOURED, _border(shapes.picture, box)
    )


def _ink(shapes: FormShapes, box: Rect) -> Pixels:
    """What in a box differs from its ground; rows and columns of its inside, true where there is something."""
    inner = shapes.picture[box.y + 4 : box.bottom - 4, box.x + 4 : box.right - 4].astype(np.float32)
    ink: Pixels = np.abs(inner - level_in(shapes.picture, box, 4)).max(axis=2) > max(34.0, 6 * shapes.noise)
    for each in (ink, ink.T):  # what is left of a thick border
        for at in (0, 1, 2, -3, -2, -1):
            if len(each) > 8 and each[at].mean() > 0.6:
                each[at] = False
    return ink


def _blobs(ink: Pixels) -> list[Rect]:
    """Pieces of ink, left to right, relative to the inside; columns that hold ink and touch are one."""
    columns = np.flatnonzero(np.diff(np.concatenate(([0], ink.any(axis=0), [0])).astype(np.int8)))
    found = []
    for first, last in zip(columns[::2].tolist(), columns[1::2].tolist(), strict=True):
        rows = np.flatnonzero(ink[:, first:last].any(axis=1))
        if len(rows) * (last - first) > 2:  # noise has single pixels
            found.append(Rect(first, int(rows[0]), last - first, int(rows[-1] - rows[0] + 1)))
    return found


def _has_arrow(blobs: Sequence[Rect], box: Rect, lines: Sequence[TextLine]) -> bool:
    """Is there a small mark by itself at the right end, wider than high, at half its height?"""
    if not blobs or box.height > _LOW or box.width < 40:
        return False
    last, width = blobs[-1], box.width - 8
    if last.right > width - 2 and last.width < 5 and len(blobs) > 1:
        last = blobs[-2]  # the end of a border
    if last.x < width - _ARROW_AREA or not (4 <= last.width <= 20 and 3 <= last.height <= 14):
        return False
    before = blobs[-2].right if len(blobs) > 1 else 0
    middle = last.y + last.height / 2 - (box.height - 8) / 2
    text = [line for line in lines if line.bounds.right - box.x - 4 < last.x + 3]
    apart = (last.x - before >= 4 or not text) and 5 <= last.width <= 18 and last.height <= 12
    if text and last.x - before > _FAR and last.height <= 14 and last.width <= 20 and abs(middle) <= 6:
        return True  # a mark at the right end, far from the words at the left one
    cut = 2 if last.right >= width - 1 else 0  # its end is taken for the border's
    return last.width + cut >= 1.15 * last.height and abs(middle) <= 4 and apart and width - last.right <= 18


def _is_centred(
    blobs: Sequence[Rect], box: Rect, lines: Sequence[TextLine], filled: float, coloured: float
) -> bool:
    """Do a few words stand in the middle of the box, with as much room on the left as on the right?"""
    if not blobs or len(lines) > 2:
        return False
    text = bounding_box(blobs)
    left, right = text.x + 4, box.width - 4 - text.right
    if abs(left - right) > max(6, 0.25 * min(left, right)) or max(left, right) > 0.48 * box.width:
        return False
    if filled < 10 and coloured < 12:
        return box.width < 0.3 * 1280 and text.width + 130 > box.width and left >= 5
    return left >= 3


def _is_written(box: Rect, lines: Sequence[TextLine]) -> bool:
    """Do lines of text stand in it as they do in a field: from its left end on, one close below the other?"""
    tops = sorted(line.bounds.y for line in lines)
    high = float(np.median([line.bounds.height for line in lines])) if lines else 0.0
    close = all(after - before < 2.2 * high for before, after in pairwise(tops))
    return (
        bool(lines)
        and close
        and tops[0] - box.y < 2.2 * high
        and min(line.bounds.x for line in lines) - box.x < 24
    )


def _is_empty(ink: Pixels) -> bool:
    return bool(ink.mean() < 0.02)


def _are_dots(blobs: Sequence[Rect]) -> bool:
    """Are there dots of one size in equal steps, as in a password field?"""
    if len(blobs) < 4:
        return False
    body = blobs[:-1] if blobs[-1].width <= 2 else blobs  # the text cursor
    sizes = [(each.width, each.height) for each in body]
    steps = np.diff([each.x for each in body])
    wide, high = np.median(sizes, axis=0)
    same = all(abs(w - wide) <= 1.5 and abs(h - high) <= 1.5 for w, h in sizes)
    return bool(
        same and abs(wide - high) <= 2 and wide <= 10 and (np.abs(steps - np.median(steps)) <= 1.5).all()
    )


def _border(picture: Pixels, box: Rect) -> float:
    """How much of a border there is: the sum over its thickness of how far it is from the ground around it, in shades."""
    ground = ground_of(picture, box).astype(np.float32)
    fill = fill_of(picture, box).astype(np.float32)
    middle, across = box.center.y, box.center.x
    sides = (
        picture[middle - 3 : middle + 4, max(0, box.x - 6) : box.x + 5].astype(np.float32).mean(axis=0),
        picture[middle - 3 : middle + 4, box.right - 5 : box.right + 6].astype(np.float32).mean(axis=0),
        picture[max(0, box.y - 6) : box.y + 5, across - 5 : across + 6].astype(np.float32).mean(axis=1),
        picture[box.bottom - 5 : box.bottom + 6, across - 5 : across + 6].astype(np.float32).mean(axis=1),
    )
    low, high = np.minimum(ground, fill), np.maximum(ground, fill)
    beyond = [
        np.maximum(np.maximum(low - side, side - high), 0).max(axis=1).sum() for side in sides if len(side)
    ]
    return float(np.median(beyond)) if beyond else 0.0


def _colour(one: Pixels, other: Pixels) -> float:
    """How much of the difference of two colours is colour and not brightness, in shades."""
    difference = one.astype(float) - other
    return float(difference.max() - difference.min())


def is_link(shapes: FormShapes, line: Rect) -> bool:
    """Are its letters coloured, bluish, on a ground that is not?"""
    part = shapes.picture[max(0, line.y - 1) : line.bottom + 1, max(0, line.x) : line.right].astype(
        np.float32
    )
    if part.size < 30:
        return False
    ground = np.median(part.reshape(-1, 3), axis=0)
    apart = np.abs(part - ground).max(axis=2)
    letters = part[apart > max(50.0, 0.6 * float(apart.max()))]
    if len(letters) < 10:
        return False
    blue, green, red = letters.mean(axis=0) - ground
    return bool(blue - red > 70 and blue >= green - 10)
