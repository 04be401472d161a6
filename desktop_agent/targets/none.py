"""No desktop: nothing to see and nothing to press, for runs that work in environments alone."""

from __future__ import annotations

import time
from typing import NoReturn

import msgspec

from desktop_agent.platforms.base import Input
from desktop_agent.protocol.errors import Refused, TargetError
from desktop_agent.protocol.geometry import Geometry, Point, Rect
from desktop_agent.protocol.input_events import InputEvent
from desktop_agent.targets.base import Address
from desktop_agent.targets.faces import Simulated
from desktop_agent.vision.capture.frame import Frame

_GEOMETRY = Geometry((Rect(0, 0, 320, 200),), epoch=1)
"""Of the blank picture that every look is."""


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[target.none]`: there is nothing to choose."""


def create(options: Options) -> NoDesktop:  # noqa: ARG001 - there are none
    """No desktop."""
    return NoDesktop()


class NoDesktop(Simulated):
    """A blank picture, and an input that refuses."""

    kind = "none"
    title = "no desktop"
    screenless = True

    def start(self) -> None:
        """Nothing to bring up."""

    def stop(self) -> None:
        """Nothing to end."""

    def address(self) -> Address:
        return Address(self.kind)

    def geometry(self) -> Geometry:
        return _GEOMETRY

    def inline_input(self) -> Input:
        return _NoInput()

    def observe(self, region: Rect | None = None) -> Frame:
        self.may_look()
        area = region or _GEOMETRY.bounds
        return Frame(bytes(area.area * 4), area, _GEOMETRY.epoch, time.monotonic())


class _NoInput(Input):
    def emit(self, event: InputEvent) -> NoReturn:  # noqa: ARG002
        raise TargetError(
            "There is no desktop to press anything on.", "Choose one: --target display or local."
        )

    def geometry(self) -> Geometry:
        return _GEOMETRY

    def pointer(self) -> Point:
        return Point(0, 0)

    def owner_at(self, point: Point) -> int:  # noqa: ARG002
        return 0

    def focus_owner(self) -> int:
        return 0

    def open(self, what: str) -> NoReturn:
        raise Refused(f"There is no desktop to open {what} on.", "Choose one: --target display or local.")

    def codes(self, event: InputEvent) -> tuple[int, ...]:  # noqa: ARG002
        return ()

    def close(self) -> None:
        """Nothing to let go of."""
