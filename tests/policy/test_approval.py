"""What the human decides by: the picture of the place, with the place in its pixels."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from desktop_agent.agent.asking.approval import surroundings
from desktop_agent.protocol.geometry import Point, Rect
from desktop_agent.vision.capture.frame import Frame

SCREEN = Rect(-1920, 0, 1920, 1080)


def frame_with_dot(dot: Point) -> Frame:
    """A white screen with a black square of 9 pixels around the dot."""
    pixels = bytearray(b"\xff" * SCREEN.width * SCREEN.height * 4)
    for y in range(max(0, dot.y - 4), min(SCREEN.height, dot.y + 5)):
        for x in range(max(SCREEN.x, dot.x - 4), min(SCREEN.right, dot.x + 5)):
            at = (y * SCREEN.width + x - SCREEN.x) * 4
            pixels[at : at + 4] = bytes(4)
    return Frame(bytes(pixels), SCREEN, 1, 0.0)


@pytest.mark.parametrize("dot", [Point(-1920, 0), Point(-960, 540), Point(-1, 1079), Point(-1700, 900)])
def test_the_mark_is_on_the_place_in_the_picture(dot: Point) -> None:
    picture, mark = surroundings(frame_with_dot(dot), dot)
    assert mark is not None
    image = Image.open(io.BytesIO(picture)).convert("L")
    assert image.size == (720, 405)
    assert image.getpixel((mark.x, mark.y)) < 60  # type: ignore[operator]
    assert image.histogram()[200:] != [0] * 56


@pytest.mark.parametrize("at", [None, Point(5, 5)])
def test_without_a_place_the_whole_screen_is_shown(at: Point | None) -> None:
    picture, mark = surroundings(frame_with_dot(Point(-960, 540)), at)
    assert mark is None
    assert Image.open(io.BytesIO(picture)).size == (720, 405)
