"""Marks stand beside their elements, are legible, and hide nothing."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from PIL import Image, ImageDraw

from desktop_agent.protocol.geometry import Rect, Size, Viewport
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.elements.describe import describe_observation
from desktop_agent.vision.encoding.set_of_marks import draw_marks, place_marks
from desktop_agent.vision.observation import Element, Observation
from desktop_agent.vision.ocr.tesseract import WordReader

LABELS = ("Open", "Save", "Print", "Close", "Undo", "Redo", "Find", "Help", "Copy")


def buttons(gap: int = 40) -> tuple[Frame, tuple[Element, ...]]:
    """Buttons in three rows on a light ground."""
    image = Image.new("RGB", (640, 360), (240, 240, 240))
    draw, found = ImageDraw.Draw(image), []
    for number, label in enumerate(LABELS):
        row, column = divmod(number, 3)
        place = Rect(60 + column * (90 + gap), 40 + row * (30 + gap), 90, 30)
        draw.rectangle(
            (place.x, place.y, place.right - 1, place.bottom - 1), (225, 225, 225), (120, 120, 120)
        )
        draw.text((place.center.x, place.center.y), label, (0, 0, 0), anchor="mm", font_size=14)
        found.append(Element(f"e{number + 1}", "push button", label, place, states=frozenset(("enabled",))))
    frame = Frame(image.tobytes("raw", "BGRX"), Rect(0, 0, 640, 360), 1, 0.0)
    return frame, tuple(found)


def look(frame: Frame, elements: tuple[Element, ...], size: Size | None = None) -> Observation:
    return Observation(frame, Viewport(frame.region, size or frame.size, frame.epoch), elements)


def pixels(frame: Frame, part: Rect) -> bytes:
    whole = np.frombuffer(frame.pixels, np.uint8).reshape(frame.size.height, frame.size.width, 4)
    return whole[part.y : part.bottom, part.x : part.right, :3].tobytes()


def test_the_things_themselves_stay_as_they_are() -> None:
    frame, elements = buttons()
    shown = draw_marks(look(frame, elements))
    assert shown.pixels != frame.pixels
    for element in elements:
        assert pixels(shown, element.bounds) == pixels(frame, element.bounds)


def test_each_mark_is_beside_its_thing_and_on_no_other_mark() -> None:
    for gap in (40, 4):
        frame, elements = buttons(gap)
        marks = place_marks(frame, [(each.id, each.bounds) for each in elements])
        assert [id for id, _, _ in marks] == [each.id for each in elements]
        for _, thing, mark in marks:
            near = Rect(thing.x - 40, thing.y - 20, thing.width + 80, thing.height + 40)
            assert mark.intersection(near) == mark
            assert not mark.contains(thing.center)
        for (_, _, one), (_, _, other) in itertools.combinations(marks, 2):
            assert one.intersection(other).empty


@pytest.mark.linux("reads with tesseract, which Windows comes without")
def test_the_marks_are_the_ids_of_the_text_form_and_can_be_read() -> None:
    frame, elements = buttons()
    observation = look(frame, elements)
    told = {line.split()[0] for line in describe_observation(observation).splitlines() if line[:1] == "e"}
    shown = draw_marks(observation)
    marks = place_marks(frame, [(each.id, each.bounds) for each in elements])
    assert {id for id, _, _ in marks} == told
    read = {id for id, _, mark in marks if id in _enlarged(shown, mark)}
    assert len(read) >= len(told) - 1, told - read


def _enlarged(frame: Frame, mark: Rect) -> set[str]:
    """What can be read on a mark."""
    part = Image.frombuffer("RGB", (mark.width, mark.height), pixels(frame, mark), "raw", "BGR", 0, 1)
    large = part.resize((part.width * 3, part.height * 3), Image.Resampling.BICUBIC)
    ground = Image.new("RGB", (large.width + 60, large.height + 60), part.getpixel((0, 0)))
    ground.paste(large, (30, 30))
    picture = Frame(ground.tobytes("raw", "BGRX"), Rect(0, 0, *ground.size), 1, 0.0)
    return {line.name.casefold() for line in WordReader(120)(picture, StopFlag())}


def test_marks_keep_their_size_on_a_smaller_picture() -> None:
    frame, elements = buttons()
    small = draw_marks(look(frame, elements, Size(320, 180)))
    assert small.size == Size(320, 180)
    things = [(each.id, Rect(*(v // 2 for v in _numbers(each.bounds)))) for each in elements]
    assert {mark.height for _, _, mark in place_marks(small, things)} == {13}


def _numbers(rect: Rect) -> tuple[int, int, int, int]:
    return rect.x, rect.y, rect.width, rect.height


def test_what_is_no_thing_gets_no_mark() -> None:
    frame, _ = buttons()
    for element in (
        Element("e1", "label", "Name:", Rect(300, 300, 50, 20)),
        Element("e2", "list item", "everything", Rect(0, 0, 640, 300)),
        Element("e3", "push button", "too small", Rect(300, 300, 4, 4)),
        Element("e4", "push button", "elsewhere", Rect(1000, 300, 40, 40)),
    ):
        assert draw_marks(look(frame, (element,))).pixels == frame.pixels, element
    box = Element("e5", "text", "", Rect(0, 0, 600, 340), states=frozenset(("editable",)))
    assert draw_marks(look(frame, (box,))).pixels != frame.pixels


def test_a_thing_at_the_edge_is_marked_inside_the_picture() -> None:
    frame = Frame(b"\xff" * (100 * 60 * 4), Rect(0, 0, 100, 60), 1, 0.0)
    ((_, _, mark),) = place_marks(frame, [("e17", Rect(0, 0, 100, 60))])
    assert mark.intersection(frame.region) == mark
