"""Detects scrolling: by how many pixels the content of a region moved between two frames."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any

from desktop_agent.vision.capture.frame import Frame

if TYPE_CHECKING:
    from numpy.typing import NDArray

ENOUGH = 0.6
"""Of the lines still inside the region after the move, the share that has to be found again."""
LEAST = 8
"""Lines that have to be found again at least: fewer may match by chance."""
EDGE = 0.15
"""Share of each side that is ignored: scroll bars and shadows are there."""


def scroll_offset(before: Frame, after: Frame) -> tuple[int, int]:
    """Pixels (right, down) by which the content moved between two frames of one region; (0, 0) when it did not.

    Only one of the two is ever non-zero. Frames of different regions give (0, 0).
    """
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
    """The content of each row, None for rows of a single colour: they occur everywhere and prove nothing."""
    import numpy as np

    edge = int(pixels.shape[1] * EDGE)
    inner = np.ascontiguousarray(pixels[:, edge : pixels.shape[1] - edge])
    if not inner.size:
        return [None] * inner.shape[0]
    plain = (inner == inner[:, :1]).all(axis=1)
    rows = inner.view(np.dtype((np.void, inner.shape[1] * inner.itemsize))).ravel().tolist()
    return [None if one else row for one, row in zip(plain.tolist(), rows, strict=True)]


def _along(one: Sequence[Hashable], other: Sequence[Hashable]) -> int:
    """The distance at which most lines are found again; 0 when too few are, or most have not moved."""
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
