"""Hints are seen by the human alone: no picture holds them, nothing seems to have changed, and clicks go beneath."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
import xcffib

from desktop_agent.platforms.base import HintPicture
from desktop_agent.platforms.x11.connection import Display
from desktop_agent.platforms.x11.hint_surface import COMPOSITED, X11HintSurface, drawn_rows
from desktop_agent.platforms.x11.pixels_beneath import HINTS
from desktop_agent.platforms.x11.windows.scene_reader import SceneReader
from desktop_agent.platforms.x11.windows.visible_areas import VisibleWindows
from desktop_agent.protocol import ops
from desktop_agent.protocol.batch import Batch, Expect
from desktop_agent.protocol.geometry import Rect, Viewport
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.targets._x11 import AttachedScreen
from desktop_agent.vision.capture.x11_camera import x11_camera
from desktop_agent.vision.settling.by_events import RestlessTiles, settle_by_events
from tests.desk import Desk, until
from tests.hand.workplace import Workplace

MARK = bytes((7, 9, 251))
"""Blue, green, red of the hints, which nothing else on the desk has."""
LOG = str(Path(__file__).parents[1] / "apps" / "event_log.py")
FALSE_HINTS = str(Path(__file__).parents[1] / "apps" / "false_hints.py")
LOOKS = 40


def filled(place: Rect) -> HintPicture:
    return HintPicture(place, (MARK + b"\xff") * (place.width * place.height))


def spots(x: int) -> dict[str, HintPicture]:
    """Hints over windows, over the bare desktop, over the edges of both and of the screen."""
    return {
        "ring": filled(Rect(x, 60, 90, 90)),
        "caption": filled(Rect(600, 330, 200, 30)),
        "top": filled(Rect(0, 0, 1280, 4)),
        "right": filled(Rect(1276, 4, 4, 796)),
    }


def marked(pixels: bytes | bytearray) -> int:
    return pixels.count(MARK)


class Mover:
    """Shows the hints elsewhere, again and again, until it is left."""

    def __init__(self, surface: X11HintSurface, always: Mapping[str, HintPicture] | None = None) -> None:
        self._always = always or {}
        self._surface, self._end, self.shown = surface, threading.Event(), 0
        self._thread = threading.Thread(target=self._work)

    def _work(self) -> None:
        while not self._end.wait(0.002):
            self.shown += 1
            self._surface.show({**spots(20 + self.shown * 7 % 500), **self._always})

    def __enter__(self) -> Mover:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join()


@pytest.fixture
def screen(shared_display: Desk) -> Iterator[AttachedScreen]:
    """The desk as the screen that the user sits at, with a terminal on it; we are the window's process."""
    shared_display.launch("xterm", "-T", "work", "-geometry", "80x24+80+80", "-e", "cat", title="work")
    screen = AttachedScreen("local", shared_display.environment)
    screen.start()
    screen.protect([os.getpid()])
    yield screen
    screen.hint_surface().close()
    screen.stop()


@pytest.fixture
def surface(screen: AttachedScreen) -> X11HintSurface:
    surface = screen.hint_surface()
    assert surface.open() == ""
    return surface


def seen_by_human(environment: Mapping[str, str], region: Rect) -> bytearray:
    camera = x11_camera(environment)
    try:
        return camera.grab(region)
    finally:
        camera.close()


def test_no_picture_holds_them(screen: AttachedScreen, surface: X11HintSurface) -> None:
    before = screen.observe()
    surface.show(spots(100))
    until(
        lambda: marked(seen_by_human(screen.environment, before.region)) > 17_000, "the hints on the screen"
    )
    with Mover(surface) as mover:
        looks = [screen.observe() for _ in range(LOOKS)]
        parts = [screen.observe(Rect(60, 40, 300, 200)) for _ in range(LOOKS)]
        until(lambda: mover.shown > 3, "hints that moved")
    assert all(look.pixels == before.pixels for look in looks)
    assert all(part.pixels == parts[0].pixels for part in parts)
    assert not marked(parts[0].pixels)


def test_the_hand_does_not_see_them(screen: AttachedScreen, surface: X11HintSurface) -> None:
    """What it compares before a press is what is beneath, on a connection of its own."""
    display = Display(screen.environment)
    scenes = SceneReader(display, VisibleWindows(display))
    area = Rect(60, 40, 160, 48)
    before = scenes.pixels(area, os.getpid())
    with Mover(surface) as mover:
        compared = [scenes.pixels(area, os.getpid()) for _ in range(LOOKS)]
        with display.grabbed():
            compared.append(scenes.pixels(area, os.getpid()))
        until(lambda: mover.shown > 3, "hints that moved")
    display.close()
    assert set(compared) == {before}


@pytest.mark.parametrize("kind", ["owner", "floor"])
def test_another_program_cannot_pass_for_them(
    screen: AttachedScreen, surface: X11HintSurface, shared_display: Desk, tmp_path: Path, kind: str
) -> None:
    """Neither the hand nor the model's picture leaves out what another process calls hints."""
    display = Display(screen.environment)
    scenes = SceneReader(display, VisibleWindows(display))
    area, ready = Rect(300, 420, 60, 40), tmp_path / "ready"
    surface.show(spots(100))
    place = (area.x, area.y, area.width, area.height)
    shared_display.launch(sys.executable, FALSE_HINTS, kind, *map(str, place), str(ready))
    until(lambda: ready.exists() and ready.read_text(), "the other program's window")
    shown = bytes((0x55, 0xAA, 0x00))
    size = area.width * area.height
    until(lambda: seen_by_human(screen.environment, area).count(shown) == size, "it on the screen")
    assert scenes.pixels(area, os.getpid()).count(shown) == size
    assert screen.observe(area).pixels.count(shown) == size
    display.close()


def test_nothing_seems_to_change(screen: AttachedScreen, surface: X11HintSurface) -> None:
    before, scene, windows = screen.observe(), screen.scene(), screen.windows()
    activity = screen.activity()
    assert activity is not None
    with Mover(surface):
        settled = settle_by_events(activity, screen.observe, before, StopFlag(), RestlessTiles())
        assert screen.scene() == scene
        assert screen.windows() == windows
    assert settled.quiet
    assert not settled.areas


def test_what_changes_beneath_is_seen(screen: AttachedScreen, surface: X11HintSurface) -> None:
    before = screen.observe()
    surface.show({"all": filled(Rect(0, 0, 1280, 800))})
    assert screen.observe().pixels == before.pixels
    other = Display(screen.environment)
    window = other.connection.generate_id()
    cover = Rect(500, 400, 60, 40)
    other.core.CreateWindow(0, window, other.root, *(500, 400, 60, 40), 0, 1, 0, 2 | 512, [0x00AA55, 1])
    other.core.MapWindow(window)
    other.sync()
    screen.protect([])  # it is of this process, too
    pixels = screen.observe(cover).pixels
    other.close()
    assert pixels.count(bytes((0x55, 0xAA, 0x00))) == cover.width * cover.height


@pytest.fixture
def workplace(shared_display: Desk) -> Iterator[Workplace]:
    place = Workplace(shared_display)
    place.hands.start()
    yield place
    place.hands.close()


def test_a_click_goes_beneath(
    screen: AttachedScreen, surface: X11HintSurface, workplace: Workplace, tmp_path: Path
) -> None:
    """By the real hand, which refuses our own windows and compares what is there."""
    log = tmp_path / "log"
    log.touch()
    workplace.desk.launch(sys.executable, LOG, str(log))
    window = until(
        lambda: next((w for w in screen.windows() if "event_log" in w.application), None), "the log"
    )
    at = window.bounds.center
    patch = Rect(at.x - 32, at.y - 16, 64, 32)
    until(lambda: screen.window_at(at) and not marked(screen.observe(patch).pixels), "the window shown")
    scene = screen.scene()
    assert scene is not None
    beneath = scene.at(at)
    assert beneath is not None
    over = {"over": filled(Rect(at.x - 40, at.y - 40, 80, 80))}
    surface.show(over)
    workplace.hands.protect([os.getpid()])
    found = screen.window_at(at)
    assert found is not None
    assert found.pid == window.pid
    seen = screen.observe(patch).pixels
    expect = Expect(0, at, (beneath.id,), patch=patch, pixels=seen)
    layout = screen.geometry()
    view = Viewport(layout.bounds, layout.bounds.size, layout.epoch)
    click = (ops.Click(at.x, at.y),)
    batch = Batch("b", click, view, {}, workplace.hands.generation, 60, expects=(expect,))
    with Mover(surface, over):
        results = workplace.hands.execute(batch)
    assert [(each.outcome, each.detail) for each in results] == [("done", "")]
    until(lambda: f"press LeftButton {at.x} {at.y}" in log.read_text(), "the click in the window")


def test_nothing_stays(screen: AttachedScreen, surface: X11HintSurface) -> None:
    other = Display(screen.environment)
    before = screen.observe().pixels
    surface.show(spots(100))
    assert other.core.GetSelectionOwner(other.atom(HINTS)).reply().owner
    surface.close()
    until(lambda: not other.core.GetSelectionOwner(other.atom(HINTS)).reply().owner, "the end of the hints")
    other.close()
    assert seen_by_human(screen.environment, screen.geometry().bounds) == before


def test_where_a_compositor_draws_there_are_none(screen: AttachedScreen) -> None:
    other = Display(screen.environment)
    window = other.connection.generate_id()
    other.core.CreateWindow(0, window, other.root, 0, 0, 1, 1, 0, 1, 0, 0, [])
    other.core.SetSelectionOwner(window, other.atom("_NET_WM_CM_S0"), xcffib.CurrentTime)
    other.sync()
    assert screen.hint_surface().open() == COMPOSITED
    other.close()


def test_drawn_rows() -> None:
    on, off = b"\0\0\0\xff", b"\xff\xff\xff\x7f"
    picture = HintPicture(Rect(5, 5, 3, 3), on * 3 + (on + off + on) * 2)
    assert drawn_rows(picture) == [Rect(0, 0, 3, 1), Rect(0, 1, 1, 2), Rect(2, 1, 1, 2)]
    assert drawn_rows(HintPicture(Rect(0, 0, 2, 1), off * 2)) == []
