"""Cached stacking and window trees equal what a new connection finds, whatever happens to the windows."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
import xcffib.shape
from xcffib.xproto import CW, ConfigWindow, StackMode, WindowClass

from desktop_agent.platforms.base import Input
from desktop_agent.platforms.x11.connection import Display
from desktop_agent.platforms.x11.windows.ewmh import EwmhWindows
from desktop_agent.platforms.x11.windows.scene_reader import SceneReader
from desktop_agent.protocol.geometry import Point
from desktop_agent.protocol.scene import Scene
from tests.desk import Desk, until

POINTS = [Point(x, y) for x in range(5, 1280, 190) for y in range(5, 800, 130)]


@pytest.fixture
def other(shared_display: Desk) -> Iterator[Display]:
    """Somebody else on the display, who makes and moves windows."""
    display = Display(shared_display.environment)
    yield display
    display.close()


class Crowd:
    """Windows of one client, changed by chance; `override` ones are none of the window manager's."""

    def __init__(self, display: Display, seed: int) -> None:
        self._display, self._chance = display, random.Random(seed)  # noqa: S311 - no secrets
        self._shape: Any = display.extension(xcffib.shape.key)
        self._windows: list[int] = []

    def change(self) -> str:
        acts: list[Callable[[], object]] = [self.open, self.open, self.move, self.move, self.hide, self.show]
        acts += [self.raise_, self.cut, self.into_another, self.mark, self.close]
        act = self._chance.choice(acts if self._windows else [self.open])
        act()
        self._display.sync()
        return act.__name__

    def open(self) -> None:
        window = self._display.connection.generate_id()
        place = (self._chance.randrange(900), self._chance.randrange(600), 200, 150)
        override, root = self._chance.random() < 0.6, self._display.root
        mask = CW.BackPixel | CW.OverrideRedirect
        core = self._display.core
        core.CreateWindow(0, window, root, *place, 0, WindowClass.InputOutput, 0, mask, [0x808080, override])
        core.MapWindow(window)
        self._windows.append(window)

    def _one(self) -> int:
        return self._chance.choice(self._windows)

    def move(self) -> None:
        place = [self._chance.randrange(900), self._chance.randrange(600)]
        self._display.core.ConfigureWindow(self._one(), ConfigWindow.X | ConfigWindow.Y, place)

    def hide(self) -> None:
        self._display.core.UnmapWindow(self._one())

    def show(self) -> None:
        self._display.core.MapWindow(self._one())

    def raise_(self) -> None:
        self._display.core.ConfigureWindow(self._one(), ConfigWindow.StackMode, [StackMode.Above])

    def cut(self) -> None:
        make: Any = xcffib.xproto.RECTANGLE.synthetic
        part, kind = make(0, 0, 200, self._chance.randrange(150)), self._chance.choice((0, 2))
        self._shape.Rectangles(xcffib.shape.SO.Set, kind, 0, self._one(), 0, 0, 1, [part])

    def into_another(self) -> None:
        self._display.core.ReparentWindow(self._one(), self._one(), 10, 10)

    def mark(self) -> None:
        """Claim to be a client's window, or stop to."""
        window, state = self._one(), self._display.atom("WM_STATE")
        if self._chance.random() < 0.5:
            self._display.core.DeleteProperty(window, state)
        else:
            self._display.core.ChangeProperty(0, window, state, state, 32, 2, [1, 0])

    def close(self) -> None:
        window = self._one()
        self._windows.remove(window)
        self._display.core.DestroyWindow(window)


@pytest.mark.parametrize("seed", [1, 2])
def test_a_scene_is_what_somebody_new_sees(shared_display: Desk, other: Display, seed: int) -> None:
    pid = shared_display.launch("xterm", "-T", "under", title="^under$")
    crowd = Crowd(other, seed)
    for _ in range(60):
        act = crowd.change()
        until(partial(seen_alike, shared_display, act), "the window manager to be at rest")
    shared_display.end(pid)


def seen_alike(desk: Desk, act: str) -> bool:
    """Compare the scene with that of a new connection; False while windows still move."""
    before, scene, after = fresh(desk), desk.target.scene(), fresh(desk)
    if before != after:
        return False
    assert scene == before, f"after {act}"
    return True


def fresh(desk: Desk) -> Scene:
    display = Display(desk.environment)
    try:
        return SceneReader(display, EwmhWindows(display)).read()
    finally:
        display.close()


def test_owners_are_those_that_are_found_anew(shared_display: Desk, hand: Input, other: Display) -> None:
    pid = shared_display.launch("xterm", "-T", "under", title="^under$")
    crowd = Crowd(other, 3)
    for _ in range(60):
        act = crowd.change()
        until(partial(owned_alike, shared_display, hand, act), "the window manager to be at rest")
    shared_display.end(pid)
    until(lambda: owned_alike(shared_display, hand, "the end"), "the terminal to be gone")


def owned_alike(desk: Desk, hand: Input, act: str) -> bool:
    display = Display(desk.environment)
    try:
        before = [EwmhWindows(display).owner_at(point) for point in POINTS]
        owners = [hand.owner_at(point) for point in POINTS]
        if before != [EwmhWindows(display).owner_at(point) for point in POINTS]:
            return False
        assert owners == before, f"after {act}"
        return True
    finally:
        display.close()


def test_a_window_that_comes_back_in_another_frame(shared_display: Desk, hand: Input, other: Display) -> None:
    window = other.connection.generate_id()
    place = (200, 150, 300, 200)
    other.core.CreateWindow(0, window, other.root, *place, 0, WindowClass.InputOutput, 0, 0, [])
    frames = []
    for _ in range(2):
        other.core.MapWindow(window)
        other.sync()
        until(lambda: other.core.GetInputFocus().reply().focus == window, "the focus")
        frames.append(EwmhWindows(other).top_of(window))
        assert hand.focus_window() == frames[-1]
        other.core.UnmapWindow(window)
        other.sync()
        until(lambda: EwmhWindows(other).top_of(window) == window, "the end of the frame")
    assert frames[0] != frames[1]
    other.core.DestroyWindow(window)
    other.sync()


def test_to_ask_again_is_one_round_trip(shared_display: Desk) -> None:
    pid = shared_display.launch("xterm", "-T", "asked", title="^asked$")
    middle = shared_display.target.windows()[0].bounds.center
    display = Display(shared_display.environment)
    windows, counted = EwmhWindows(display), Counted(display)
    windows.owner_at(middle)
    first = counted.waits
    assert windows.owner_at(middle) == pid
    assert counted.waits - first <= 3, "the window at the point, the client in it, and its process"
    display.close()
    shared_display.end(pid)


class Counted:
    """Counts how often a connection waits for an answer after having sent something."""

    def __init__(self, display: Display) -> None:
        self.waits = 0
        self._sent = False
        connection: Any = display.connection
        send, wait = connection.send_request, connection.wait_for_reply

        def sending(*arguments: Any, **more: Any) -> Any:
            self._sent = True
            return send(*arguments, **more)

        def waiting(*arguments: Any, **more: Any) -> Any:
            self.waits, self._sent = self.waits + self._sent, False
            return wait(*arguments, **more)

        connection.send_request, connection.wait_for_reply = sending, waiting
