"""Which keys type a character, by the layout that the other computer is set to."""

from __future__ import annotations

import tomllib
from functools import cache
from typing import Literal, TypeAlias

import msgspec

from desktop_agent.extras.camera.wire._key_names import usage_of
from desktop_agent.protocol import keys
from desktop_agent.protocol.errors import ConfigError, Refused
from desktop_agent.support import resources

FIRST_MODIFIER = 0xE0
"""Usage ids from here on are a bit each in a report's first byte."""
NO_MODIFIER, SHIFT, ALTGR = 0x00, 0x02, 0x40
LEVELS = (NO_MODIFIER, SHIFT, ALTGR)
"""The modifier bits of a key's characters, in the order of a layout's file."""

Level: TypeAlias = Literal["", "shift", "altgr"]
_BITS: dict[Level, int] = {"": NO_MODIFIER, "shift": SHIFT, "altgr": ALTGR}
_CONTROLS = {"\n": "enter", "\t": "tab", " ": "space"}


class KeyStroke(msgspec.Struct, frozen=True):
    """A key by its usage id (0 for a modifier alone), with the modifier bits that are down meanwhile."""

    usage: int
    modifiers: int = NO_MODIFIER


class _DeadKey(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    key: str
    makes: dict[str, str]
    modifier: Level = ""


class _LayoutFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    title: str
    keys: dict[str, str]
    dead: dict[str, _DeadKey] = {}


class KeyboardLayout:
    """Says with which strokes a keyboard of this layout types a text."""

    def __init__(self, name: str, title: str, strokes: dict[str, tuple[KeyStroke, ...]]) -> None:
        self.name = name
        self.title = title
        self.strokes = strokes
        """By character: one stroke, or a dead key's and another."""

    def typed(self, text: str) -> list[tuple[KeyStroke, ...]]:
        """The strokes of each character. Raises Refused, naming the first that no key types."""
        lacking = next((each for each in text if each not in self.strokes), None)
        if lacking is not None:
            raise self._refused(lacking)
        return [self.strokes[each] for each in text]

    def key(self, key: str) -> tuple[KeyStroke, ...]:
        """The strokes of a key by its name or character: the last of them is the one that can be held. Raises Refused."""
        name = keys.canonical(key)
        if len(name) == 1:
            return self.typed(name)[0]
        usage = usage_of(name)
        if usage >= FIRST_MODIFIER:
            return (KeyStroke(0, 1 << usage - FIRST_MODIFIER),)
        return (KeyStroke(usage),)

    def _refused(self, character: str) -> Refused:
        what = repr(character) if character.isprintable() else f"U+{ord(character):04X}"
        return Refused(
            f"The keyboard layout {self.name} has no key for {what}.",
            "Leave it out, or set the layout that the other computer has (layout under [wire.usb_hid]).",
        )


def layout_names() -> tuple[str, ...]:
    """The layouts there are."""
    return tuple(sorted(each.stem for each in resources.path("wire", "layouts").glob("*.toml")))


@cache
def load_layout(name: str) -> KeyboardLayout:
    """The layout of that name. Raises ConfigError where there is none."""
    if name not in layout_names():
        raise ConfigError(
            f"There is no keyboard layout {name!r}.",
            f"Set layout under [wire.usb_hid] to one of: {', '.join(layout_names())}.",
        )
    table = tomllib.loads(resources.text("wire", "layouts", f"{name}.toml"))
    read = msgspec.convert(table, _LayoutFile)
    strokes: dict[str, tuple[KeyStroke, ...]] = {
        each: (KeyStroke(usage_of(key)),) for each, key in _CONTROLS.items()
    }
    for usage, characters in read.keys.items():
        for character, modifiers in zip(characters, LEVELS, strict=False):
            if character != " ":
                strokes.setdefault(character, (KeyStroke(int(usage, 16), modifiers),))
    for dead in read.dead.values():
        first = KeyStroke(int(dead.key, 16), _BITS[dead.modifier])
        for base, made in dead.makes.items():
            strokes.setdefault(made, (first, *strokes[base]))
    return KeyboardLayout(name, read.title, strokes)
