"""The calibration page: its size in its markers, and the same page in a browser."""

from __future__ import annotations

import json
import re
import shutil
import subprocess

import pytest

from desktop_agent.extras.camera.filming.calibration_page import (
    PIECE_BITS,
    PIECES,
    bit_table,
    black_squares,
    decoded_size,
    draw,
    html_page,
    page_markers,
    piece_of,
)
from desktop_agent.protocol.errors import Refused
from desktop_agent.protocol.geometry import Size

SIZES = (
    Size(1280, 800),
    Size(1920, 1080),
    Size(3840, 2160),
    Size(801, 601),
    Size(1080, 1920),
    Size(200, 8191),
)


def test_a_page_is_drawn_whole_and_has_four_bytes_for_each_pixel() -> None:
    assert len(draw(641, 480)) == 641 * 480 * 4


@pytest.mark.parametrize("size", SIZES)
def test_each_third_of_the_markers_tells_the_size(size: Size) -> None:
    markers = page_markers(size)
    for first in (0, 6, 12):
        pieces = {
            piece_of(each.place): each.id & (1 << PIECE_BITS) - 1 for each in markers[first : first + PIECES]
        }
        assert decoded_size(pieces) == size


@pytest.mark.parametrize("size", SIZES)
def test_markers_lie_inside_and_apart(size: Size) -> None:
    areas = [each.area for each in page_markers(size)] + list(black_squares(size))
    for index, one in enumerate(areas):
        assert one.x > 0 and one.y > 0 and one.right < size.width and one.bottom < size.height
        for two in areas[index + 1 :]:
            assert one.right < two.x or two.right < one.x or one.bottom < two.y or two.bottom < one.y


def test_a_wrong_piece_is_noticed() -> None:
    pieces = {piece_of(m.place): m.id & 31 for m in page_markers(Size(1280, 800))[:PIECES]}
    wrong = [
        decoded_size({**pieces, piece: pieces[piece] ^ bit}) for piece in pieces for bit in (1, 2, 4, 8, 16)
    ]
    assert not any(wrong)


@pytest.mark.parametrize(("width", "height"), [(100, 800), (1280, 9000)])
def test_a_size_it_cannot_show_is_refused(width: int, height: int) -> None:
    with pytest.raises(Refused, match="from 200 to 8191"):
        draw(width, height)


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node to run the page's script")
def test_the_browser_draws_the_same_markers_at_the_same_places() -> None:
    script = re.findall(r"<script>(.*?)</script>", html_page(), re.DOTALL)[0]
    sizes = [[each.width, each.height] for each in SIZES]
    script += f"""
    const bits = (id) => Array.from({{ length: 36 }}, (_, index) => bit(id, index)).join("");
    console.log(JSON.stringify({json.dumps(sizes)}.map(([width, height]) => ({{
      markers: markers(width, height).map((each) => [each.id, each.x, each.y, each.side, bits(each.id)]),
      squares: blackSquares(width, height).map((each) => [each.x, each.y, each.side]),
    }}))));"""
    done = subprocess.run(["node", "-"], input=script, capture_output=True, text=True, check=True, timeout=60)
    table = list(bit_table())
    for size, told in zip(SIZES, json.loads(done.stdout), strict=True):
        expected = [
            [each.id, each.area.x, each.area.y, each.area.width, f"{int(table[each.id], 16):036b}"]
            for each in page_markers(size)
        ]
        assert told["markers"] == expected
        assert told["squares"] == [[each.x, each.y, each.width] for each in black_squares(size)]


def test_the_page_needs_no_network() -> None:
    page = html_page()
    assert "default-src 'none'" in page and "http://" not in page and "https://" not in page
    assert "/*BITS*/" not in page and "/*NUMBERS*/" not in page
