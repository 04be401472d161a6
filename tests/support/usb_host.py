"""What a host makes of HID reports, by nothing but their descriptor: fields, keys that go down and up, characters.

Source: USB Device Class Definition for HID 1.11, section 6.2.2 (items) and 8.4 (arrays).
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache

from desktop_agent.extras.camera.wire._usb.keyboard_layout import FIRST_MODIFIER, KeyboardLayout, KeyStroke
from desktop_agent.extras.camera.wire._usb.report_descriptors import KEYBOARD_DESCRIPTOR, MOUSE_DESCRIPTOR

KEYBOARD_PAGE, BUTTON_PAGE, DESKTOP_PAGE, CONSUMER_PAGE = 0x07, 0x09, 0x01, 0x0C
X, Y, WHEEL = (DESKTOP_PAGE << 16 | each for each in (0x30, 0x31, 0x38))
PAN = CONSUMER_PAGE << 16 | 0x238
_CONSTANT, _VARIABLE, _RELATIVE = 1, 2, 4
_ENTER, _TAB = "\n", "\t"


@dataclass(frozen=True)
class InputField:
    """Some values of one size in a report. `usages` are page and id in one number."""

    bit: int
    size: int
    count: int
    flags: int
    low: int
    high: int
    usages: tuple[int, ...]

    def values(self, report: bytes) -> list[int]:
        """Its numbers; one outside its range counts as none and is left as it is."""
        whole = int.from_bytes(report, "little") >> self.bit
        found = [whole >> self.size * number & (1 << self.size) - 1 for number in range(self.count)]
        if self.low < 0:
            half = 1 << self.size - 1
            found = [each - 2 * half if each >= half else each for each in found]
        return found


@cache
def input_fields(descriptor: bytes) -> tuple[InputField, ...]:
    """The fields of the input report of a descriptor without report ids, but for constant ones."""
    fields, usages, place, bit = [], list[int](), 0, 0
    state, least = {"page": 0, "size": 0, "count": 0, "low": 0, "high": 0}, 0
    names = {0x04: "page", 0x14: "low", 0x24: "high", 0x74: "size", 0x94: "count"}
    while place < len(descriptor):
        prefix = descriptor[place]
        length = (0, 1, 2, 4)[prefix & 3]
        data = descriptor[place + 1 : place + 1 + length]
        kind, number = prefix & 0xFC, int.from_bytes(data, "little", signed=prefix & 0xFC in (0x14, 0x24))
        place += 1 + length
        if kind in names:
            state[names[kind]] = number
        elif kind == 0x08:
            usages.append(state["page"] << 16 | number)
        elif kind == 0x18:
            least = number
        elif kind == 0x28:
            usages += [state["page"] << 16 | each for each in range(least, number + 1)]
        elif kind in (0x80, 0x90, 0xA0, 0xB0, 0xC0):
            if kind == 0x80:
                if not number & _CONSTANT:
                    fields.append(InputField(bit, state["size"], state["count"], number, state["low"], state["high"], tuple(usages)))  # fmt: skip
                bit += state["size"] * state["count"]
            usages = []
    return tuple(fields)


@dataclass
class HostKeyboard:
    """The keys that a host knows to be down, from each report to the next."""

    descriptor: bytes = KEYBOARD_DESCRIPTOR
    down: set[int] = field(default_factory=set)

    def take(self, report: bytes) -> list[tuple[int, bool]]:
        """Usage ids that go down (True) or up, in the order in which Linux tells of them: modifiers, then releases."""
        now = set[int]()
        for each in input_fields(self.descriptor):
            values = each.values(report)
            if each.flags & _VARIABLE:
                now |= {usage & 0xFFFF for usage, value in zip(each.usages, values, strict=True) if value}
            else:
                now |= {each.usages[value - each.low] & 0xFFFF for value in values if value}
        before, self.down = self.down, now
        changed = [(each, False) for each in before - now] + [(each, True) for each in now - before]
        return sorted(changed, key=lambda each: (each[0] < FIRST_MODIFIER, each[1], each[0]))


@dataclass
class HostMouse:
    """Buttons, place and wheels as a host knows them."""

    descriptor: bytes = MOUSE_DESCRIPTOR
    buttons: set[int] = field(default_factory=set)
    place: dict[int, int] = field(default_factory=dict)
    turned: dict[int, int] = field(default_factory=lambda: {WHEEL: 0, PAN: 0})

    def take(self, report: bytes) -> None:
        for each in input_fields(self.descriptor):
            values = each.values(report)
            for usage, value in zip(each.usages, values, strict=False):
                if usage >> 16 == BUTTON_PAGE:
                    (self.buttons.add if value else self.buttons.discard)(usage & 0xFFFF)
                elif each.flags & _RELATIVE:
                    self.turned[usage] += value
                elif each.low <= value <= each.high:
                    self.place[usage] = value


def typed_text(changes: Iterable[tuple[int, bool]], characters: Mapping[tuple[KeyStroke, ...], str]) -> str:
    """The text that keys type which go down and up so. Raises KeyError for a stroke that types nothing."""
    text, modifiers, dead = "", 0, tuple[KeyStroke, ...]()
    firsts = {strokes[0] for strokes in characters if len(strokes) > 1}
    for usage, pressed in changes:
        if usage >= FIRST_MODIFIER:
            bit = 1 << usage - FIRST_MODIFIER
            modifiers = modifiers | bit if pressed else modifiers & ~bit
        elif pressed:
            stroke = (*dead, KeyStroke(usage, modifiers))
            if not dead and stroke[0] in firsts:
                dead = stroke
                continue
            text, dead = text + characters[stroke], ()
    return text + "?" * len(dead)


def characters_of(layout: KeyboardLayout) -> dict[tuple[KeyStroke, ...], str]:
    """What the strokes of a layout type."""
    return {strokes: character for character, strokes in layout.strokes.items()}


def reports_in(stream: bytes, length: int) -> Iterator[bytes]:
    """The reports that were written one after the other."""
    if len(stream) % length:
        raise ValueError(f"{len(stream)} bytes are no whole reports of {length}")
    return (stream[at : at + length] for at in range(0, len(stream), length))


_ROWS = {"AE": "1234567890", "AD": "qwertyuiop", "AC": "asdfghjkl", "AB": "zxcvbnm,./"}
_USAGES = {"0": 0x27, ",": 0x36, ".": 0x37, "/": 0x38} | {str(each): 0x1D + each for each in range(1, 10)}
_OTHERS = {
    "AE11": 0x2D, "AE12": 0x2E, "TLDE": 0x35, "AC10": 0x33, "AC11": 0x34, "BKSL": 0x32, "LSGT": 0x64, "AD11": 0x2F,
    "AD12": 0x30,
}  # fmt: skip


def keysyms_by_xkb(layout: str) -> dict[KeyStroke, str]:
    """The names of the keysyms that X11's own tables give to keys, Shift and AltGr under a layout; asks xkbcomp."""
    places = dict(_OTHERS)
    for row, characters in _ROWS.items():
        for number, each in enumerate(characters, 1):
            places[f"{row}{number:02d}"] = _USAGES.get(each) or 0x04 + ord(each) - ord("a")
    source = (
        'xkb_keymap { xkb_keycodes { include "evdev" }; xkb_types { include "complete" }; '
        f'xkb_compat {{ include "complete" }}; xkb_symbols {{ include "pc+{layout}+inet(evdev)" }}; }};'
    )
    done = subprocess.run(
        ["xkbcomp", "-xkb", "-w0", "-", "-"], input=source, capture_output=True, text=True, check=True
    )
    found = {}
    for name, body in re.findall(r"key\s+<(\w+)>\s*\{(.*?)\};", done.stdout, re.DOTALL):
        symbols = re.search(r"\[([^\]]+)\]", body.replace("symbols[Group1]", ""))
        if name in places and symbols:
            for modifiers, keysym in zip((0x00, 0x02, 0x40), symbols.group(1).split(","), strict=False):
                found[KeyStroke(places[name], modifiers)] = keysym.strip()
    return found
