"""Moves the pointer, presses its buttons and turns the wheel, through the XTest extension."""

from __future__ import annotations

import select
import time
from collections.abc import Callable
from typing import Any

import xcffib
import xcffib.xtest

from desktop_agent.platforms.x11.connection import Display
from desktop_agent.protocol.geometry import Point
from desktop_agent.protocol.input_events import Button, ButtonDown, ButtonUp, Wheel

PRESS, RELEASE, MOTION = 4, 5, 6  # event codes of the X protocol
BUTTONS: dict[Button, int] = {"left": 1, "middle": 2, "right": 3, "back": 8, "forward": 9}
UP, DOWN, LEFT, RIGHT = 4, 5, 6, 7  # the wheel's buttons
THAW_SECONDS = 0.25  # longest wait for a window manager to release a click that it holds back
_POLL_SECONDS = 0.001
CLICK_GAP = 0.01
"""Seconds from a button's release to the next press. Within one millisecond of the server's clock, window
managers that hand clicks on (openbox) lose the second, and Qt does not see a double click."""


class Pointer:
    """The core pointer of a display.

    Window managers hold a click back (a synchronous grab) until they have raised and focused the
    window; keys typed meanwhile would overtake the click. So `move` and `release` return only
    when the server has processed them, or after THAW_SECONDS.
    """

    def __init__(self, display: Display) -> None:
        self._display = display
        self._xtest: Any = display.extension(xcffib.xtest.key)
        self._released_at = 0.0
        self._down: set[Button] = set()

    @property
    def holding(self) -> bool:
        """Is a button held down, as in a drag?"""
        return bool(self._down)

    def move(self, point: Point) -> None:
        """Move to a screen pixel; returns when the server has it there, or after THAW_SECONDS."""
        self._xtest.FakeInput(MOTION, 0, 0, self._display.root, point.x, point.y, 0)
        self._until(lambda reply: (reply.root_x, reply.root_y) == (point.x, point.y), self._display.check)

    def press(self, button: Button) -> None:
        """Press a button, at the earliest CLICK_GAP after the last release."""
        while (left := CLICK_GAP - (time.monotonic() - self._released_at)) > 0:
            select.select([], [], [], min(left, _POLL_SECONDS))
            self._display.check()
        self._down.add(button)
        self._fake(PRESS, BUTTONS[button])
        self._display.sync()

    def release(self, button: Button) -> None:
        """Release a button; returns when the server has processed it, or after THAW_SECONDS."""
        self._down.discard(button)
        self._fake(RELEASE, BUTTONS[button])
        # The state has bits for the first five buttons only, from bit 8 on.
        bit = 1 << (BUTTONS[button] + 7) if BUTTONS[button] <= 5 else 0
        self._until(lambda reply: not reply.mask & bit)
        self._released_at = time.monotonic()

    def turn(self, dx: int, dy: int) -> None:
        """Turn the wheel by notches: `dy` positive is up, `dx` positive to the right."""
        for button, count in ((UP if dy > 0 else DOWN, abs(dy)), (RIGHT if dx > 0 else LEFT, abs(dx))):
            for _ in range(count):
                self._fake(PRESS, button)
                self._fake(RELEASE, button)
        self._display.sync()

    def codes(self, event: ButtonDown | ButtonUp | Wheel) -> tuple[int, ...]:
        """The X buttons that the event presses."""
        if not isinstance(event, Wheel):
            return (BUTTONS[event.button],)
        turned = {UP: event.dy > 0, DOWN: event.dy < 0, LEFT: event.dx < 0, RIGHT: event.dx > 0}
        return tuple(number for number, pressed in turned.items() if pressed)

    def place(self) -> Point:
        """The pointer's position in screen pixels."""
        reply = self._display.core.QueryPointer(self._display.root).reply()
        return Point(reply.root_x, reply.root_y)

    def _until(self, processed: Callable[[Any], bool], check: Callable[[], None] = lambda: None) -> None:
        deadline = time.monotonic() + THAW_SECONDS
        while not processed(self._display.core.QueryPointer(self._display.root).reply()):
            if time.monotonic() > deadline:
                return
            check()
            select.select([], [], [], _POLL_SECONDS)

    def _fake(self, kind: int, button: int) -> None:
        self._xtest.FakeInput(kind, button, 0, self._display.root, 0, 0, 0)
