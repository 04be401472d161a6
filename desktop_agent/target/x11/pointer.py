"""Moving the pointer, its buttons and the wheel, with the XTest extension."""

from __future__ import annotations

from typing import Any

import xcffib
import xcffib.xtest

from desktop_agent.protocol.events import Button
from desktop_agent.protocol.geometry import Point
from desktop_agent.target.x11.connection import Display

PRESS, RELEASE, MOTION = 4, 5, 6  # event codes of the X protocol
BUTTONS: dict[Button, int] = {"left": 1, "middle": 2, "right": 3, "back": 8, "forward": 9}
UP, DOWN, LEFT, RIGHT = 4, 5, 6, 7  # the wheel's buttons


class Pointer:
    """The core pointer of a display."""

    def __init__(self, display: Display) -> None:
        self._display = display
        self._xtest: Any = display.extension(xcffib.xtest.key)

    def move(self, point: Point) -> None:
        self._xtest.FakeInput(MOTION, 0, 0, self._display.root, point.x, point.y, 0)
        self._display.sync()

    def press(self, button: Button) -> None:
        self._fake(PRESS, BUTTONS[button])
        self._display.sync()

    def release(self, button: Button) -> None:
        self._fake(RELEASE, BUTTONS[button])
        self._display.sync()

    def turn(self, dx: int, dy: int) -> None:
        """Turn the wheel by notches: `dy` positive is up, `dx` positive to the right."""
        for button, count in ((UP if dy > 0 else DOWN, abs(dy)), (RIGHT if dx > 0 else LEFT, abs(dx))):
            for _ in range(count):
                self._fake(PRESS, button)
                self._fake(RELEASE, button)
        self._display.sync()

    def place(self) -> Point:
        reply = self._display.core.QueryPointer(self._display.root).reply()
        return Point(reply.root_x, reply.root_y)

    def _fake(self, kind: int, button: int) -> None:
        self._xtest.FakeInput(kind, button, 0, self._display.root, 0, 0, 0)
