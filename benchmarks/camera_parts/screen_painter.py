"""Draws a terminal's screen as a terminal does: each character in its cell, in the terminal's own pixels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

Colour = tuple[int, int, int]
DEJAVU = Path("/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf")
_BOXES = {
    "─": "lr", "│": "ud", "┌": "rd", "┐": "ld", "└": "ur", "┘": "ul", "├": "urd", "┤": "uld", "┬": "lrd", "┴": "ulr", "┼": "ulrd",
}  # fmt: skip


@dataclass(frozen=True)
class Theme:
    """Colours as (red, green, blue): the text, what is behind it, and those that stand for a terminal's others."""

    text: Colour
    ground: Colour
    others: tuple[Colour, ...] = ()


DARK = Theme(
    (204, 204, 204), (0, 0, 0), ((78, 154, 6), (114, 159, 207), (196, 160, 0), (239, 41, 41), (255, 255, 255))
)
LIGHT = Theme((35, 35, 35), (250, 250, 245), ((0, 95, 0), (0, 60, 160), (140, 90, 0), (190, 0, 0), (0, 0, 0)))


@dataclass(frozen=True)
class Look:
    """How a terminal draws: `font` file and its `size`, `cell` (width, height) in pixels, `origin` of the first cell.

    `coloured` gives whole words other colours of the theme; `reversed_rows` stand in reverse video; `cursor` is
    (row, column) and `cursor_shape` "block", "bar", "underline" or "" for none.
    """

    font: Path = DEJAVU
    size: float = 26
    cell: tuple[int, int] = (16, 33)
    origin: tuple[int, int] = (0, 4)
    screen: tuple[int, int] = (1280, 800)
    theme: Theme = DARK
    coloured: bool = True
    bold: Path | None = None
    reversed_rows: frozenset[int] = field(default_factory=frozenset)
    cursor_shape: str = "block"


def wrapped(lines: Sequence[str], columns: int) -> list[str]:
    """The lines as a terminal of that many columns shows them."""
    return [line[at : at + columns] for line in lines for at in range(0, max(1, len(line)), columns)]


@cache
def _font(path: Path, size: float) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(path), size, layout_engine=ImageFont.Layout.BASIC)


def paint(lines: Sequence[str], look: Look, cursor: tuple[int, int] | None = None) -> NDArray[Any]:
    """The screen as BGR pixels; a line longer than the screen is cut."""
    width, height = look.cell
    image = Image.new("RGB", look.screen, look.theme.ground)
    pen = ImageDraw.Draw(image)
    for row, line in enumerate(lines):
        top = look.origin[1] + row * height
        if row in look.reversed_rows:
            pen.rectangle((0, top, look.screen[0], top + height - 1), fill=look.theme.text)
        colours = _colours(line, look, row)
        for column, letter in enumerate(line):
            left = look.origin[0] + column * width
            if (row, column) == cursor and look.cursor_shape == "block":
                continue
            _letter(pen, letter, (left, top), look, colours.get(column, look.theme.text))
    if cursor is not None and look.cursor_shape:
        _cursor(pen, lines, look, cursor)
    return np.ascontiguousarray(np.asarray(image)[:, :, ::-1])


def _colours(line: str, look: Look, row: int) -> Mapping[int, Colour]:
    if row in look.reversed_rows:
        return dict.fromkeys(range(len(line)), look.theme.ground)
    if not look.coloured or not look.theme.others:
        return {}
    found, word = {}, 0
    for column, letter in enumerate(line):
        word += letter == " "
        if word % 3 == 2:
            found[column] = look.theme.others[(row + word) % len(look.theme.others)]
    return found


def _letter(
    pen: ImageDraw.ImageDraw, letter: str, place: tuple[int, int], look: Look, colour: Colour
) -> None:
    (left, top), (width, height) = place, look.cell
    if letter in _BOXES:
        middle, centre, thick = left + width // 2, top + height // 2, max(1, width // 8)
        for side in _BOXES[letter]:
            ends = {
                "l": (left, centre, middle + thick - 1, centre + thick - 1),
                "r": (middle, centre, left + width - 1, centre + thick - 1),
                "u": (middle, top, middle + thick - 1, centre + thick - 1),
                "d": (middle, centre, middle + thick - 1, top + height - 1),
            }[side]
            pen.rectangle(ends, fill=colour)
        return
    if letter == " ":
        return
    bold = look.bold is not None and colour == look.theme.others[0]
    font = _font(look.bold if bold and look.bold else look.font, look.size)
    ascent, descent = font.getmetrics()
    pen.text((left, top + (height - ascent - descent) // 2), letter, font=font, fill=colour)


def _cursor(pen: ImageDraw.ImageDraw, lines: Sequence[str], look: Look, cursor: tuple[int, int]) -> None:
    row, column = cursor
    width, height = look.cell
    left, top = look.origin[0] + column * width, look.origin[1] + row * height
    under = lines[row][column : column + 1] if row < len(lines) else ""
    if look.cursor_shape == "block":
        pen.rectangle((left, top, left + width - 1, top + height - 1), fill=look.theme.text)
        if under.strip():
            _letter(pen, under, (left, top), look, look.theme.ground)
    elif look.cursor_shape == "bar":
        pen.rectangle((left, top, left + max(1, width // 8) - 1, top + height - 1), fill=look.theme.text)
    else:
        thick = max(1, height // 12)
        pen.rectangle((left, top + height - thick, left + width - 1, top + height - 1), fill=look.theme.text)
