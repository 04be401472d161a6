"""Refuses an operation when the window, the pixels or the keyboard's place it acts on are not those that were looked at.

Checked before its first event and again at the press.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from desktop_agent.platforms.base import Input, KeyDestination
from desktop_agent.protocol.batch import Batch, Expect, seal
from desktop_agent.protocol.errors import Refused
from desktop_agent.protocol.geometry import Point, Rect
from desktop_agent.protocol.input_events import ButtonDown, InputEvent, KeyDown, Text, Wheel

AGAIN = "Look again."


class PreconditionCheck:
    """Those of one operation at a time; `stale` tells whether the operation was refused for them."""

    def __init__(self, input_: Input) -> None:
        self._input = input_
        self._destination = KeyDestinationCheck(input_)
        self._in_place = self._texting = False
        self._places: tuple[Expect, ...] = ()
        self._keys: tuple[Expect, ...] = ()
        self._fitting: dict[Rect, bytes] = {}
        self._pressed = False
        self.stale = False

    def begin(self, batch: Batch, index: int) -> None:
        """Operation `index` is about to begin. Raises Refused when it, or the batch, is not what was meant."""
        self.stale, self._pressed, self._fitting, self._in_place = False, False, {}, False
        self._destination.begin()
        if index == 0 and batch.approval and seal(batch) != batch.approval:
            raise Refused("This is not what was approved.", "Ask again.")
        mine = [each for each in batch.expects if each.index == index]
        self._places = tuple(each for each in mine if each.at is not None)
        self._keys = tuple(each for each in mine if each.at is None)
        for each in self._places:
            self._check_window(each, each.at)
            self._check_pixels(each, hovered=each.pointer is None or self._input.pointer() != each.pointer)
        self.check_keyboard()

    @contextmanager
    def kept(self, event: InputEvent) -> Iterator[None]:
        """Around the injection of an event: raises Refused when its window is not the one meant any more."""
        self._texting = isinstance(event, Text)
        if isinstance(event, ButtonDown) and self._places and not self._pressed:
            self._pressed = True
            with self._input.still():
                self._check_window(self._places[0], self._input.pointer())
                # The pointer has come by now, so it may show.
                self._check_pixels(self._places[0], hovered=True)
                if self._input.pointer_grabbed():
                    self._refuse("Another program has grabbed the pointer, so it would have got the click.")
                yield
            return
        if isinstance(event, KeyDown) and self._keys:
            with self._input.still():
                self.check_keyboard()
                yield
            return
        if isinstance(event, ButtonDown | Wheel) and self._places:
            self._check_window(self._places[0], self._input.pointer())
        elif self._texting:
            self.check_within()  # the input asks again between the characters
        yield

    def _check_window(self, expect: Expect, at: Point | None) -> None:
        if expect.windows and at is not None and self._input.window_at(at) not in expect.windows:
            self._refuse(f"Another window is at {at.x},{at.y} now than when it was looked at.")

    def _check_pixels(self, expect: Expect, *, hovered: bool) -> None:
        now = self._input.pixels(expect.patch) if expect.pixels else b""
        if not now or now == self._fitting.get(expect.patch):  # nothing expected, cannot be told, or known
            return
        from desktop_agent.vision.settling.patch_match import (  # its numpy makes a hand slow to start, and Windows' needs none
            same_pixels,
            same_shapes,
        )

        fits = same_shapes if hovered else same_pixels
        if not fits(expect.pixels, now, expect.patch.size, caret=expect.caret):
            at = expect.at or expect.patch.center
            self._refuse(f"What is at {at.x},{at.y} is not what was looked at.")
        self._fitting[expect.patch] = now

    def check_within(self) -> None:
        """Before more of an event goes out: raises Refused when it would go elsewhere than meant, or than it began."""
        if not self._texting:
            self.check_keyboard()
            return
        if not self._in_place:  # the very same window is in the same top-level one
            self.check_keyboard()
        try:
            self._in_place = self._destination.check()
        except Refused:
            self.stale = True
            raise

    def check_keyboard(self) -> None:
        """Raises Refused when the keys of this operation would go to another window."""
        for each in self._keys:
            if each.windows and self._input.focus_window() not in each.windows and not self._owned(each):
                self._refuse("Another window has the keyboard now than when it was looked at.")

    def _owned(self, expect: Expect) -> bool:
        return expect.owner != 0 and self._input.focus_owner() == expect.owner

    def _refuse(self, why: str) -> None:
        self.stale = True
        raise Refused(why, AGAIN)


class KeyDestinationCheck:
    """Of one operation at a time. The place of its first character is that of all of them."""

    def __init__(self, input_: Input) -> None:
        self._input = input_
        self._kept: KeyDestination | None = None

    def begin(self) -> None:
        """Another operation begins."""
        self._kept = None

    def check(self) -> bool:
        """To be called before each few characters; true when it is known that they go where the first went.

        Raises Refused when they would go elsewhere.
        """
        now = self._input.key_destination()
        if now is None or now == self._kept:
            return now is not None
        if now.grabbed:
            raise Refused(
                f"The keyboard is with {self._input.describe_destination(now)}; it would have got the rest.",
                "Close it, or choose there with single keys; then look again.",
            )
        if self._kept is not None:
            names = self._input.describe_destination(self._kept), self._input.describe_destination(now)
            raise Refused(f"The keyboard went from {names[0]} to {names[1]}; the rest was not typed.", AGAIN)
        self._kept = now
        return True
