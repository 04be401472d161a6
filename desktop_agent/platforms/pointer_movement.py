"""Tells a pointing device that somebody moves from one under a resting hand."""

from __future__ import annotations

from typing import TypeAlias

PointerPlace: TypeAlias = tuple[float, float]

# A hand resting on the mouse trembles; farther than so many pixels, somebody moved it.
SLACK = 3
# A device that rested for so many seconds has a new place to rest.
REST = 0.5


class Movement:
    """How far a pointing device is from where it last rested, in pixels; `place` is where it is, if known."""

    def __init__(self, place: PointerPlace | None = None) -> None:
        self._place = self._rest = place
        self._moved_at = float("-inf")

    def to(self, x: float, y: float, now: float) -> bool:
        """It is at x, y (`now` in seconds); true when that is farther than a resting hand trembles, or unknown."""
        if now - self._moved_at > REST:
            self._rest = self._place
        self._place, self._moved_at = (x, y), now
        return self._rest is None or max(abs(x - self._rest[0]), abs(y - self._rest[1])) > SLACK

    def by(self, x: float, y: float, now: float) -> bool:
        """It moved by x, y; true as in `to`."""
        was = self._place or (0.0, 0.0)
        self._place = self._place or was
        self._rest = self._rest or was
        return self.to(was[0] + x, was[1] + y, now)
