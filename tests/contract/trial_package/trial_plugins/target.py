"""A place in memory: one colour, and a pointer that goes where it is sent."""

from __future__ import annotations

import time

import msgspec

from desktop_agent.platforms.base import Input
from desktop_agent.protocol.errors import Refused
from desktop_agent.protocol.geometry import Geometry, Point, Rect
from desktop_agent.protocol.input_events import InputEvent, Move
from desktop_agent.targets.base import Address, Target
from desktop_agent.targets.faces import Simulated
from desktop_agent.vision.capture.frame import Frame

_LAYOUT = Geometry((Rect(0, 0, 320, 200),), 1)


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[target.trial]`: how bright it is."""

    shade: int = 200


def create(options: Options) -> Target:
    return TrialTarget(options.shade)


class TrialTarget(Simulated):
    kind = "trial"
    title = "A place in memory"

    def __init__(self, shade: int) -> None:
        self._shade = shade

    def start(self) -> None:
        pass

    def address(self) -> Address:
        return Address("trial")

    def inline_input(self) -> Input:
        return TrialInput()

    def geometry(self) -> Geometry:
        return _LAYOUT

    def observe(self, region: Rect | None = None) -> Frame:
        area = region or _LAYOUT.bounds
        pixels = bytes([self._shade]) * (area.width * area.height * 4)
        return Frame(pixels, area, _LAYOUT.epoch, time.monotonic())

    def stop(self) -> None:
        pass


class TrialInput(Input):
    def __init__(self) -> None:
        self._at = Point(0, 0)

    def emit(self, event: InputEvent) -> None:
        if isinstance(event, Move):
            self._at = Point(event.x, event.y)

    def geometry(self) -> Geometry:
        return _LAYOUT

    def pointer(self) -> Point:
        return self._at

    def owner_at(self, point: Point) -> int:
        return 0

    def focus_owner(self) -> int:
        return 0

    def open(self, what: str) -> str:
        raise Refused(f"Nothing is called {what!r} here.")

    def codes(self, event: InputEvent) -> tuple[int, ...]:
        return ()
