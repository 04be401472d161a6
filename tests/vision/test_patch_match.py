"""A patch with another label differs; a blinking cursor or hover makes no difference."""

from __future__ import annotations

from itertools import permutations

import pytest
from PIL import Image, ImageDraw

from desktop_agent.protocol.geometry import Size
from desktop_agent.vision.settling.patch_match import same_pixels, same_shapes
from tests.vision.lettering import font

SIZE = Size(110, 30)
LABELS = ("Cancel", "Delete", "OK", "Yes", "No", "Save", "Send", "Buy", "Allow", "Block", "1", "7")
FONT = font(13)
BLACK, WHITE = (20, 20, 20), (255, 255, 255)


def picture(
    label: str,
    *,
    paper: tuple[int, int, int] = (240, 240, 240),
    ink: tuple[int, int, int] = BLACK,
    bar: tuple[int, int, int, int] | None = None,
    ring: bool = False,
) -> bytes:
    image = Image.new("RGB", (SIZE.width, SIZE.height), paper)
    draw = ImageDraw.Draw(image)
    draw.text(((SIZE.width - draw.textlength(label, font=FONT)) // 2, 7), label, ink, font=FONT)
    if bar:
        draw.rectangle(bar, fill=ink)
    if ring:
        draw.rectangle((1, 1, SIZE.width - 2, SIZE.height - 2), outline=(60, 120, 220))
    return image.convert("RGBX").tobytes("raw", "BGRX")


@pytest.mark.parametrize("compare", [same_pixels, same_shapes])
def test_another_label_is_another_thing(compare: object) -> None:
    missed = [
        (one, other)
        for one, other in permutations(LABELS, 2)
        if compare(picture(one), picture(other), SIZE, caret=True)  # type: ignore[operator]
    ]
    assert missed == []


def test_a_label_that_comes_or_goes_is_a_change() -> None:
    assert not same_shapes(picture(""), picture("Delete"), SIZE)
    assert not same_shapes(picture("Delete"), picture(""), SIZE)
    assert not same_shapes(picture("Cancel"), bytes(len(picture("Cancel"))), SIZE)


def test_another_colour_alone_is_a_change_where_nothing_was_done() -> None:
    assert not same_pixels(picture("Pay"), picture("Pay", paper=(250, 200, 200)), SIZE)


@pytest.mark.parametrize("label", LABELS)
def test_hovering_and_focus_are_no_change_of_the_thing(label: str) -> None:
    plain = picture(label)
    assert same_shapes(plain, picture(label, paper=(210, 220, 240)), SIZE)
    assert same_shapes(plain, picture(label, paper=(50, 100, 200), ink=WHITE), SIZE)
    assert same_shapes(plain, picture(label, ring=True), SIZE)
    assert same_shapes(picture(label, ring=True), plain, SIZE)


def test_a_blinking_cursor_is_no_change_where_one_may_be() -> None:
    without, with_cursor = picture("Ada"), picture("Ada", bar=(80, 6, 80, 22))
    assert same_pixels(without, with_cursor, SIZE, caret=True) and same_pixels(
        with_cursor, without, SIZE, caret=True
    )
    assert not same_pixels(without, with_cursor, SIZE)
    assert same_shapes(without, with_cursor, SIZE, caret=True)


@pytest.mark.parametrize("bar", [(80, 6, 84, 22), (80, 6, 80, 12), (70, 14, 90, 15)])
def test_what_is_not_shaped_like_a_cursor_is_a_change(bar: tuple[int, int, int, int]) -> None:
    assert not same_pixels(picture("Ada"), picture("Ada", bar=bar), SIZE, caret=True)


def test_noise_is_no_change() -> None:
    plain = picture("Save")
    assert same_pixels(plain, bytes(min(255, value + 9) for value in plain), SIZE)


@pytest.mark.parametrize("size", [Size(1, 1), Size(3, 2), Size(12, 20), Size(480, 48)])
def test_every_size_can_be_compared(size: Size) -> None:
    count = size.width * size.height * 4
    one, other = bytes(count), bytes(value % 251 for value in range(count))
    assert same_shapes(one, one, size) and same_pixels(one, one, size)
    same_shapes(one, other, size, caret=True)
    same_shapes(other, bytes(reversed(other)), size)
