"""Rectangles whose four sides can be seen: borders of fields and buttons, and filled areas."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from desktop_agent.extras.camera.picture_controls.picture_lines import Pixels, StraightEdges, segments
from desktop_agent.protocol.geometry import Rect

_LEAST_WIDE, _LEAST_HIGH, _MOST_HIGH = 26, 16, 330
_ALIKE = 7
"""Pixels by which two sides of one box may end differently: rounded corners, blur."""
_CORNER = 7
"""Pixels at each end of a side that may be missing: rounded corners."""
_INSET, _STRAY = 3, 0.12
"""Pixels from a side to the ground within, and share of that ground that may be something else."""
_ARROW_STRAY = 0.3
"""The same at the right side, where the arrow of a list stands close, and above and below the text of a low box."""
_LOW = 25
"""Pixels: in a box no higher, letters stand close to its upper and lower side."""
_WHOLE_SIDE = 0.93
"""Share of a box's height that a line between two boxes runs down; a letter does not."""
_SAME = 0.66
"""Share of all they cover that two rectangles have in common when they are the outer and inner side of one border."""
_BORDER = 6
"""Pixels from the outer to the inner side of a border, at most."""
_NEIGHBOUR = 12
"""Pixels from one control to the next in a row that an edge may bridge."""
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
        corner = min(_CORNER, (last - first) // 6)
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

    def share(self, at: int, first: int, last: int) -> float:
        """How much of the row near `at` is an edge between two columns."""
        part = self.sums[max(0, at - 1) : at + 2]
        return float((part[:, last] - part[:, first]).max()) / max(1, last - first)


def rectangles(picture: Pixels, edges: StraightEdges, before: Sequence[Rect] = ()) -> list[Rect]:
    """Every rectangle with four visible sides, none twice, and none that is only two others side by side.

    `before` are those of an earlier picture: where one still is, no other is taken for it, whatever is written in it now.
    """
    across, down = _Sides(edges.across), _Sides(np.ascontiguousarray(edges.down.T))
    tried: dict[Rect, bool] = {}
    still = [box for box in before if _is_still_there(box, across, down)]
    for left, top, right, bottom in _likely(across, down, _candidates(edges)).tolist():
        box = _fitted(across, down, left, top, right, bottom)
        if box is not None and box not in tried:
            tried[box] = _padded(picture, box, edges.noise) and _has_corners(picture, box)
    good = [box for box, found in tried.items() if found]
    still = [_now(box, good) for box in still]
    new = [box for box in good if not any(_same(box, each) or _is_within(box, each) for each in still)]
    return [*still, *_in_rows(picture, down, _single(new, across, down))]


def _now(box: Rect, good: Sequence[Rect]) -> Rect:
    """The inner side of the border that a box has now: with the focus it may be thicker than before."""
    alike = [each for each in good if _differs(each, box) <= _BORDER + 2]
    return min(alike, key=lambda each: each.width + each.height, default=box)


def _differs(one: Rect, other: Rect) -> int:
    sides = (one.x - other.x, one.y - other.y, one.right - other.right, one.bottom - other.bottom)
    return max(abs(each) for each in sides)


def _has_corners(picture: Pixels, box: Rect) -> bool:
    """Do the left and the right side reach up and down to the corners? A letter in the box that looks like a side does not."""
    part = picture[max(0, box.y - 1) : box.bottom + 1].astype(np.float32)
    top, bottom = box.y - max(0, box.y - 1), len(part) - 2
    inner = slice(box.x + 6, max(box.x + 7, box.right - 6))

    def line(at: int, inside: int) -> Pixels:
        near = part[max(0, at - 1) : at + 2]
        apart: Pixels = np.abs(near - part[inside]).max(axis=2).max(axis=0)
        return apart

    lines = (line(top, top + 5), line(bottom, bottom - 5))
    usual = [float(np.median(each[inner])) for each in lines]
    bands = (part[top + 2 : top + 5].mean(axis=0), part[bottom - 4 : bottom - 1].mean(axis=0))
    for side, inward in ((box.x, 1), (box.right - 1, -1)):
        columns = [each for each in range(side - 2, side + 3) if 0 <= each < picture.shape[1]]
        within = slice(*sorted((side + 5 * inward, side + 8 * inward)))
        for band, above, strong in zip(bands, lines, usual, strict=True):
            here = np.abs(band[columns] - band[within].mean(axis=0)).max()
            ends_before = above[slice(*sorted((side, side + 4 * inward)))].min() < 0.35 * strong  # rounded
            if here < 0.35 * strong and not ends_before:
                return False
    return True


def _is_still_there(box: Rect, across: _Sides, down: _Sides) -> bool:
    fitted = _fitted(across, down, box.x, box.y, box.right - 1, box.bottom - 1)
    if fitted is None:
        return False
    return _differs(fitted, box) <= _BORDER


def _is_within(box: Rect, other: Rect) -> bool:
    common = box.intersection(other)
    return not common.empty and common.area > 0.6 * box.area and box.area <= other.area


def _candidates(edges: StraightEdges) -> Pixels:
    """Pairs of sides that begin and end alike, each as left, top, right, bottom; of near ones only one."""
    first, second = _pairs(segments(edges.down, down=True), _LEAST_WIDE, edges.down.shape[1])
    beside = np.stack(
        (
            first[:, 0],
            np.minimum(first[:, 1], second[:, 1]),
            second[:, 0],
            np.maximum(first[:, 2], second[:, 2]),
        ),
        1,
    )
    first, second = _pairs(segments(edges.across, down=False), _LEAST_HIGH, _MOST_HIGH)
    above = np.stack(
        (
            np.minimum(first[:, 1], second[:, 1]),
            first[:, 0],
            np.maximum(first[:, 2], second[:, 2]),
            second[:, 0],
        ),
        1,
    )
    every = np.concatenate((beside, above))
    high = every[:, 3] - every[:, 1]
    every = every[(high >= _LEAST_HIGH - _CORNER) & (high <= _MOST_HIGH)]
    _, places = np.unique(every // 3, axis=0, return_index=True)
    single: Pixels = every[np.sort(places)]
    return single


def _pairs(lines: list[tuple[int, int, int]], least: int, most: int) -> tuple[Pixels, Pixels]:
    """Two parallel lines each that begin and end alike, between `least` and `most` pixels apart."""
    every = np.array(sorted(lines), np.int32).reshape(-1, 3)
    apart = every[None, :, 0] - every[:, None, 0]
    alike = (np.abs(every[None, :, 1] - every[:, None, 1]) <= _ALIKE) & (
        np.abs(every[None, :, 2] - every[:, None, 2]) <= _ALIKE
    )
    one, other = np.nonzero((apart >= least) & (apart <= most) & alike)
    return every[one], every[other]


def _likely(across: _Sides, down: _Sides, every: Pixels) -> Pixels:
    """Those with some edge near all four sides."""
    for sides, place, begin, end in ((across, 1, 0, 2), (across, 3, 0, 2), (down, 0, 1, 3), (down, 2, 1, 3)):
        at, first, last = every[:, place], every[:, begin], every[:, end]
        corner = np.minimum(_CORNER + 3, (last - first) // 4)
        most = np.zeros(len(every))
        for by in range(-_CORNER, _CORNER + 1):
            row = np.clip(at + by, 0, len(sides.sums) - 1)
            seen = sides.sums[row, last - corner + 1] - sides.sums[row, first + corner]
            most = np.maximum(most, seen / np.maximum(1, last - first + 1 - 2 * corner))
        every = every[most >= _SIDE - 0.06]
    return every


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
    uneven = max(12.0, 4 * noise)
    left, top, right, bottom = box.x + _INSET, box.y + _INSET, box.right - _INSET, box.bottom - _INSET
    inner = picture[top:bottom, left:right].astype(np.float32)
    strips = [
        inner[:2].mean(axis=0),
        inner[-2:].mean(axis=0),
        inner[:, :2].mean(axis=1),
        inner[:, -2:].mean(axis=1),
    ]
    close = _ARROW_STRAY if box.height <= _LOW else _STRAY
    strays = (close, close, _STRAY, _ARROW_STRAY)
    if not all(_plain(strip, uneven, stray) for strip, stray in zip(strips, strays, strict=True)):
        return False
    # beside it, too: what runs down between letters has letters on both sides
    outside = [
        picture[top:bottom, at : at + 2].astype(np.float32).mean(axis=1)
        for at in (box.x - _INSET - 2, box.right + _INSET)
        if 0 <= at < picture.shape[1] - 2
    ]
    return any(_plain(strip, uneven) for strip in outside) or not outside


def _plain(strip: Pixels, uneven: float, stray: float = _STRAY) -> bool:
    """Is it of one shade, or gently going from one to another?"""
    ends = strip[4:-4] if len(strip) > 16 else strip[len(strip) // 4 : -(len(strip) // 4)]
    half = len(ends) // 2
    first, second = np.median(ends[:half], axis=0), np.median(ends[half:], axis=0)
    place = (np.arange(len(ends))[:, None] - half / 2) / max(1, half)
    plain = first + (second - first) * np.clip(place, -0.5, 1.5)
    return bool((np.abs(ends - plain).max(axis=1) > uneven).mean() <= stray)


def _longest_gap(seen: Pixels) -> int:
    places = np.flatnonzero(np.concatenate(([True], seen, [True])))
    return int(np.diff(places).max()) - 1


def _single(boxes: list[Rect], across: _Sides, down: _Sides) -> list[Rect]:
    """One of each group that differ by the thickness of a border, or in a side of which only one is really there."""
    kept: list[Rect] = []
    for box in sorted(set(boxes), key=lambda each: each.width + each.height):
        alike = [other for other in kept if _same(box, other)]
        if not alike:
            kept.append(box)
        elif all(_seen_better(box, other, across, down) for other in alike):
            kept = [each for each in kept if each not in alike]
            kept.append(box)
    return kept


def _seen_better(larger: Rect, smaller: Rect, across: _Sides, down: _Sides) -> bool:
    """Of the sides in which two boxes differ by more than a border, are those of the larger one there as a whole?

    A letter at a field's left end looks like a side, but is not as high as the field.
    """
    sides = (
        (down, larger.x, smaller.x),
        (down, larger.right - 1, smaller.right - 1),
        (across, larger.y, smaller.y),
        (across, larger.bottom - 1, smaller.bottom - 1),
    )
    apart = [each for each in sides if abs(each[1] - each[2]) > _BORDER]
    if not apart or any(
        side is down and not _is_bordered(across, larger, *sorted((own, other))) for side, own, other in apart
    ):
        return False

    def seen(side: _Sides, at: int, box: Rect) -> float:
        first, last = (box.y, box.bottom) if side is down else (box.x, box.right)
        return side.share(at, first + 2, last - 2)

    # Farther apart than two controls stand, beginning and end are of one; nearer, they may be of its neighbour.
    return all(
        seen(side, own, larger)
        > seen(side, other, smaller) + (-0.03 if side is down and abs(own - other) > _NEIGHBOUR else 0.06)
        for side, own, other in apart
    )


def _is_bordered(across: _Sides, box: Rect, first: int, last: int) -> bool:
    """Do its upper and lower side go on between these columns? Between a box and its neighbour they do not."""
    if last - first < 8:
        return True
    return all(across.share(at, first + 2, last - 2) > 0.4 for at in (box.y, box.bottom - 1))


def _same(one: Rect, other: Rect) -> bool:
    common = one.intersection(other)
    return not common.empty and common.area > _SAME * (one.area + other.area - common.area)


def _in_rows(picture: Pixels, down: _Sides, boxes: list[Rect]) -> list[Rect]:
    """Of boxes within a box of the same height either that one, or them: several side by side, or letters in one field."""
    kept = list(boxes)
    for box in sorted(boxes, key=lambda each: -each.width):
        parts = [
            each
            for each in kept
            if each != box
            and abs(each.y - box.y) <= 5
            and abs(each.bottom - box.bottom) <= 5
            and box.x - 4 <= each.x
            and each.right <= box.right + 4
            and each.width < box.width - 8
        ]
        if box not in kept or not parts:
            continue
        begins = any(abs(each.x - box.x) <= 5 for each in parts)
        ends = any(abs(each.right - box.right) <= 5 for each in parts)
        inner = {at for each in parts for at in (each.x, each.right - 1) if box.x + 8 < at < box.right - 8}
        divided = any(_divides(picture, down, box, at) for at in inner)
        if begins and ends and divided:
            kept.remove(box)
        elif not divided:
            kept = [each for each in kept if each not in parts]
        else:
            kept = [each for each in kept if each not in parts or begins or ends]
    return [box for box in kept if not _gap(box, kept)]


def _divides(picture: Pixels, down: _Sides, box: Rect, at: int) -> bool:
    """Is the box made of two there: does a line run all the way down, or is its upper side interrupted?"""
    columns = down.sums[max(0, at - 1) : at + 2]
    seen = float((columns[:, box.bottom - 1] - columns[:, box.y + 1]).max()) / max(1, box.height - 2)
    if seen > _WHOLE_SIDE:
        return True
    top = max(6, box.y)
    strip = picture[top - 6 : top + 3, box.x + 6 : box.right - 6].astype(np.float32)
    border = np.abs(strip[3:] - strip[:2].mean(axis=0)).max(axis=2).max(axis=0)
    place = at - box.x - 6
    near = border[max(0, place - 6) : place + 7]
    return bool(near.size and near.min() < 0.5 * float(np.median(border)))


def _gap(box: Rect, boxes: list[Rect]) -> bool:
    row = [
        each
        for each in boxes
        if each is not box and abs(each.y - box.y) <= 4 and abs(each.bottom - box.bottom) <= 4
    ]
    return (
        any(abs(each.right - box.x) <= 5 for each in row)
        and any(abs(each.x - box.right) <= 5 for each in row)
        and box.width < 60
    )
