"""Shapes and colours in a picture."""

from __future__ import annotations

import math

import pytest

from desktop_agent.llm.offline.colour_names import NAMES, family, is_shade, name_of, named
from desktop_agent.llm.offline.shapes import Shape, shapes
from desktop_agent.protocol.geometry import Rect
from desktop_agent.vision.capture.frame import Frame
from tests.vision.drawing import Canvas

ALL = Rect(0, 0, 400, 300)


def only(canvas: Canvas) -> Shape:
    (found,) = shapes(canvas.frame, ALL)
    return found


@pytest.mark.parametrize("size", [8, 10, 16, 24, 60])
def test_the_basic_shapes_are_known_at_any_size(size: int) -> None:
    canvas = Canvas()
    canvas.pen.ellipse((20, 20, 20 + size, 20 + size), "red")
    canvas.pen.rectangle((120, 20, 120 + size, 20 + size), "blue")
    canvas.pen.polygon([(220, 20 + size), (220 + size / 2, 20), (220 + size, 20 + size)], "lime")
    canvas.pen.rectangle((20, 150, 20 + 2 * size, 150 + size), "black")
    found = {each.kind: name_of(each.colour) for each in shapes(canvas.frame, ALL)}
    assert found == {"circle": "red", "square": "blue", "triangle": "lime", "rectangle": "black"}


@pytest.mark.parametrize("sides", [3, 4, 5, 6, 7])
@pytest.mark.parametrize("turned", [0, 11, 23, 40])
def test_the_sides_of_an_outline_are_counted_however_it_is_turned(sides: int, turned: int) -> None:
    canvas = Canvas()
    angles = [math.radians(turned) + 2 * math.pi * each / sides for each in range(sides)]
    corners = [(100 + 35 * math.cos(a), 100 + 35 * math.sin(a)) for a in angles]
    canvas.pen.polygon(corners, outline="black", width=3)
    assert only(canvas).sides == sides


def test_a_line_around_a_shape_belongs_to_it() -> None:
    canvas = Canvas()
    canvas.pen.rectangle((50, 50, 100, 100), fill="olive", outline="black", width=2)
    found = only(canvas)
    assert (found.bounds, name_of(found.colour), found.outline) == (Rect(50, 50, 51, 51), "olive", (0, 0, 0))


def test_what_is_inside_given_places_or_reaches_the_edge_is_left_out() -> None:
    canvas = Canvas()
    canvas.pen.rectangle((0, 0, 400, 40), "yellow")
    canvas.pen.rectangle((50, 100, 90, 120), "grey")
    canvas.pen.ellipse((200, 100, 240, 140), "red")
    assert [each.kind for each in shapes(canvas.frame, ALL, [Rect(50, 100, 41, 21)])] == ["circle"]
    assert shapes(Frame(b"", ALL, 1, 0.0), ALL) == ()


def test_colours_have_the_names_people_use() -> None:
    assert all(name_of(value) == name for name, value in NAMES.items())
    assert [named(word) for word in ("Gray", "aqua", "fuchsia", "blurple")] == ["grey", "cyan", "magenta", ""]
    assert family((200, 60, 60)) == "red" and family((120, 120, 124)) == "grey"
    assert is_shade((180, 220, 180), "green") and not is_shade((180, 180, 220), "green")
