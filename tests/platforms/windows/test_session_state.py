"""What fills the screen is still known while another window has the keyboard, as for a click on Resume."""

from __future__ import annotations

import pytest

from desktop_agent.platforms.windows.session_state import still_fills
from desktop_agent.protocol.geometry import Point, Rect

LEFT, RIGHT = Rect(0, 0, 1920, 1080), Rect(1920, 0, 1280, 1024)
SLIDES, OURS, EDITOR = 11, 12, 13


@pytest.mark.parametrize(
    ("bounds", "in_the_middle", "fills"),
    [(LEFT, SLIDES, True), (RIGHT, SLIDES, True), (LEFT, EDITOR, False), (Rect(0, 0, 1920, 1040), SLIDES, False), (Rect(0, 0, 0, 0), 0, False)],
    ids=["beside ours", "on the other screen", "under an editor", "full screen no more", "gone"],
)  # fmt: skip
def test_it_fills_a_screen_while_it_covers_one_and_can_be_seen(
    bounds: Rect, in_the_middle: int, fills: bool
) -> None:
    def window_at(point: Point) -> int:
        return OURS if point.x > LEFT.right - 400 and point.x < LEFT.right else in_the_middle

    assert still_fills(SLIDES, bounds, (LEFT, RIGHT), window_at) is fills
