"""The hints on the screen follow a run, can be switched off with a key, and are never in a picture."""

from __future__ import annotations

import struct
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from desktop_agent.platforms.base import HintSurface
from desktop_agent.platforms.x11.connection import Display
from desktop_agent.protocol.agent_events import LookTaken, Result, Status, Upcoming
from desktop_agent.protocol.geometry import Point, Rect
from desktop_agent.targets._x11 import AttachedScreen
from desktop_agent.ui.run_window import WindowOptions, open_window
from desktop_agent.ui.shell.screen_hints import ACCENT, NARROW, caption, frame, ring, trail
from desktop_agent.vision.capture.x11_camera import x11_camera
from tests.desk import Desk
from tests.ui import scenes
from tests.ui.conftest import Stage
from tests.ui.hands import Hands
from tests.ui.scripted import ScriptedPort

BLUE = bytes((ACCENT.blue(), ACCENT.green(), ACCENT.red()))
PLACE = Point(300, 600)
AROUND = Rect(PLACE.x - 60, PLACE.y - 60, 120, 120)
LOOK = LookTaken(frame="a", region=scenes.SCREEN, elements=3)
CLICK = Upcoming(op="click", words="Clicking “Save”", at=PLACE)


class LocalPort(ScriptedPort):
    """Says that it works the screen the window is on."""

    def __init__(self, screen: AttachedScreen) -> None:
        super().__init__()
        self._screen = screen

    def hint_surface(self) -> HintSurface:
        return self._screen.hint_surface()


@pytest.fixture
def screen(desk: Desk) -> Iterator[AttachedScreen]:
    screen = AttachedScreen("local", desk.environment)
    screen.start()
    yield screen
    screen.hint_surface().close()
    screen.stop()


@pytest.fixture
def working(opened: Callable[..., Stage], screen: AttachedScreen) -> Stage:
    stage = opened(port=LocalPort(screen))
    stage.play(Status(state="executing"), LOOK)
    return stage


def blue(screen: AttachedScreen, area: Rect) -> int:
    """How many pixels of a hint's colour a person sees in an area."""
    camera = x11_camera(screen.environment)
    try:
        return bytes(camera.grab(area)).count(BLUE)
    finally:
        camera.close()


def framed(screen: AttachedScreen) -> bool:
    return blue(screen, Rect(0, 100, 8, 100)) >= 300


def test_a_run_is_framed_and_its_next_place_ringed(working: Stage, screen: AttachedScreen) -> None:
    working.wait(lambda: framed(screen), "a frame")
    working.play(CLICK)
    working.wait(lambda: blue(screen, AROUND) > 100, "a ring")
    assert not bytes(screen.observe(AROUND).pixels).count(BLUE)
    working.play(Result(number=1, outcome="done", words="Clicked “Save”"))
    working.wait(lambda: not blue(screen, AROUND), "the ring gone")
    assert framed(screen)


def test_they_begin_with_the_first_look(opened: Callable[..., Stage], screen: AttachedScreen) -> None:
    """Nothing is done before it, and it would wait for them."""
    stage = opened(port=LocalPort(screen))
    stage.play(Status(state="planning"))
    threads = {each.name for each in threading.enumerate()}
    stage.play(LOOK)
    stage.wait(lambda: framed(screen), "a frame")
    assert "hints" not in threads


def test_the_ring_contracts(working: Stage, screen: AttachedScreen, qapp: QApplication) -> None:
    working.wait(lambda: framed(screen), "a frame")
    middle = round(NARROW)
    near = Rect(PLACE.x - middle - 4, PLACE.y - 2, 8, 4)
    working.play(CLICK)
    working.wait(lambda: blue(screen, near), "the ring at its place")
    assert not blue(screen, Rect(PLACE.x - 60, PLACE.y - 2, 36, 4))
    working.window.hints.close()


@pytest.mark.parametrize("state", ["paused", "waiting_for_user", "stopped", "done"])
def test_no_frame_when_the_agent_has_not_the_input(
    working: Stage, screen: AttachedScreen, state: str
) -> None:
    working.wait(lambda: framed(screen), "a frame")
    working.play(CLICK, Status(state=state))  # type: ignore[arg-type]
    working.wait(lambda: not framed(screen) and not blue(screen, AROUND), "no hints")


def test_a_key_switches_them_off_and_on(working: Stage, screen: AttachedScreen, hands: Hands) -> None:
    working.wait(lambda: framed(screen), "a frame")
    working.wait(lambda: working.window._hint_key.held, "the shortcut")
    hands.chord("ctrl", "alt", "h")
    working.wait(lambda: not framed(screen), "no frame")
    assert not working.window.hints.on
    hands.chord("ctrl", "alt", "h")
    working.wait(lambda: framed(screen), "a frame again")


def test_where_there_is_no_surface_nothing_is_shown(stage: Stage, screen: AttachedScreen) -> None:
    """As with an embedded display."""
    stage.play(Status(state="executing"), LOOK, CLICK)
    stage.pump(60)
    assert not framed(screen)


def test_the_setting_begins_without(qapp: QApplication, screen: AttachedScreen, tmp_path: Path) -> None:
    window, bridge = open_window(LocalPort(screen), WindowOptions(tmp_path, hints=False, live_picture=False))
    window.view.apply([Status(state="executing"), LOOK])
    assert not window.hints.on
    window.close()
    assert bridge.close()
    window.deleteLater()


def test_the_live_picture_marks_the_next_place(opened: Callable[..., Stage]) -> None:
    stage = opened()
    look = LookTaken(frame="a", region=scenes.SCREEN, elements=3, preview=scenes.desktop_picture())
    stage.play(Status(state="executing"), look)
    live = stage.window.body.live
    stage.wait(lambda: live.isVisible(), "the live picture")
    plain = live.picture.grab().toImage()
    stage.play(Upcoming(op="click", words="Clicking", at=Point(960, 540)))
    stage.wait(lambda: live.picture.grab().toImage() != plain, "a mark")
    stage.play(Status(state="planning"))
    stage.wait(lambda: live.picture.grab().toImage() == plain, "no mark")


def test_the_live_picture_can_be_left_out(opened: Callable[..., Stage]) -> None:
    stage = opened()
    stage.window.body.live.shown = False
    look = LookTaken(frame="a", region=scenes.SCREEN, elements=3, preview=scenes.desktop_picture())
    stage.play(Status(state="executing"), look)
    assert not stage.window.body.live.isVisible()


def test_pictures_lie_where_they_belong(qapp: QApplication) -> None:
    room = Rect(0, 0, 1280, 900)
    font = qapp.font()
    for ratio in (1.0, 1.5, 2.0):
        assert ring(PLACE, 20, ratio).place.center == PLACE
        words = caption("Typing “Ada” into “Name”", Point(1275, 890), room, font, ratio).place
        assert words.intersection(room) == words
        assert not words.contains(Point(1275, 890))
        sides = [each.place for each in frame(room, ratio)]
        assert all(side.intersection(room) == side for side in sides)
        assert sum(side.width * side.height for side in sides) == (
            1280 * 900 - (1280 - 2 * sides[0].height) * (900 - 2 * sides[0].height)
        )
    dots = [each.place.center for each in trail(Point(100, 100), Point(500, 100), 1.0)]
    assert all(100 < dot.x < 500 and dot.y == 100 for dot in dots)
    assert not trail(PLACE, PLACE, 1.0)
    assert not frame(Rect(0, 0, 4, 4), 1.0)


def test_motion_is_as_the_session_wants(desk: Desk, screen: AttachedScreen) -> None:
    """As a session's settings program publishes it (XSETTINGS)."""
    name = b"Gtk/EnableAnimations"
    theme = b"Net/ThemeName"
    text = struct.pack("<BxH", 1, len(theme)) + theme.ljust(16, b"\0") + struct.pack("<II", 0, 3) + b"Ash\0"
    number = struct.pack("<BxH", 0, len(name)) + name + struct.pack("<Ii", 0, 0)
    raw = struct.pack("<B3xII", 0, 1, 2) + text + number
    surface = screen.hint_surface()
    assert surface.open() == ""
    assert surface.animated
    surface.close()
    session = Display(desk.environment)
    window = session.connection.generate_id()
    session.core.CreateWindow(0, window, session.root, 0, 0, 1, 1, 0, 1, 0, 0, [])
    atom = session.atom("_XSETTINGS_SETTINGS")
    session.core.ChangeProperty(0, window, atom, atom, 8, len(raw), raw)
    session.core.SetSelectionOwner(window, session.atom("_XSETTINGS_S0"), 0)
    session.sync()
    assert surface.open() == ""
    assert not surface.animated
    session.close()
