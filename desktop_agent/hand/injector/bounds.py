"""Refuses events outside the monitors or the allowed region, and into protected windows."""

from __future__ import annotations

from collections.abc import Iterable

from desktop_agent.platforms.base import Input
from desktop_agent.platforms.pointer_movement import SLACK
from desktop_agent.protocol.errors import OutOfBounds, Refused
from desktop_agent.protocol.geometry import Geometry, Point, Rect
from desktop_agent.protocol.input_events import ButtonDown, InputEvent, KeyDown, Move, Text, Wheel


class Bounds:
    """Checks each event against the screen as it is at that moment."""

    def __init__(self, input_: Input) -> None:
        self._input = input_
        self._protected: frozenset[int] = frozenset()
        self._region: Rect | None = None
        self._epoch = 0
        self._moved_to: Point | None = None
        self._clicked = 0

    def protect(self, pids: Iterable[int]) -> None:
        """Windows of these processes may not be clicked or typed into."""
        self._protected = frozenset(pids) - {0}

    def confine(self, region: Rect | None) -> None:
        """Pointer events outside this rectangle are refused; None lifts it."""
        self._region = region

    def begin(self, epoch: int) -> None:
        """An operation made for this geometry begins. Raises Refused when the screen is another by now."""
        self._epoch, self._moved_to = epoch, None
        self._geometry()

    def check(self, event: InputEvent) -> None:
        """Raises Refused. Releasing is always allowed."""
        match event:
            case Move(x, y):
                self._check_spot(Point(x, y))
            case ButtonDown():
                self._clicked = self._check_spot(self._pointer())
            case Wheel():
                self._check_spot(self._pointer())
            case KeyDown() | Text():
                self._check_focus()

    def arrived(self, event: InputEvent) -> None:
        """The event went out."""
        if isinstance(event, Move):
            self._moved_to = Point(event.x, event.y)

    def focus_followed(self) -> bool:
        """True once the keyboard is with the process that was clicked last, as far as can be known."""
        if not self._clicked or self._input.focus_owner() == self._clicked:
            self._clicked = 0
            return True
        return False

    def forget_click(self) -> None:
        """A click long ago says nothing about where the keyboard should be."""
        self._clicked = 0

    def middle(self, rect: Rect) -> Point:
        """The middle of the part of a rectangle that can be acted on. Raises OutOfBounds when none can."""
        part = rect if self._region is None else rect.intersection(self._region)
        parts = [part.intersection(monitor) for monitor in self._geometry().monitors]
        best = max(parts, key=lambda each: each.width * each.height)
        if best.empty:
            raise OutOfBounds("The element is not on the screen.", "Scroll it into view, then look again.")
        return best.center

    def _geometry(self) -> Geometry:
        geometry = self._input.geometry()
        if geometry.epoch != self._epoch:
            raise Refused("The screen changed its size or layout since it was looked at.", "Look again.")
        return geometry

    def _pointer(self) -> Point:
        now, meant = self._input.pointer(), self._moved_to
        if meant is not None and max(abs(now.x - meant.x), abs(now.y - meant.y)) > SLACK:
            raise Refused(
                f"Someone moved the pointer from {meant.x},{meant.y} to {now.x},{now.y}.", "Look again."
            )
        return now

    def _check_spot(self, point: Point) -> int:
        """The owner of the window there, or Refused."""
        where = f"{point.x},{point.y}"
        if not self._geometry().visible(point):
            raise OutOfBounds(f"{where} is on no monitor.", "Use coordinates inside the picture.")
        if self._region is not None and not self._region.contains(point):
            raise OutOfBounds(
                f"{where} is outside the region the agent may act in.", "Stay inside the region."
            )
        owner = self._input.owner_at(point)
        if owner in self._protected:
            raise Refused(f"The window at {where} is the agent's own.", "Act in another window.")
        return owner

    def _check_focus(self) -> None:
        if self._input.focus_owner() in self._protected:
            raise Refused(
                "The agent's own window has the keyboard.", "Click the window that is meant, then type."
            )
