"""Whether what a part of the screen showed is still there, some pixels further up, down or across: it was scrolled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any

from desktop_agent.vision.capture.frame import Frame

if TYPE_CHECKING:
    from numpy.typing import NDArray

ENOUGH = 0.6
"""Share of the lines that were there before, and may still be, that have to be found again."""
LEAST = 8
"""Lines that have to be found again at least: less may be chance."""
EDGE = 0.15
"""Share of each side that is left out: scroll bars and shadows are there."""


def scroll_offset(before: Frame, after: Frame) -> tuple[int, int]:
    """How many pixels the content has moved right and down between two frames of one region; (0, 0) when it has not."""
    if before.region != after.region or before.pixels == after.pixels:
        return 0, 0
    one, other = _pixels(before), _pixels(after)
    if down := _along(_lines(one), _lines(other)):
        return 0, down
    return _along(_lines(one.T), _lines(other.T)), 0


def _pixels(frame: Frame) -> NDArray[Any]:
    import numpy as np

    return np.frombuffer(frame.pixels, dtype=np.uint32).reshape(frame.size.height, frame.size.width)


def _lines(pixels: NDArray[Any]) -> list[Hashable]:
    """The content of each row, None for those of one colour: they are everywhere."""
    edge = int(pixels.shape[1] * EDGE)
    inner = pixels[:, edge : pixels.shape[1] - edge]
    return [None if not row.size or (row == row[0]).all() else row.tobytes() for row in inner]


def _along(one: Sequence[Hashable], other: Sequence[Hashable]) -> int:
    """The distance at which most lines are found again, 0 when too few are, or most have stayed."""
    places: dict[Hashable, list[int]] = {}
    for index, line in enumerate(other):
        if line is not None:
            places.setdefault(line, []).append(index)
    distances = Counter(there - here for here, line in enumerate(one) for there in places.get(line, ()))
    if not distances:
        return 0
    distance, found = distances.most_common(1)[0]
    kept = sum(line is not None and 0 <= i + distance < len(other) for i, line in enumerate(one))
    return distance if found >= max(LEAST, ENOUGH * kept) else 0
