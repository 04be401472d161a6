"""Draws the ids of elements beside them on a picture (set-of-marks prompting).

For models that name a marked element more reliably than its coordinates.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from desktop_agent.protocol.geometry import Rect, Size, Viewport
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.encoding.encode import scaled_pixels
from desktop_agent.vision.observation import Element, Observation

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont

MOST = 120  # marks on one picture
FONT = 11  # pixels
LEAST = 6  # pixels: a smaller element would vanish beside its mark
_LARGE = 0.25  # of the picture: a larger element is no control to press
_STEP = 24  # of 255, between neighbouring pixels: a greater one is an edge of something drawn
_COLOURS = (
    (200, 30, 30),
    (20, 90, 200),
    (0, 120, 60),
    (150, 60, 180),
    (170, 90, 0),
)  # white reads well on all
_PRESSED = frozenset((
    "push button", "button", "toggle button", "check box", "radio button", "link", "page tab", "list item",
    "menu", "menu item", "check menu item", "radio menu item", "switch", "icon", "table cell", "tree item",
    "combo box", "entry", "password text", "slider", "spin button", "column header",
))  # fmt: skip


def draw_marks(observation: Observation) -> Frame:
    """The observation's frame at the size for the model, with the id of each element to press or type into beside it."""
    size = observation.viewport.image
    picture = Frame(scaled_pixels(observation.frame, size), Rect(0, 0, size.width, size.height), 0, 0.0)
    things = list(_things(observation.elements, observation.viewport))
    return _drawn(picture, place_marks(picture, things)) if things else picture


def place_marks(picture: Frame, things: Sequence[tuple[str, Rect]]) -> list[tuple[str, Rect, Rect]]:
    """For each (id, bounds) of an element also the bounds of its mark: on empty ground, beside it, off the others.

    All in pixels of `picture`. Elements with no room for a mark are left out.
    """
    busy = _Busy(picture)
    marks: list[tuple[str, Rect, Rect]] = []
    for id, thing in things:
        label = _label(id)
        near = thing.grown(label.width + 2, label.height + 2)  # where its mark may be
        others = [other for _, other in things if other != thing and _common(other, near)]
        taken = [mark for _, _, mark in marks if _common(mark, near)]
        spots = [spot for spot in _spots(thing, label) if spot.intersection(picture.region) == spot]
        if spots:
            best = min(spots, key=lambda spot: _cost(spot, thing, others, taken) + busy.within(spot))
            marks.append((id, thing, best))
    return marks


def _things(elements: Iterable[Element], viewport: Viewport) -> Iterator[tuple[str, Rect]]:
    found = [(each, viewport.rect_to_image(each.bounds)) for each in elements if _is_thing(each)]
    most = _LARGE * viewport.image.width * viewport.image.height
    sized = [
        (each, rect)
        for each, rect in found
        if min(rect.width, rect.height) >= LEAST
        and ("editable" in each.states or rect.width * rect.height <= most)
    ]
    yield from ((each.id, rect) for each, rect in sized[:MOST])


def _is_thing(element: Element) -> bool:
    return element.source == "ocr" or element.role in _PRESSED or "editable" in element.states


def _spots(thing: Rect, label: Size) -> Iterator[Rect]:
    """Candidate places of a mark: around the element first, then inside its corners."""
    width, height = label.width, label.height
    middle = thing.y + (thing.height - height) // 2
    left, right = thing.x - width - 1, thing.right + 1
    above, below = thing.y - height - 1, thing.bottom + 1
    low, far = thing.bottom - height, thing.right - width
    for x, y in (
        (left, middle), (left, thing.y), (thing.x, above), (thing.x, below), (right, middle), (far, above),
        (far, below), (left, above), (right, above), (thing.x, thing.y), (far, thing.y), (far, low), (thing.x, low),
    ):  # fmt: skip
        yield Rect(x, y, width, height)


def _cost(spot: Rect, thing: Rect, others: Iterable[Rect], taken: Iterable[Rect]) -> float:
    """Weighted count of covered pixels: another mark's weigh most, then the element's own, then its neighbours'."""
    return (
        8 * sum(_common(spot, mark) for mark in taken)
        + 2 * _common(spot, thing)
        + sum(_common(spot, other) for other in others)
    )


def _common(one: Rect, other: Rect) -> int:
    width = min(one.right, other.right) - max(one.x, other.x)
    height = min(one.bottom, other.bottom) - max(one.y, other.y)
    return width * height if width > 0 and height > 0 else 0


class _Busy:
    """Counts edge pixels (letters, borders) in any rectangle of a picture, by an integral image."""

    def __init__(self, picture: Frame) -> None:
        size = picture.size
        pixels = np.frombuffer(picture.pixels, np.uint8).reshape(size.height, size.width, 4)
        light: NDArray[Any] = pixels[:, :, 1].astype(np.int16)
        drawn = np.zeros((size.height + 1, size.width + 1), np.int32)
        drawn[1:-1, 1:-1] = (np.abs(np.diff(light, axis=0))[:, :-1] > _STEP) | (
            np.abs(np.diff(light, axis=1))[:-1] > _STEP
        )
        self._sums = drawn.cumsum(axis=0).cumsum(axis=1)

    def within(self, rect: Rect) -> float:
        sums = self._sums
        whole = sums[rect.bottom, rect.right] - sums[rect.y, rect.right]
        return 4.0 * float(whole - sums[rect.bottom, rect.x] + sums[rect.y, rect.x])


def _drawn(picture: Frame, marks: Sequence[tuple[str, Rect, Rect]]) -> Frame:
    from PIL import Image, ImageDraw

    size = (picture.size.width, picture.size.height)
    image = Image.frombytes("RGB", size, picture.pixels, "raw", "BGRX")
    draw = ImageDraw.Draw(image)
    for number, (_, thing, _) in enumerate(marks):
        colour = _COLOURS[number % len(_COLOURS)]
        draw.rectangle((thing.x - 1, thing.y - 1, thing.right, thing.bottom), outline=colour)  # just outside
    for number, (id, _, mark) in enumerate(marks):
        _write(draw, id, mark, _COLOURS[number % len(_COLOURS)])
    pixels = image.tobytes("raw", "BGRX")
    return Frame(pixels, picture.region, picture.epoch, picture.time)


def _write(draw: ImageDraw, id: str, mark: Rect, colour: tuple[int, int, int]) -> None:
    draw.rectangle((mark.x, mark.y, mark.right - 1, mark.bottom - 1), fill=colour)
    middle = (mark.x + mark.width / 2, mark.y + mark.height / 2)
    draw.text(middle, id, fill=(255, 255, 255), font=_font(), anchor="mm")


def _label(id: str) -> Size:
    left, _, right, _ = _font().getbbox(id)
    return Size(int(right - left) + 4, FONT + 2)


@lru_cache(maxsize=1)
def _font() -> FreeTypeFont:
    """Pillow's own font: the same on every machine."""
    from PIL import ImageFont

    font = ImageFont.load_default(FONT)
    assert isinstance(font, ImageFont.FreeTypeFont)  # noqa: S101 - Pillow's wheels come with FreeType
    return font
