"""Scrolled content is found again; other changes are not taken for scrolling."""

from __future__ import annotations

import numpy as np
import pytest

from desktop_agent.protocol.geometry import Rect
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.settling.scroll_offset import scroll_offset

AREA = Rect(40, 30, 120, 90)
NOISE = np.random.default_rng(7).integers(0, 9, (300, 300), dtype=np.uint32)


def view(x: int, y: int) -> Frame:
    part = NOISE[y : y + AREA.height, x : x + AREA.width]
    return Frame(part.tobytes(), AREA, 1, 0.0)


@pytest.mark.parametrize("moved", [(0, 30), (0, -17), (25, 0), (-40, 0)])
def test_what_moved_is_found_again(moved: tuple[int, int]) -> None:
    assert scroll_offset(view(100, 100), view(100 - moved[0], 100 - moved[1])) == moved


def test_what_stayed_or_is_quite_another_thing_has_not_moved() -> None:
    assert scroll_offset(view(100, 100), view(100, 100)) == (0, 0)
    assert scroll_offset(view(0, 0), view(150, 150)) == (0, 0)


def test_a_part_that_changed_has_not_moved() -> None:
    pixels = np.frombuffer(view(0, 0).pixels, dtype=np.uint32).reshape(90, 120).copy()
    pixels[10:30] = 5
    assert scroll_offset(view(0, 0), Frame(pixels.tobytes(), AREA, 1, 0.0)) == (0, 0)


def test_lines_of_one_colour_prove_nothing() -> None:
    plain = np.zeros((90, 120), dtype=np.uint32)
    striped = plain.copy()
    plain[10], striped[20] = 7, 7
    assert scroll_offset(*(Frame(each.tobytes(), AREA, 1, 0.0) for each in (plain, striped))) == (0, 0)
