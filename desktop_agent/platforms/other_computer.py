"""Input and watch for another computer, the same for every way there: where its windows are is unknown, and ESC is heard on the user's own display."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from desktop_agent.platforms.base import EscapeSink, HumanSink, Input, InputWatch, Releaser
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


class WatchFromHere(InputWatch):
    """Releases by `releaser` at the place that is worked.

    `desktop` watches the display the user sits at; None where there is none, and so nobody to press ESC.
    """

    def __init__(self, releaser: Releaser, desktop: InputWatch | None) -> None:
        self._releaser = releaser
        self._desktop = desktop

    def watch_human(self, human: HumanSink) -> bool:
        """The user's input is theirs on their own display, and nothing tells of others at the place: nobody takes over."""
        del human
        return True

    def watch_escape(
        self, escapes: EscapeSink, interval: Callable[[], float], beat: Callable[[], None]
    ) -> None:
        if self._desktop is not None:
            self._desktop.watch_escape(escapes, interval, beat)
            return

        def go_on() -> None:
            while True:
                beat()
                threading.Event().wait(interval())

        threading.Thread(target=go_on, name="beat", daemon=True).start()

    def watching(self) -> bool:
        """Of the user's display; that the place has gone, the hand says."""
        return self._desktop is None or self._desktop.watching()

    def release(self, keys: Sequence[int], buttons: Sequence[int]) -> bool:
        return self._releaser.release(keys, buttons)


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
