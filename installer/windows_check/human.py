"""Plays the human at the keyboard and the mouse, from the X side: for Windows that is hardware."""

from __future__ import annotations

import select
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from desktop_agent.platforms.x11.input.input import X11Input
from desktop_agent.protocol.geometry import Point
from desktop_agent.protocol.input_events import ButtonDown, ButtonUp, KeyDown, KeyUp, Move
from installer.windows_check.machine import Machine

STROKE_SECONDS = 0.02
"""Between two events: nobody is quicker, and programs that look at the keyboard's state must be able to follow."""


class Human:
    """Hands on the keyboard and the mouse of the machine's screen."""

    def __init__(self, machine: Machine) -> None:
        self._input = X11Input(machine.environment)

    def click(self, at: Point) -> None:
        """Move there and click."""
        for event in (Move(at.x, at.y), ButtonDown("left"), ButtonUp("left")):
            self._input.emit(event)
            self._breathe()

    def press(self, *keys: str, held: Callable[[], object] = lambda: None) -> None:
        """Press keys together, as in ("ctrl", "v"); `held` waits until Windows knows of those held for the last."""
        for number, key in enumerate(keys, 1):
            self._input.emit(KeyDown(key))
            self._breathe()
            if number == len(keys) - 1:
                held()
        for key in reversed(keys):
            self._input.emit(KeyUp(key))
            self._breathe()

    def _breathe(self) -> None:
        select.select([], [], [], STROKE_SECONDS)

    def close(self) -> None:
        self._input.close()


@contextmanager
def human(machine: Machine) -> Iterator[Human]:
    """Somebody at the machine."""
    person = Human(machine)
    try:
        yield person
    finally:
        person.close()
