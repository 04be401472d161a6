"""Plans incremental OCR: which parts of a picture to recognise, given similar pictures read before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from desktop_agent.protocol.geometry import Rect, bounding_box
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.ocr.preprocess import whole, widened
from desktop_agent.vision.settling.tile_diff import changed_areas

MOST = 4
"""Parts recognised separately, at most: each starts the OCR program once."""
MOSTLY = 0.6
"""When more than this share of the picture has to be read, all of it is read in one piece."""
_CARET_WIDTH = 1  # pixels; no letter is as narrow


class PlacedWord(Protocol):
    """A recognised word: its bounds in the frame's own pixels, and the id of its line."""

    @property
    def bounds(self) -> Rect: ...
    @property
    def line(self) -> tuple[int, ...]: ...


@dataclass(frozen=True)
class OcrPart:
    """A part of a frame to recognise: `core` has changed, `read` adds the margin the recogniser needs (own pixels)."""

    core: Rect
    read: Rect

    def has(self, word: Rect) -> bool:
        """True when a word found in `read` lies in `core`; one on the margin is known from before."""
        return self.core.contains(word.center)


WordT = TypeVar("WordT", bound=PlacedWord)


@dataclass(frozen=True)
class OcrReading(Generic[WordT]):
    """A frame and the words recognised on it."""

    frame: Frame
    words: tuple[WordT, ...]


def whole_part(frame: Frame) -> OcrPart:
    """The whole frame as one part."""
    return OcrPart(whole(frame), whole(frame))


def changed_parts(frame: Frame, before: OcrReading[WordT]) -> tuple[OcrPart, ...]:
    """The parts of the frame that differ from an earlier reading, widened to whole words and lines they cut."""
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
    """The smallest set of parts to recognise, and the earlier reading it builds on (None: the whole frame is read)."""
    plans: list[tuple[tuple[OcrPart, ...], OcrReading[WordT] | None]] = [((whole_part(frame),), None)]
    plans += [(changed_parts(frame, each), each) for each in before]
    return min(plans, key=lambda plan: sum(part.read.area for part in plan[0]))


def _own(area: Rect, frame: Frame) -> Rect:
    return area.moved(-frame.region.x, -frame.region.y)


def _with_words(area: Rect, words: Sequence[PlacedWord], frame: Frame) -> Rect:
    """The area grown to the whole lines of all words it touches: a partly changed word may be another word now."""
    near = widened(area, frame)
    lines = {word.line for word in words if not word.bounds.intersection(near).empty}
    for word in words:
        if word.line in lines:
            area = bounding_box((area, word.bounds))
    return area


def _few(areas: Iterable[Rect], frame: Frame) -> list[Rect]:
    """The areas joined until at most MOST are left whose margins do not overlap."""
    found: list[Rect] = []
    for area in areas:
        found = list(_joined(area, found, frame))
    while len(found) > MOST:
        one, other = min(_pairs(found), key=lambda pair: _added(*pair))
        rest = [area for area in found if area not in (one, other)]
        found = list(_joined(bounding_box((one, other)), rest, frame))
    return found


def _joined(area: Rect, others: Sequence[Rect], frame: Frame) -> Iterator[Rect]:
    """The others with `area` added, joined with those that it touches."""
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
