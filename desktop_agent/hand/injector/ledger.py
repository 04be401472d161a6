"""Records what this hand holds down, before each press, so that whoever cleans up after it knows."""

from __future__ import annotations

from collections.abc import Iterable

from desktop_agent.hand.ipc.shared_block import Shared, Word
from desktop_agent.protocol.input_events import (
    ButtonDown,
    ButtonUp,
    InputEvent,
    KeyDown,
    KeyUp,
    Wheel,
)


class Ledger:
    """Held keys and buttons: by name and order for the hand, by the target's codes in shared memory for the guard."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared
        self._held: dict[KeyUp | ButtonUp, tuple[int, ...]] = {}
        # Down for a moment only, in which we may be cut off: keys of a text, and a wheel that is turned by buttons.
        self._typing: set[int] = set()
        self._turning: set[int] = set()

    def begin(self, event: InputEvent, codes: tuple[int, ...]) -> None:
        """An event is about to press `codes` (see `Input.codes`)."""
        match event:
            case KeyUp() | ButtonUp():
                return
            case KeyDown(key):
                self._held[KeyUp(key)] = codes
            case ButtonDown(button):
                self._held[ButtonUp(button)] = codes
            case Wheel():
                self._turning.update(codes)
            case _:
                self._typing.update(codes)
        self._shared.add_codes(_word(event), codes)

    def end(self, event: InputEvent) -> None:
        """The event has arrived: what it released is not held any more."""
        match event:
            case KeyDown() | ButtonDown():
                return
            case KeyUp() | ButtonUp():
                self._drop(event, self._held.pop(event, ()))
            case Wheel():
                turning, self._turning = self._turning, set()
                self._drop(event, turning)
            case _:
                typing, self._typing = self._typing, set()
                self._drop(event, typing)

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

    def _drop(self, event: InputEvent, codes: Iterable[int]) -> None:
        word = _word(event)
        still = set(self._turning if word is Word.BUTTONS else self._typing)
        still.update(*(each for held, each in self._held.items() if _word(held) is word))
        self._shared.drop_codes(word, (code for code in codes if code not in still))

    def holds(self, event: KeyUp | ButtonUp) -> bool:
        """True when what this event would release is held."""
        return event in self._held

    @property
    def releases(self) -> tuple[KeyUp | ButtonUp, ...]:
        """The events that release everything, last pressed first."""
        return tuple(reversed(self._held))

    @property
    def names(self) -> tuple[str, ...]:
        """What is held, in words; keys that an interrupted text may have left are named by number."""
        named = (event.key if isinstance(event, KeyUp) else f"{event.button} button" for event in self._held)
        wheel = ("wheel",) if self._turning else ()
        return (*named, *(f"keycode {code}" for code in sorted(self._typing)), *wheel)


def _word(event: InputEvent) -> Word:
    """Where the codes of an event are kept."""
    return Word.BUTTONS if isinstance(event, ButtonDown | ButtonUp | Wheel) else Word.KEYS
