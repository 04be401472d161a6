"""Makes keys into what a terminal sends for them: the control sequences of xterm (ctlseqs, "PC-Style Function Keys")."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from desktop_agent.protocol import keys
from desktop_agent.protocol.errors import Refused

MODIFIERS = ("ctrl", "alt", "shift")
_PLAIN = {"enter": "\r", "kp_enter": "\r", "tab": "\t", "space": " ", "backspace": "\x7f", "escape": "\x1b"}
_CURSOR = {"up": "A", "down": "B", "right": "C", "left": "D", "home": "H", "end": "F"}
_NUMBERED = {"insert": 2, "delete": 3, "page_up": 5, "page_down": 6}
_FIRST = {"f1": "P", "f2": "Q", "f3": "R", "f4": "S"}
_LATER = {
    f"f{number}": code for number, code in zip(range(5, 13), (15, 17, 18, 19, 20, 21, 23, 24), strict=True)
}
_KEYPAD = {
    **{f"kp_{digit}": str(digit) for digit in range(10)},
    "kp_add": "+", "kp_subtract": "-", "kp_multiply": "*", "kp_divide": "/", "kp_decimal": ".", "kp_equal": "=",
}  # fmt: skip
_CONTROLS = {
    " ": "\0", "@": "\0", "2": "\0", "[": "\x1b", "3": "\x1b", "\\": "\x1c", "4": "\x1c", "]": "\x1d", "5": "\x1d",
    "^": "\x1e", "6": "\x1e", "_": "\x1f", "/": "\x1f", "7": "\x1f", "-": "\x1f", "?": "\x7f", "8": "\x7f",
}  # fmt: skip
"""What Ctrl makes of a character that is no letter (xterm, and the VT220 before it)."""
_SHIFTED = dict(zip("`1234567890-=[]\\;',./", '~!@#$%^&*()_+{}|:"<>?', strict=True))
"""On a keyboard of the United States."""
_BITS = {"shift": 1, "alt": 2, "ctrl": 4}


@dataclass(frozen=True)
class KeySequence:
    """What is typed for one press: `usual`, or `application` where a program has set the cursor keys so (DECCKM)."""

    usual: bytes
    application: bytes


def key_sequence(key: str, modifiers: Sequence[str] = ()) -> KeySequence:
    """What a key with ctrl, alt and shift held types. Raises Refused for what types nothing in a terminal."""
    name = keys.together((*modifiers, key))[-1]
    held = [_modifier(each) for each in modifiers]
    if len(set(held)) != len(held):
        raise Refused("A modifier is named twice.")
    found = _of_name(name, frozenset(held))
    if found is None:
        raise Refused(f"In a terminal {key[:40]!r} types nothing.", "Name another key, or send a character.")
    return found


def _modifier(name: str) -> str:
    found = keys.canonical(name)
    if found not in MODIFIERS:
        raise Refused(f"In a terminal {name[:40]!r} changes no key.", f"There are {', '.join(MODIFIERS)}.")
    return found


def _of_name(name: str, held: frozenset[str]) -> KeySequence | None:
    code = 1 + sum(_BITS[each] for each in held)
    if (letter := _CURSOR.get(name)) is not None:
        if code > 1:
            return _same(f"\x1b[1;{code}{letter}")
        return KeySequence(f"\x1b[{letter}".encode(), f"\x1bO{letter}".encode())
    if (letter := _FIRST.get(name)) is not None:
        return _same(f"\x1b[1;{code}{letter}" if code > 1 else f"\x1bO{letter}")
    if (number := _NUMBERED.get(name) or _LATER.get(name)) is not None:
        return _same(f"\x1b[{number};{code}~" if code > 1 else f"\x1b[{number}~")
    if name == "tab" and "shift" in held:
        return _same(_escaped("\x1b[Z", held))
    character = _PLAIN.get(name) or _KEYPAD.get(name) or (name if len(name) == 1 else "")
    return _same(_escaped(_held(name, character, held), held)) if character else None


def _held(name: str, character: str, held: frozenset[str]) -> str:
    """What a character becomes by Shift and Ctrl."""
    if "shift" in held:
        character = _SHIFTED.get(character, character.upper() if len(character.upper()) == 1 else character)
    if "ctrl" not in held:
        return character
    if name == "backspace":
        return "\x08"
    if len(name) > 1 and name != "space":
        return character
    lower = character.lower()
    if "a" <= lower <= "z":
        return chr(ord(lower) - 0x60)
    return _CONTROLS.get(character, character)


def _escaped(text: str, held: frozenset[str]) -> str:
    return "\x1b" + text if "alt" in held else text


def _same(text: str) -> KeySequence:
    data = text.encode()
    return KeySequence(data, data)
