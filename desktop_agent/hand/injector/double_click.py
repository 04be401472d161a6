"""Delays a click so that it is not merged with the one before into a double click."""

from __future__ import annotations

from collections.abc import Callable

from desktop_agent.platforms.base import Input
from desktop_agent.protocol.geometry import Point
from desktop_agent.protocol.input_events import Button, ButtonDown, InputEvent

NEAR = 8
"""Pixels: presses farther apart are never a double click (openbox 8, GTK, Qt and Tk 5, Windows and Chromium 4)."""
MARGIN = 0.01


class DoubleClickGap:
    """Says how long a press must wait to begin a click of its own. `clock` counts seconds.

    What counts as a double click is decided by the application, by place, button and the time from
    press to press; nothing that may come in between (keys, moves, the wheel) ends it in all of them.
    """

    def __init__(self, input_: Input, clock: Callable[[], float]) -> None:
        self._input, self._clock = input_, clock
        self._last: tuple[Button, Point, float] | None = None

    def sent(self, event: InputEvent) -> None:
        """The event went out."""
        if isinstance(event, ButtonDown):
            self._last = event.button, self._input.pointer(), self._clock()

    def wait_before(self, button: Button) -> float:
        """Seconds until a press of this button where the pointer is begins a click of its own."""
        if self._last is None:
            return 0.0
        before, place, time = self._last
        here = self._input.pointer()
        if before != button or max(abs(here.x - place.x), abs(here.y - place.y)) > NEAR:
            return 0.0
        return max(0.0, time + self._input.double_click_seconds() + MARGIN - self._clock())
