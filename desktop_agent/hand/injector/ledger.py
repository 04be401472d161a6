"""The ledger: what this hand holds down, written before each press so that nothing is ever forgotten."""

from __future__ import annotations

from typing import get_args

from desktop_agent.hand.ipc.shared_block import Shared, Word
from desktop_agent.protocol.input_events import (
    Button,
    ButtonDown,
    ButtonUp,
    InputEvent,
    KeyDown,
    KeyUp,
    Wheel,
)

BUTTONS: tuple[Button, ...] = get_args(Button)
"""Buttons by their bit in Word.BUTTONS; the wheel's four directions follow: up, down, left, right."""


class Ledger:
    """Held keys and buttons: by name and order for the hand, by keycode in shared memory for the guard."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared
        self._held: dict[KeyUp | ButtonUp, tuple[int, ...]] = {}
        self._loose: set[int] = set()

    def begin(self, event: InputEvent, codes: tuple[int, ...]) -> None:
        """An event is about to press `codes`."""
        match event:
            case KeyDown(key):
                self._held[KeyUp(key)] = codes
            case ButtonDown(button):
                self._held[ButtonUp(button)] = ()
                self._shared[Word.BUTTONS] |= 1 << BUTTONS.index(button)
            case Wheel():  # some systems turn it by buttons: down for a moment, in which we may be cut off
                self._shared[Word.BUTTONS] |= _turned(event)
            case KeyUp() | ButtonUp():
                return
            case _:
                self._loose.update(codes)
        self._shared.add_codes(Word.KEYS, codes)

    def end(self, event: InputEvent) -> None:
        """The event has arrived: what it released is not held any more."""
        match event:
            case KeyDown() | ButtonDown():
                return
            case ButtonUp(button):
                self._held.pop(event, None)
                self._shared[Word.BUTTONS] &= ~(1 << BUTTONS.index(button))
            case Wheel():
                self._shared[Word.BUTTONS] &= ~_turned(event)
            case KeyUp():
                self._drop(self._held.pop(event, ()))
            case _:
                loose, self._loose = self._loose, set()
                self._drop(tuple(loose))

    def take_back(self, event: InputEvent) -> None:
        """The system refused the event before pressing anything; what was to be released is held still."""
        match event:
            case KeyUp() | ButtonUp():
                return
            case KeyDown(key):
                self.end(KeyUp(key))
            case ButtonDown(button):
                self.end(ButtonUp(button))
            case _:
                self.end(event)

    def _drop(self, codes: tuple[int, ...]) -> None:
        still = self._loose.union(*self._held.values())
        self._shared.drop_codes(Word.KEYS, (code for code in codes if code not in still))

    def holds(self, event: KeyUp | ButtonUp) -> bool:
        """True when what this event would release is held."""
        return event in self._held

    @property
    def releases(self) -> tuple[KeyUp | ButtonUp, ...]:
        """The events that release everything, last pressed first."""
        return tuple(reversed(self._held))

    @property
    def names(self) -> tuple[str, ...]:
        """What is held, in words; keycodes that an interrupted text may have left are named by number."""
        named = (event.key if isinstance(event, KeyUp) else f"{event.button} button" for event in self._held)
        wheel = ("wheel",) if self._shared[Word.BUTTONS] >> len(BUTTONS) else ()
        return (*named, *(f"keycode {code}" for code in sorted(self._loose)), *wheel)


def _turned(event: Wheel) -> int:
    """The bits of the directions it turns to."""
    turned = (event.dy > 0, event.dy < 0, event.dx < 0, event.dx > 0)
    return sum(1 << len(BUTTONS) + index for index, each in enumerate(turned) if each)
