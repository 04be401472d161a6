"""Injects input events by requests to a receiver of keys."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, assert_never

from desktop_agent.extras.camera.wire._key_names import http_name_of, no_key
from desktop_agent.platforms.base import Input, Releaser
from desktop_agent.platforms.other_computer import InputFromAfar, one_screen
from desktop_agent.protocol.errors import Refused
from desktop_agent.protocol.geometry import Geometry, Size
from desktop_agent.protocol.input_events import (
    ButtonDown,
    ButtonUp,
    InputEvent,
    KeyDown,
    KeyUp,
    Move,
    Text,
    Wheel,
)
from desktop_agent.protocol.keys import is_modifier

if TYPE_CHECKING:
    from desktop_agent.extras.camera.wire._http.key_receiver import KeyReceiver
    from desktop_agent.wire.base import Modifier

AT_ONCE = 2
"""Characters of a text in one request: what still arrives after a stop. A request takes 2 to 3 ms on a loopback, whatever it holds."""

_MODIFIERS: dict[str, Modifier] = {
    "ctrl": "ctrl", "ctrl_left": "ctrl", "ctrl_right": "ctrl", "shift": "shift", "shift_left": "shift",
    "shift_right": "shift", "alt": "alt", "alt_left": "alt", "super": "win", "super_left": "win", "super_right": "win",
}  # fmt: skip
_KEYS_IN_TEXT = {"\n": "Enter", "\t": "Tab"}


class HttpInput(InputFromAfar):
    """The keyboard of what receives keys over HTTP; it has no mouse.

    Nothing is ever held there: a modifier is remembered here and sent with the key that it is held for.
    """

    def __init__(self, receiver: KeyReceiver, screen: Size, human: Input | None) -> None:
        super().__init__(human)
        self._receiver = receiver
        self._screen = screen
        self._held: dict[str, bool] = {}

    def emit(self, event: InputEvent) -> None:
        match event:
            case KeyDown(key):
                self._press(key)
            case KeyUp(key):
                if self._held.pop(key, True) is False:
                    raise Refused(f"Over HTTP {key!r} cannot be pressed alone.", "Press it with another key.")
            case Text(chunk):
                self._type(chunk)
            case Move() | ButtonDown() | ButtonUp() | Wheel():
                raise Refused("There is no mouse on this wire.", "Use the keyboard.")
            case _:
                assert_never(event)

    def _press(self, key: str) -> None:
        if is_modifier(key):
            if key not in _MODIFIERS:
                raise no_key(key, "a keyboard over HTTP")
            self._held[key] = False  # no key has been pressed with it yet
            return
        press_key(self._receiver, tuple(dict.fromkeys(_MODIFIERS[each] for each in self._held)), key)
        self._held = dict.fromkeys(self._held, True)

    def _type(self, text: str) -> None:
        if self._held:
            raise Refused(
                f"{' and '.join(self._held)} would not be held while a text is typed over HTTP.",
                "Use key_combo.",
            )
        typed = 0
        for path, body, characters in pieces(text, AT_ONCE):
            self.check(typed)
            self._receiver.post(path, body)
            typed += characters

    def prepare(self, text: str) -> None:
        """Refuses a text with a control character, before anything of it is typed."""
        check_text(text)

    def codes(self, event: InputEvent) -> tuple[int, ...]:
        del event
        return ()

    def geometry(self) -> Geometry:
        return one_screen(self._screen)

    def open(self, what: str) -> str:
        raise Refused(f"Nothing can be opened over this wire, so not {what!r}.", "Type a command for it.")

    def close(self) -> None:
        super().close()
        self._receiver.close()


class NothingHeld(Releaser):
    """Releases nothing, as nothing can be held over HTTP. See Releaser."""

    def release(self, keys: Sequence[int], buttons: Sequence[int]) -> bool:
        del keys, buttons
        return True


def press_key(receiver: KeyReceiver, modifiers: Sequence[Modifier], key: str) -> None:
    """Have a key pressed and released, with modifiers or without."""
    name = http_name_of(key)
    if modifiers:
        receiver.post("key-combo", {"modifiers": list(modifiers), "key": name})
    else:
        receiver.post("keystroke", {"key": name})


def pieces(text: str, at_once: int) -> Iterator[tuple[Any, dict[str, str], int]]:
    """The requests that type a text, each with how many characters it types. Raises Refused before the first."""
    check_text(text)
    begun = ""
    for character in text:
        key = _KEYS_IN_TEXT.get(character)
        if begun and (key or len(begun) == at_once):
            yield "text", {"text": begun}, len(begun)
            begun = ""
        if key:
            yield "keystroke", {"key": key}, 1
        else:
            begun += character
    if begun:
        yield "text", {"text": begun}, len(begun)


def check_text(text: str) -> None:
    """Raises Refused for a character that is none to type."""
    wrong = next((each for each in text if not (each.isprintable() or each in _KEYS_IN_TEXT)), None)
    if wrong is not None:
        raise Refused(f"The character U+{ord(wrong):04X} cannot be typed over HTTP.", "Leave it out.")
