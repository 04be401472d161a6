"""Which parts of a picture must be read, when pictures like it have been read before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from desktop_agent.protocol.geometry import Rect, bounding_box
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.ocr.preprocess import whole, widened
from desktop_agent.vision.settling.tile_diff import changed_areas

MOST = 4
"""Parts read apart; each is one start of the recogniser."""
MOSTLY = 0.6
"""When more than this share is to be read, all is read in one piece."""
_CARET_WIDTH = 1  # pixels; no letter is as narrow


class PlacedWord(Protocol):
    """A word: where it is in the frame's own pixels, and its line."""

    @property
    def bounds(self) -> Rect: ...
    @property
    def line(self) -> tuple[int, ...]: ...


@dataclass(frozen=True)
class OcrPart:
    """`core` is what is new, `read` the same with some ground around it for the recogniser (own pixels)."""

    core: Rect
    read: Rect

    def has(self, word: Rect) -> bool:
        """Does a word found in `read` count? One on the edge was known before."""
        return self.core.contains(word.center)


WordT = TypeVar("WordT", bound=PlacedWord)


@dataclass(frozen=True)
class OcrReading(Generic[WordT]):
    """A frame and what was read on it."""

    frame: Frame
    words: tuple[WordT, ...]


def whole_part(frame: Frame) -> OcrPart:
    return OcrPart(whole(frame), whole(frame))


def changed_parts(frame: Frame, before: OcrReading[WordT]) -> tuple[OcrPart, ...]:
    """The parts in which the frame is not what the reading was of, words that are cut by them included."""
    if before.frame.size != frame.size:
        return (whole_part(frame),)
    areas, _ = changed_areas(before.frame, frame, frame.size.width * frame.size.height)
    new = [_own(area, frame) for area in areas if area.width > _CARET_WIDTH]
    cores = _few([_with_words(area, before.words, frame) for area in new], frame)
    if sum(widened(core, frame).area for core in cores) > MOSTLY * whole(frame).area:
        return (whole_part(frame),)
    return tuple(OcrPart(core, widened(core, frame)) for core in cores)


def least_to_read(
    frame: Frame, before: Iterable[OcrReading[WordT]]
) -> tuple[tuple[OcrPart, ...], OcrReading[WordT] | None]:
    """What to read when one of these readings is gone by, and which one: the one with the least to read."""
    plans: list[tuple[tuple[OcrPart, ...], OcrReading[WordT] | None]] = [((whole_part(frame),), None)]
    plans += [(changed_parts(frame, each), each) for each in before]
    return min(plans, key=lambda plan: sum(part.read.area for part in plan[0]))


def _own(area: Rect, frame: Frame) -> Rect:
    return area.moved(-frame.region.x, -frame.region.y)


def _with_words(area: Rect, words: Sequence[PlacedWord], frame: Frame) -> Rect:
    """A word that is only partly new is read again as a whole, and so is its line: it may have become another one."""
    near = widened(area, frame)
    lines = {word.line for word in words if not word.bounds.intersection(near).empty}
    for word in words:
        if word.line in lines:
            area = bounding_box((area, word.bounds))
    return area


def _few(areas: Iterable[Rect], frame: Frame) -> list[Rect]:
    """At most MOST areas that do not overlap, also not with the ground around them."""
    found: list[Rect] = []
    for area in areas:
        found = list(_joined(area, found, frame))
    while len(found) > MOST:
        one, other = min(_pairs(found), key=lambda pair: _added(*pair))
        rest = [area for area in found if area not in (one, other)]
        found = list(_joined(bounding_box((one, other)), rest, frame))
    return found


def _joined(area: Rect, others: Sequence[Rect], frame: Frame) -> Iterator[Rect]:
    """The others, with the area taken into one with those it touches."""
    left = list(others)
    while touched := [
        each for each in left if not widened(each, frame).intersection(widened(area, frame)).empty
    ]:
        for each in touched:
            area = bounding_box((area, each))
            left.remove(each)
    yield from (*left, area)


def _pairs(areas: Sequence[Rect]) -> Iterator[tuple[Rect, Rect]]:
    return ((one, other) for i, one in enumerate(areas) for other in areas[i + 1 :])


def _added(one: Rect, other: Rect) -> int:
    return bounding_box((one, other)).area - one.area - other.area
