"""Draws the page that a camera is set up by: markers whose places on the screen are known, and the screen's size in them.

The markers are AprilTags of the family 36h11 (6x6 bits, any two of them differ in 11 or more): a room does not show one
by chance. Each of the 18 places has 32 markers of its own, so that a marker tells its place and 5 bits of the size:
six such pieces hold width, height and a check sum, and each row of markers holds all six.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from desktop_agent.extras.camera.filming.opencv import opencv
from desktop_agent.protocol.errors import Refused
from desktop_agent.protocol.geometry import Rect, Size
from desktop_agent.support import resources

if TYPE_CHECKING:
    from numpy.typing import NDArray

LONG, SHORT = 6, 3
"""Markers along the longer and the shorter side."""
PLACES = LONG * SHORT
PIECES, PIECE_BITS = 6, 5
CELLS = 8
"""A marker's side in cells: 6 bits and a black edge on each side."""
SHARE = 0.5
"""A marker's side as a share of the room it has."""
LEAST, MOST = 200, 8191
"""The sizes of a screen's sides, in pixels, that the page can show."""
SENTENCE = "Leave this page open until the camera has been set up."
TOO_SMALL = "Make this page fill the screen: click it, or press F11."
_CHECK_BITS = 4


@dataclass(frozen=True)
class PageMarker:
    """One marker of a page: `place` counts from the top left one along the rows, `id` is its number in the family.

    `area` is the square of its black edge, in screen pixels.
    """

    place: int
    id: int
    area: Rect


def page_markers(size: Size) -> tuple[PageMarker, ...]:
    """The markers of the page for a screen of `size`. Raises Refused for a size that it cannot show."""
    code, (columns, rows), cell = size_code(size), _grid(size), _cell(size)
    side = cell * CELLS
    found = []
    for place in range(PLACES):
        column, row = place % columns, place // columns
        x = (2 * column + 1) * size.width // (2 * columns) - side // 2
        y = (2 * row + 1) * size.height // (2 * rows) - side // 2
        # Places at the edge move outwards: the corners are where a place is extrapolated least.
        x += _outwards(column, columns, size.width // columns - side)
        y += _outwards(row, rows, size.height // rows - side)
        bits = code >> PIECE_BITS * piece_of(place) & (1 << PIECE_BITS) - 1
        found.append(PageMarker(place, place << PIECE_BITS | bits, Rect(x, y, side, side)))
    return tuple(found)


def _outwards(index: int, count: int, spare: int) -> int:
    """By how much a marker of the first or last row stands nearer to the edge than in the middle of its room."""
    return -(spare // 4) if index == 0 else spare // 4 if index == count - 1 else 0


def black_squares(size: Size) -> tuple[Rect, ...]:
    """Squares between the markers that tell how dark the screen's black looks there."""
    columns, rows = _grid(size)
    side = _cell(size) * 3
    return tuple(
        Rect(
            column * size.width // columns - side // 2, row * size.height // rows - side // 2, side, side
        )
        for row in range(1, rows)
        for column in range(1, columns)
    )  # fmt: skip


def piece_of(place: int) -> int:
    """Which of the six pieces of the size the marker at a place tells: each row and each column has others."""
    return (place + place // LONG * 2) % PIECES


def size_code(size: Size) -> int:
    """Width, height and check sum as 30 bits. Raises Refused for a size that the page cannot show."""
    if not (LEAST <= size.width <= MOST and LEAST <= size.height <= MOST):
        raise Refused(
            f"The page cannot be drawn for a screen of {size.width}x{size.height} pixels.",
            f"Each side is from {LEAST} to {MOST} pixels.",
        )
    value = size.width << 13 | size.height
    return value << _CHECK_BITS | _check_sum(value)


def decoded_size(pieces: Mapping[int, int]) -> Size | None:
    """The size that six pieces tell; None where one is missing or the check sum is wrong."""
    if any(each not in pieces for each in range(PIECES)):
        return None
    code = sum(pieces[each] << PIECE_BITS * each for each in range(PIECES))
    value = code >> _CHECK_BITS
    size = Size(value >> 13, value & MOST)
    if code & (1 << _CHECK_BITS) - 1 != _check_sum(value) or min(size.width, size.height) < LEAST:
        return None
    return size


def _check_sum(value: int) -> int:
    return value % 15 + 1  # no power of two is a multiple of 15: any single wrong bit shows


def _grid(size: Size) -> tuple[int, int]:
    return (LONG, SHORT) if size.width >= size.height else (SHORT, LONG)


def _cell(size: Size) -> int:
    columns, rows = _grid(size)
    return max(1, int(min(size.width // columns, size.height // rows) * SHARE) // CELLS)


def draw(width: int, height: int, sentence: str = SENTENCE) -> bytes:
    """The page for a screen of this size: blue, green, red and an unused byte for each pixel, rows without padding.

    Raises Refused for a size that it cannot show.
    """
    import numpy as np

    cv2, size = opencv(), Size(width, height)
    page = np.full((height, width, 4), 255, np.uint8)
    for marker in page_markers(size):
        area, bits = marker.area, _cells(marker.id)
        cell = area.width // CELLS
        shades = np.kron(bits, np.ones((cell, cell), np.uint8)) * 255
        page[area.y : area.bottom, area.x : area.right, :3] = shades[:, :, None]
    for square in black_squares(size):
        page[square.y : square.bottom, square.x : square.right, :3] = 0
    letters = max(0.4, height / 1600)
    (long, _), _ = cv2.getTextSize(sentence, cv2.FONT_HERSHEY_SIMPLEX, letters, 1)
    _, rows = _grid(size)
    if long < width:
        line = size.height * (rows // 2) // rows - _cell(size) * 3
        cv2.putText(
            page, sentence, ((width - long) // 2, line), cv2.FONT_HERSHEY_SIMPLEX, letters, (96, 96, 96, 255), 1, cv2.LINE_AA
        )  # fmt: skip
    return page.tobytes()


def dictionary() -> Any:
    """OpenCV's dictionary of the markers."""
    cv2 = opencv()
    return cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)


def _cells(number: int) -> NDArray[Any]:
    """A marker as a matrix of cells: 1 is white."""
    return dictionary().generateImageMarker(number, CELLS) // 255  # type: ignore[no-any-return]


def bit_table() -> Iterator[str]:
    """Each marker's 36 inner bits as 9 hexadecimal digits, row by row."""
    for number in range(PLACES << PIECE_BITS):
        inner: Sequence[int] = _cells(number)[1:-1, 1:-1].ravel().tolist()
        yield f"{int(''.join(map(str, inner)), 2):09x}"


def html_page() -> str:
    """The same page for any browser on the filmed computer: it reads the size of its screen itself."""
    numbers = {
        "long": LONG, "short": SHORT, "pieces": PIECES, "pieceBits": PIECE_BITS, "cells": CELLS, "share": SHARE,
        "least": LEAST, "most": MOST, "checkBits": _CHECK_BITS, "sentence": SENTENCE, "tooSmall": TOO_SMALL,
    }  # fmt: skip
    page = resources.text("calibration", "page.html")
    return page.replace("/*NUMBERS*/{}", json.dumps(numbers)).replace(
        '/*BITS*/""', json.dumps("".join(bit_table()))
    )
