"""What injects at another computer can tell little of it: the rest of `Input`, the same for every way there."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from desktop_agent.platforms.base import Input
from desktop_agent.protocol.geometry import Geometry, Point, Rect, Size, layout

PLACE_X, PLACE_Y, PLACE_BITS = 16, 32, 16
"""Where the codes of a held button have the place at which it was pressed, a bit each, above the button's own."""


class InputFromAfar(Input):
    """`human` is the user's own display, where nothing is injected: their ESC is heard there. It is closed with this.

    Whose window is where is unknown, and where the pointer is, only once it was moved (`at`). `check` is called within
    a text before more of it goes out.
    """

    def __init__(self, human: Input | None) -> None:
        self._human = human
        self.at: Point | None = None
        self.check: Callable[[int], None] = _pass

    def check_with(self, check: Callable[[int], None]) -> None:
        self.check = check

    def escapes(self) -> Sequence[bool]:
        return self._human.escapes() if self._human is not None else ()

    def pointer(self) -> Point:
        return self.at or Point(0, 0)

    def owner_at(self, point: Point) -> int:
        del point
        return 0

    def focus_owner(self) -> int:
        return 0

    def close(self) -> None:
        if self._human is not None:
            self._human.close()


def one_screen(size: Size) -> Geometry:
    """The geometry of a computer whose only screen has this size."""
    return layout((Rect(0, 0, size.width, size.height),))


def place_codes(x: int, y: int) -> tuple[int, ...]:
    """The codes that keep a place beside a button's code; 0 to 65,535 each."""
    return *_bits(x, PLACE_X), *_bits(y, PLACE_Y)


def place_of(codes: int) -> Point:
    """The place that is kept in codes (as a set of bits)."""
    mask = (1 << PLACE_BITS) - 1
    return Point(codes >> PLACE_X & mask, codes >> PLACE_Y & mask)


def _bits(number: int, first: int) -> tuple[int, ...]:
    return tuple(first + place for place in range(PLACE_BITS) if number >> place & 1)


def _pass(typed: int) -> None:
    del typed
