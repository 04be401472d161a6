"""The human's hands: real X events on the private display."""

from __future__ import annotations

import os

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QWidget

from desktop_agent.protocol.input_events import (
    Button,
    ButtonDown,
    ButtonUp,
    KeyDown,
    KeyUp,
    Move,
    Text,
    Wheel,
)
from desktop_agent.targets import display as embedded
from tests.desk import Desk


class Hands:
    """Moves, clicks and types through XTEST; Qt must be let work for what follows from it."""

    def __init__(self, desk: Desk) -> None:
        self._input = embedded.attach(desk.target.address())

    def point(self, widget: QWidget, at: QPoint | None = None) -> None:
        place = widget.mapToGlobal(at or widget.rect().center())
        self._input.emit(Move(place.x(), place.y()))

    def click(self, widget: QWidget) -> None:
        self.point(widget)
        self._input.emit(ButtonDown("left"))
        self._input.emit(ButtonUp("left"))

    def press(self, button: Button = "left") -> None:
        self._input.emit(ButtonDown(button))

    def release(self, button: Button = "left") -> None:
        self._input.emit(ButtonUp(button))

    def move(self, x: int, y: int) -> None:
        self._input.emit(Move(x, y))

    def turn(self, notches: int) -> None:
        """Turn the wheel, down with a negative number."""
        self._input.emit(Wheel(0, notches))

    def type(self, text: str) -> None:
        self._input.emit(Text(text))

    def chord(self, *keys: str) -> None:
        for key in keys:
            self._input.emit(KeyDown(key))
        for key in reversed(keys):
            self._input.emit(KeyUp(key))

    def down(self, key: str) -> None:
        self._input.emit(KeyDown(key))

    def up(self, key: str) -> None:
        self._input.emit(KeyUp(key))

    def writes_here(self) -> bool:
        """True when what is typed now comes to this process (Qt believes so a little earlier)."""
        return self.writes_in(os.getpid())

    def writes_in(self, pid: int) -> bool:
        """True when what is typed now comes to this process."""
        return self._input.focus_owner() == pid

    def close(self) -> None:
        self._input.close()
