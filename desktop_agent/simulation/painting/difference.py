"""What differs between two lists of pieces, and the parts of the screen that have to be drawn again for it."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict, deque
from collections.abc import Iterator, Sequence

from desktop_agent.protocol.geometry import Rect, bounding_box
from desktop_agent.simulation.drawing.pieces import ScreenPiece

FEW = 24
"""With more pieces changed than this, it is looked whether they only stand elsewhere in the list."""
MANY = 64
"""With more rectangles than this, the one around all is drawn: joining them takes longer."""
_A_PART = 6_000
"""Square pixels that may be drawn in vain to save a further part: what the beginning of one costs."""


def changed(before: Sequence[ScreenPiece], after: Sequence[ScreenPiece]) -> list[ScreenPiece]:
    """The pieces that went, came, or stand in another order than before."""
    if len(before) == len(after):
        pairs = [pair for pair in zip(before, after, strict=True) if pair[0] != pair[1]]
        if len(pairs) <= FEW:
            return [piece for pair in pairs for piece in pair]
    first = _alike(before, after)
    last = _alike(before[first:][::-1], after[first:][::-1])
    return list(_rearranged(before[first : len(before) - last], after[first : len(after) - last]))


def _alike(one: Sequence[ScreenPiece], other: Sequence[ScreenPiece]) -> int:
    """How many pieces are the same from the beginning."""
    for number, (a, b) in enumerate(zip(one, other, strict=False)):
        if a != b:
            return number
    return min(len(one), len(other))


def _rearranged(before: Sequence[ScreenPiece], after: Sequence[ScreenPiece]) -> Iterator[ScreenPiece]:
    """All but the longest series of pieces that both lists have in the same order."""
    places: dict[ScreenPiece, deque[int]] = defaultdict(deque)
    for place, piece in enumerate(before):
        places[piece].append(place)
    kept: list[int] = []
    for piece in after:
        if places.get(piece):
            kept.append(places[piece].popleft())
        else:
            yield piece
    staying = set(_rising(kept))
    yield from (piece for place, piece in enumerate(before) if place not in staying)


def _rising(numbers: Sequence[int]) -> list[int]:
    """The longest rising series in the numbers, none of which is there twice."""
    ends: list[int] = []
    chains: list[tuple[int, int]] = []
    at: list[int] = []
    for index, number in enumerate(numbers):
        length = bisect_left(ends, number)
        previous = at[length - 1] if length else -1
        chains.append((number, previous))
        if length == len(ends):
            ends.append(number)
            at.append(index)
        else:
            ends[length], at[length] = number, index
    found: list[int] = []
    index = at[-1] if at else -1
    while index >= 0:
        number, index = chains[index]
        found.append(number)
    return found[::-1]


def joined(rects: Sequence[Rect], screen: Rect) -> list[Rect]:
    """The parts of the screen to draw for these rectangles: few, and not much larger than they are."""
    parts = list(
        dict.fromkeys(part for part in (each.intersection(screen) for each in rects) if not part.empty)
    )
    if len(parts) > MANY:
        parts = [bounding_box(parts)]
    waiting = True
    while waiting:
        waiting = False
        for place, part in enumerate(parts):
            partner = _partner(part, parts[place + 1 :])
            if partner is not None:
                parts = [each for each in parts if each not in (part, partner)]
                parts.append(bounding_box((part, partner)))
                waiting = True
                break
    if sum(part.area for part in parts) > 0.6 * screen.area:
        return [screen]
    return parts


def _partner(part: Rect, others: Sequence[Rect]) -> Rect | None:
    """Another rectangle that is better drawn together with this one."""
    for other in others:
        around = bounding_box((part, other))
        if around.area <= part.area + other.area + _A_PART:
            return other
    return None
