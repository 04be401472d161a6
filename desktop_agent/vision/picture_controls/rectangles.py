"""Rectangles whose four sides can be seen: borders of fields and buttons, and filled areas."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from desktop_agent.protocol.geometry import Rect
from desktop_agent.vision.picture_controls.picture_lines import Pixels, StraightEdges, segments

_LEAST_WIDE, _LEAST_HIGH, _MOST_HIGH = 22, 15, 330
_ALIKE = 7
"""Pixels by which two sides of one box may end differently: rounded corners, blur."""
_CORNER = 7
"""Pixels at each end of a side that may be missing: rounded corners."""
_INSET, _STRAY = 3, 0.12
"""Pixels from a side to the ground within, and share of that ground that may be something else."""
_SIDE, _GAP = 0.86, 7
"""Share of a side that must be seen, and longest part of it that may be missing."""


class _Sides:
    """Edges of one direction, with sums along them."""

    def __init__(self, edges: Pixels) -> None:
        self.edges = edges
        self.sums = np.zeros((edges.shape[0], edges.shape[1] + 1), np.int32)
        np.cumsum(edges, axis=1, out=self.sums[:, 1:])

    def near(self, at: int, first: int, last: int) -> int | None:
        """The row near `at` with an unbroken edge between two columns."""
        corner = min(_CORNER, (last - first) // 4)
        first, last = first + corner, last - corner + 1
        low = max(0, at - _CORNER)
        part = self.sums[low : at + _CORNER + 1]
        seen = (part[:, last] - part[:, first]) / max(1, last - first)
        most = float(seen.max(initial=0.0))
        if most < _SIDE:
            return None
        rows = np.flatnonzero(seen >= max(_SIDE, most - 0.02)) + low
        for row in sorted(rows.tolist(), key=lambda each: abs(each - at)):
            if _longest_gap(self.edges[row, first:last]) <= _GAP:
                return int(row)
        return None


def rectangles(picture: Pixels, edges: StraightEdges) -> list[Rect]:
    """Every rectangle with four visible sides, none twice, and none that is only two others side by side."""
    across, down = _Sides(edges.across), _Sides(np.ascontiguousarray(edges.down.T))
    tried: dict[Rect, bool] = {}
    for left, top, right, bottom in _candidates(edges):
        box = _fitted(across, down, left, top, right, bottom)
        if box is not None and box not in tried:
            tried[box] = _padded(picture, box, edges.noise)
    return _composed(_single([box for box, good in tried.items() if good]))


def _candidates(edges: StraightEdges) -> Iterator[tuple[int, int, int, int]]:
    """Pairs of sides that begin and end alike, as left, top, right, bottom."""
    down = sorted(segments(edges.down, down=True))
    for number, (left, top, bottom) in enumerate(down):
        if not _LEAST_HIGH - _CORNER <= bottom - top <= _MOST_HIGH:
            continue
        for right, other_top, other_bottom in down[number + 1 :]:
            alike = abs(other_top - top) <= _ALIKE and abs(other_bottom - bottom) <= _ALIKE
            if alike and right - left >= _LEAST_WIDE:
                yield left, min(top, other_top), right, max(bottom, other_bottom)
    across = sorted(segments(edges.across, down=False))
    for number, (top, left, right) in enumerate(across):
        if right - left < _LEAST_WIDE - 2 * _CORNER:
            continue
        for bottom, other_left, other_right in across[number + 1 :]:
            if bottom - top > _MOST_HIGH:
                break
            alike = abs(other_left - left) <= _ALIKE and abs(other_right - right) <= _ALIKE
            if alike and bottom - top >= _LEAST_HIGH:
                yield min(left, other_left), top, max(right, other_right), bottom


def _fitted(across: _Sides, down: _Sides, left: int, top: int, right: int, bottom: int) -> Rect | None:
    """The rectangle moved to where its sides are seen best; None when one is not seen."""
    for _ in range(2):
        found_top, found_bottom = across.near(top, left, right), across.near(bottom, left, right)
        if found_top is None or found_bottom is None or found_bottom - found_top < _LEAST_HIGH:
            return None
        top, bottom = found_top, found_bottom
        found_left, found_right = down.near(left, top, bottom), down.near(right, top, bottom)
        if found_left is None or found_right is None or found_right - found_left < _LEAST_WIDE:
            return None
        left, right = found_left, found_right
    return Rect(left, top, right - left + 1, bottom - top + 1)


def _padded(picture: Pixels, box: Rect, noise: float) -> bool:
    """Is there plain ground along the inside of its sides? Lines of text have none."""
    inner = picture[box.y + _INSET : box.bottom - _INSET, box.x + _INSET : box.right - _INSET].astype(np.float32)
    uneven = max(12.0, 4 * noise)
    strips = (inner[:2].mean(axis=0), inner[-2:].mean(axis=0), inner[:, :2].mean(axis=1), inner[:, -2:].mean(axis=1))
    for strip in strips:
        ends = strip[4:-4] if len(strip) > 16 else strip[len(strip) // 4 : -(len(strip) // 4)]
        half = len(ends) // 2
        # a ground that goes gently from one shade to another is plain, too
        first, second = np.median(ends[:half], axis=0), np.median(ends[half:], axis=0)
        place = (np.arange(len(ends))[:, None] - half / 2) / max(1, half)
        plain = first + (second - first) * np.clip(place, -0.5, 1.5)
        if (np.abs(ends - plain).max(axis=1) > uneven).mean() > _STRAY:
            return False
    return True


def _longest_gap(seen: Pixels) -> int:
    places = np.flatnonzero(np.concatenate(([True], seen, [True])))
    return int(np.diff(places).max()) - 1


def _single(boxes: list[Rect]) -> list[Rect]:
    """One of each group that differ by the thickness of a border."""
    kept: list[Rect] = []
    for box in sorted(set(boxes), key=lambda each: -each.area):
        if not any(_same(box, other) for other in kept):
            kept.append(box)
    return kept


def _same(one: Rect, other: Rect) -> bool:
    near = max(3, min(5, min(one.height, other.height) // 5))
    return (
        abs(one.x - other.x) <= near
        and abs(one.y - other.y) <= near
        and abs(one.right - other.right) <= near
        and abs(one.bottom - other.bottom) <= near
    )


def _composed(boxes: list[Rect]) -> list[Rect]:
    """Without those that only join others in one row: from the left side of one to the right side of another."""

    def inside(box: Rect) -> list[Rect]:
        return [
            each
            for each in boxes
            if each is not box
            and abs(each.y - box.y) <= 4
            and abs(each.bottom - box.bottom) <= 4
            and box.x - 4 <= each.x
            and each.right <= box.right + 4
            and each.width < box.width - 12
        ]

    def joins(box: Rect) -> bool:
        parts = inside(box)
        begins = [each for each in parts if abs(each.x - box.x) <= 4]
        ends = [each for each in parts if abs(each.right - box.right) <= 4]
        return bool(begins and ends)

    whole = [box for box in boxes if not joins(box)]
    # What fills the gap between two boxes of a row is itself a rectangle.
    return [box for box in whole if not _gap(box, whole)]


def _gap(box: Rect, boxes: list[Rect]) -> bool:
    row = [
        each for each in boxes if each is not box and abs(each.y - box.y) <= 4 and abs(each.bottom - box.bottom) <= 4
    ]
    return any(abs(each.right - box.x) <= 5 for each in row) and any(
        abs(each.x - box.right) <= 5 for each in row
    ) and box.width < 60
