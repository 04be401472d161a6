"""Injects input events into an X display."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import assert_never

import xcffib
import xcffib.xtest

from desktop_agent.platforms.base import Input, KeyDestination, Means
from desktop_agent.platforms.x11.connection import Display, display_errors
from desktop_agent.platforms.x11.input.escape_events import EscapePresses
from desktop_agent.platforms.x11.input.key_destination import KeyDestinationReader
from desktop_agent.platforms.x11.input.keyboard import Keyboard
from desktop_agent.platforms.x11.input.pointer import Pointer
from desktop_agent.platforms.x11.input.pointer_grab import PointerGrabReader
from desktop_agent.platforms.x11.monitors import Monitors
from desktop_agent.platforms.x11.opener.opener import X11Opener
from desktop_agent.platforms.x11.windows.ewmh import EwmhWindows
from desktop_agent.platforms.x11.windows.scene_reader import SceneReader
from desktop_agent.protocol.errors import TargetError
from desktop_agent.protocol.geometry import Geometry, Point, Rect
from desktop_agent.protocol.input_events import (
    ButtonDown,
    ButtonUp,
    InputEvent,
    KeyDown,
    KeyUp,
    Move,
    Text,
    Wheel,
)


class X11Input(Input):
    """Keyboard and pointer of the display that `environment` leads to. Not for several threads."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._display = Display(environment)
        with display_errors(self._display.name):
            # Requests of this connection are processed even during another client's server grab, releases above all.
            self._display.extension(xcffib.xtest.key).GrabControl(True)
            self._monitors, self._windows = Monitors(self._display), EwmhWindows(self._display)
            self._scenes = SceneReader(self._display, self._windows)
            self._destinations = KeyDestinationReader(self._display, self._windows)
            self._pointer_grab = PointerGrabReader(self._display, self._destinations)
            self._keyboard = Keyboard(self._display, self._destinations.ask)
            self._pointer = Pointer(self._display)
            self._escapes = EscapePresses(
                self._display, lambda: self._keyboard.escape_codes, lambda: self._pointer.holding
            )
        self._opener = X11Opener(environment)
        self._closed = False

    @contextmanager
    def _display_errors(self) -> Iterator[None]:
        if self._closed:
            raise TargetError("The input is closed.")
        with display_errors(self._display.name):
            yield

    def emit(self, event: InputEvent) -> None:
        with self._display_errors():
            match event:
                case Move():
                    self._pointer.move(Point(event.x, event.y))
                case ButtonDown():
                    self._pointer.press(event.button)
                case ButtonUp():
                    self._pointer.release(event.button)
                case Wheel():
                    self._pointer.turn(event.dx, event.dy)
                case KeyDown():
                    self._keyboard.press(event.key)
                case KeyUp():
                    self._keyboard.release(event.key)
                case Text():
                    self._keyboard.type(event.chunk)
                case _:
                    assert_never(event)

    def check_with(self, check: Callable[[int], None]) -> None:
        self._display.check = lambda: check(self._keyboard.typed)

    def tell_of_grabs(self, tell: Callable[[bool], None]) -> None:
        self._display.tell_of_grabs = tell

    def escapes(self) -> Sequence[bool]:
        with self._display_errors():
            return self._escapes.taken()

    def human_used(self) -> Means | None:
        with self._display_errors():
            return self._escapes.used()

    def rest(self, seconds: float) -> bool:
        with self._display_errors():
            self._display.rest(seconds)
        return True

    def codes(self, event: InputEvent) -> tuple[int, ...]:
        if isinstance(event, ButtonDown | ButtonUp | Wheel):
            return self._pointer.codes(event)
        with self._display_errors():
            if isinstance(event, KeyDown | KeyUp):
                return self._keyboard.codes_of_key(event.key)
            return self._keyboard.codes_of_text(event.chunk) if isinstance(event, Text) else ()

    def spare_codes(self) -> tuple[int, ...]:
        return self._keyboard.spare_codes

    def prepare(self, text: str) -> None:
        with self._display_errors():
            self._keyboard.prepare(text)

    def geometry(self) -> Geometry:
        with self._display_errors():
            return self._monitors.geometry()

    def pointer(self) -> Point:
        with self._display_errors():
            return self._pointer.place()

    def owner_at(self, point: Point) -> int:
        with self._display_errors():
            return self._windows.owner_at(point)

    def focus_owner(self) -> int:
        with self._display_errors():
            return self._windows.focus_owner()

    def window_at(self, point: Point) -> int:
        with self._display_errors():
            return self._scenes.window_at(point)

    def focus_window(self) -> int:
        with self._display_errors():
            return self._scenes.focus_window()

    def key_destination(self) -> KeyDestination:
        with self._display_errors():
            return self._destinations.read()

    def describe_destination(self, destination: KeyDestination) -> str:
        with self._display_errors():
            return self._destinations.describe(destination)

    def pointer_grabbed(self) -> bool:
        with self._display_errors():
            return self._pointer_grab.grabbed()

    def pixels(self, area: Rect) -> bytes:
        with self._display_errors():
            return self._scenes.pixels(area, self.hints_of)

    @contextmanager
    def still(self) -> Iterator[None]:
        with self._display_errors(), self._display.grabbed():
            yield

    def open(self, what: str) -> str:
        return self._opener.open(what)

    def hurry(self) -> None:
        self._keyboard.hurry()

    def close(self) -> None:
        if self._closed:
            return
        self._display.check = lambda: None  # no stop may interrupt the restoring of the key map
        with (
            contextlib.suppress(TargetError),
            self._display_errors(),
        ):  # a display that is gone has nothing to restore
            self._keyboard.close()
        self._closed = True
        self._display.close()
