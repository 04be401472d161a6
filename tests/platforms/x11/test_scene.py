"""The scene of a real display, as the brain and the hand read it."""

from __future__ import annotations

import threading
from typing import Any

import xcffib.shape

from desktop_agent.platforms.base import Input
from desktop_agent.platforms.x11.connection import Display
from desktop_agent.protocol.geometry import Point, Rect
from desktop_agent.vision.encoding.encode import crop
from tests.desk import Desk, until


def windows_at(desk: Desk, hand: Input, points: list[Point]) -> list[tuple[int, int]]:
    """The window at each point, by the scene and by the hand."""
    scene = desk.target.scene()
    assert scene is not None
    found = [(scene.at(point), hand.window_at(point)) for point in points]
    return [(window.id if window else 0, id) for window, id in found]


def test_brain_and_hand_mean_the_same_windows(shared_display: Desk, hand: Input) -> None:
    pid = shared_display.launch("xterm", "-T", "under", title="^under$")
    panels = [
        shared_display.panel(Rect(x, 120 + x // 3, 300, 200), 0x808080 + x) for x in (50, 200, 400, 700)
    ]
    points = [Point(x, y) for x in range(3, 1280, 47) for y in range(2, 800, 41)]
    found = windows_at(shared_display, hand, points)
    assert all(one == other != 0 for one, other in found)
    assert len({one for one, _ in found}) == len(panels) + 2  # the terminal, and what is behind all
    scene = shared_display.target.scene()
    assert scene is not None and pid in {window.pid for window in scene.stack}
    for panel in panels:
        panel.close()
    shared_display.end(pid)


def test_a_hole_in_a_window_is_the_window_behind(shared_display: Desk, hand: Input) -> None:
    panel = shared_display.panel(Rect(300, 300, 200, 200), 0xFF0000)
    display = Display(shared_display.environment)
    shape = display.extension(xcffib.shape.key)
    make: Any = xcffib.xproto.RECTANGLE.synthetic
    upper = make(0, 0, 200, 80)
    shape.Rectangles(xcffib.shape.SO.Set, xcffib.shape.SK.Input, 0, panel.id, 0, 0, 1, [upper])
    display.sync()
    (over, same), (behind, too) = windows_at(shared_display, hand, [Point(400, 350), Point(400, 450)])
    assert over == same == panel.id
    assert behind == too != panel.id
    display.close()
    panel.close()


def test_the_hand_sees_the_pixels_of_the_frame(shared_display: Desk, hand: Input) -> None:
    panel = shared_display.panel(Rect(300, 300, 200, 200), 0x123456)
    panel.fill(0xABCDEF, Rect(5, 5, 20, 10))
    area = Rect(290, 295, 160, 48)
    assert hand.pixels(area) == crop(shared_display.target.observe(), area).pixels
    panel.close()


def test_the_focus_is_of_the_window_around_the_one_that_has_it(shared_display: Desk, hand: Input) -> None:
    pid = shared_display.launch("xterm", "-T", "focused", title="^focused$")
    until(lambda: hand.focus_owner() == pid, "the focus")
    bounds = shared_display.target.windows()[0].bounds
    assert hand.focus_window() == hand.window_at(bounds.center)
    scene = shared_display.target.scene()
    assert scene is not None and scene.focus == hand.focus_window() and scene.owner(scene.focus) == pid
    shared_display.end(pid)
    until(lambda: hand.focus_owner() != pid, "another focus")
    assert hand.focus_window() != scene.focus


def test_nobody_opens_a_window_while_everything_holds_still(shared_display: Desk, hand: Input) -> None:
    at = Point(400, 400)
    before, opened = hand.window_at(at), threading.Event()
    panels = []

    def pop_up() -> None:
        panels.append(shared_display.panel(Rect(350, 350, 100, 100), 0x00FF00))
        opened.set()

    with hand.still():
        assert hand.window_at(at) == before
        other = threading.Thread(target=pop_up)
        other.start()
        assert not opened.wait(0.3)
        assert hand.window_at(at) == before
    other.join(20)
    assert hand.window_at(at) == panels[0].id
    panels[0].close()
