"""The shapes of a form's controls in a picture, before anything of it is read: boxes and small marks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from desktop_agent.extras.camera.picture_controls.picture_lines import Pixels, straight_edges
from desktop_agent.extras.camera.picture_controls.rectangles import rectangles
from desktop_agent.extras.camera.picture_controls.small_marks import SmallMark, small_marks
from desktop_agent.protocol.geometry import Rect
from desktop_agent.vision.capture.frame import Frame

_WHOLE = 0.92
"""Share of the picture's width from which on a box is a bar of the window, and no control."""
_TOUCH = 4
_LINE = 64
"""Pixels: a control with one line of text is no higher."""


@dataclass(frozen=True)
class FormShapes:
    """Boxes that may be controls, none within another; marks; the areas that hold other boxes; the noise in shades."""

    picture: Pixels
    boxes: tuple[Rect, ...]
    marks: tuple[SmallMark, ...]
    areas: tuple[Rect, ...]
    noise: float


def shapes_in(frame: Frame, before: Sequence[Rect] = ()) -> FormShapes:
    """The shapes on a frame, in its own pixels; `before` are the boxes of an earlier picture of the same screen."""
    picture = pixels_of(frame)
    edges = straight_edges(picture)
    found = rectangles(picture, edges, before)
    marks = small_marks(picture, edges.noise)
    found = [
        box
        for box in found
        if not any(_covers(box, mark.bounds) and box.area < 2.2 * mark.bounds.area for mark in marks)
    ]
    found = [box for box in found if not _is_part(box, found)]
    holding = [box for box in found if _holds(box, found, marks)]
    cells = [box for box in found if _in_grid(box, found)]
    bars = [box for box in found if box.width > _WHOLE * picture.shape[1]]
    out = {*holding, *cells, *bars}
    boxes = [
        box
        for box in found
        if box not in out
        and not any(_covers(cell, box) and box.area > 0.5 * cell.area for cell in cells)
        and not _is_picture(picture, box, edges.noise)
    ]
    free = [mark for mark in marks if not any(_covers(box, mark.bounds) for box in boxes)]
    return FormShapes(picture, tuple(boxes), tuple(free), tuple(out), edges.noise)


def pixels_of(frame: Frame) -> Pixels:
    """A frame's pixels as rows, columns, and blue, green and red."""
    size = frame.size
    every = np.frombuffer(frame.pixels, np.uint8).reshape(size.height, size.width, 4)
    return np.ascontiguousarray(every[:, :, :3])


def _covers(outer: Rect, inner: Rect) -> bool:
    return inner.intersection(outer).area > 0.6 * inner.area


def _is_part(box: Rect, boxes: list[Rect]) -> bool:
    """Is it in a corner or at an end of a larger box of one line, with no other beside it: a letter that looks like a side?"""
    for each in boxes:
        if each is box or each.height > _LINE or each.area < 2 * box.area or not _covers(each, box):
            continue
        if box.height < 0.6 * each.height:
            return True
        sides = (each.x - box.x, each.y - box.y, each.right - box.right, each.bottom - box.bottom)
        own = [other for other in boxes if other is not each and _covers(each, other)]
        if (
            sum(abs(apart) <= _TOUCH + 1 for apart in sides) >= 2
            and sum(o.area for o in own) < 0.6 * each.area
        ):
            return True
    return False


def _holds(box: Rect, boxes: list[Rect], marks: list[SmallMark]) -> bool:
    """Is there a smaller box, or a mark beside words, inside?"""
    inner = [each for each in boxes if each is not box and each.area < 0.8 * box.area and _covers(box, each)]
    beside = [
        each
        for each in marks
        if _covers(box, each.bounds) and each.bounds.x - box.x > 2 and box.right - each.bounds.right > 40
    ]
    return bool(inner or (beside and box.height > 26))


def _in_grid(box: Rect, boxes: list[Rect]) -> bool:
    """Does it touch others beside it and above or below it, as the cells of a table do?"""

    def overlap(low: int, high: int, other_low: int, other_high: int) -> bool:
        return min(high, other_high) - max(low, other_low) > 0.6 * min(high - low, other_high - other_low)

    beside = above = False
    for each in boxes:
        if each is box:
            continue
        row, column = (each, box) if each.width > box.width else (box, each)
        crossing = row.width > 1.4 * column.width and column.height > 1.4 * row.height
        common = each.intersection(box)
        if crossing and not common.empty and common.area > 0.6 * column.width * row.height:
            return True  # a row and a column
        touches_x = min(abs(each.right - box.x), abs(each.x - box.right)) <= _TOUCH
        touches_y = min(abs(each.bottom - box.y), abs(each.y - box.bottom)) <= _TOUCH
        beside = beside or (touches_x and overlap(box.y, box.bottom, each.y, each.bottom))
        above = above or (touches_y and overlap(box.x, box.right, each.x, each.right))
    return beside and above


def _is_picture(picture: Pixels, box: Rect, noise: float) -> bool:
    """Is it full of different shades?"""
    inner = picture[box.y + 4 : box.bottom - 4, box.x + 4 : box.right - 4]
    if not inner.size:
        return True
    apart = np.abs(inner.astype(np.float32) - level_in(picture, box, 4)).max(axis=2)
    return bool((apart > max(24.0, 5 * noise)).mean() > 0.5)


def level_in(picture: Pixels, box: Rect, inset: int) -> Pixels:
    """The ground of each row inside a box, so many pixels from its sides, as it is at both ends: it may go from one shade to another."""
    inner = picture[box.y + inset : box.bottom - inset, box.x + inset : box.right - inset].astype(np.float32)
    ends = np.concatenate((inner[:, :3], inner[:, -3:]), axis=1)
    level = np.median(ends, axis=1, keepdims=True)
    softened: Pixels = cv2.blur(level, (1, 5), borderType=cv2.BORDER_REPLICATE).reshape(level.shape)
    return softened


def fill_of(picture: Pixels, box: Rect) -> Pixels:
    """The most usual colour inside a box (blue, green, red)."""
    inner = picture[box.y + 4 : box.bottom - 4, box.x + 4 : box.right - 4]
    return np.median(inner.reshape(-1, 3), axis=0) if inner.size else np.zeros(3)


def ground_of(picture: Pixels, box: Rect) -> Pixels:
    """The most usual colour right around a box (blue, green, red)."""
    height, width = picture.shape[:2]
    near = box.grown(7, 7).intersection(Rect(0, 0, width, height))
    part = picture[near.y : near.bottom, near.x : near.right]
    outside = np.ones(part.shape[:2], bool)
    own = box.grown(4, 4)
    outside[max(0, own.y - near.y) : own.bottom - near.y, max(0, own.x - near.x) : own.right - near.x] = False
    return np.median(part[outside], axis=0) if outside.any() else fill_of(picture, box)
