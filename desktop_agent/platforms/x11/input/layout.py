"""Reads the keyboard layout of the X server: which keycode and modifiers produce a keysym, and which modifiers the user holds."""

from __future__ import annotations

import struct
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from xcffib.xproto import ModMask

from desktop_agent.platforms.x11.connection import Display
from desktop_agent.platforms.x11.prepared_requests import QUERY_POINTER, PreparedRequest
from desktop_agent.protocol.errors import Refused
from desktop_agent.support import keysyms

ESCAPE_CODE = 9  # of every evdev keyboard; used while no keycode produces ESC
_STATE = struct.Struct("=24xH6x")  # the mask in the reply to QueryPointer (X protocol)
GROUP_SHIFT = 13  # the state field carries the XKB group in bits 13 and 14 (XKB protocol, 2.2.2)


PATIENCE = 1.0
"""Seconds in which a user lets go of keys pressed for something else (a shortcut of our own window)."""
_LOOK_SECONDS = 0.01
# Keysyms of X11/keysymdef.h, by name of the modifier. Locks (Caps Lock, Num Lock) are not held, so not among them.
_WORDS = {
    keysyms.SHIFT: "Shift", 0xFFE2: "Shift", 0xFFE3: "Ctrl", 0xFFE4: "Ctrl",
    0xFFE7: "Alt", 0xFFE8: "Alt", 0xFFE9: "Alt", 0xFFEA: "Alt", keysyms.LEVEL3: "AltGr",
    0xFFEB: "Super", 0xFFEC: "Super", 0xFFED: "Super", 0xFFEE: "Super",
}  # fmt: skip


@dataclass(frozen=True)
class Stroke:
    """A keycode and the modifier keycodes to hold for it."""

    code: int
    modifiers: tuple[int, ...] = ()


class Layout:
    """The server's key map for one group, read once, without the keycodes `ours`, which we map ourselves.

    `spare` are the keycodes without any keysym, `ours` the rows of our own.
    """

    def __init__(self, display: Display, group: int, ours: Collection[int] = ()) -> None:
        self.group = group
        setup = display.connection.get_setup()
        count = setup.max_keycode - setup.min_keycode + 1
        reply = display.core.GetKeyboardMapping(setup.min_keycode, count).reply()
        width, flat = reply.keysyms_per_keycode, list(reply.keysyms)
        rows = {
            setup.min_keycode + index: flat[index * width : (index + 1) * width] for index in range(count)
        }
        self.spare = tuple(code for code, row in rows.items() if not any(row))
        self.ours = {code: rows[code] for code in ours}
        self._rows = {code: row for code, row in rows.items() if code not in ours}
        self.modifiers = Modifiers(display, self._rows)
        self._plain = self._keys_at_first_level()
        self._strokes = self._all_strokes()
        found = frozenset(code for code, row in self._rows.items() if keysyms.ESCAPE in row)
        self._escapes = found or frozenset({ESCAPE_CODE})

    @property
    def escapes(self) -> frozenset[int]:
        """The keycodes that produce ESC on any level."""
        return self._escapes

    def key(self, keysym: int) -> int | None:
        """The keycode that produces a keysym without modifiers; None when there is none."""
        return self._plain.get(keysym)

    def stroke(self, keysym: int) -> Stroke | None:
        """How to produce a keysym, with Shift and AltGr if needed; None when the layout has no key for it."""
        return self._strokes.get(keysym)

    def _keys_at_first_level(self) -> dict[int, int]:
        found: dict[int, int] = {}
        for code in self._rows:
            found.setdefault(keysyms.unified(self._at(code, 0)), code)
        found.pop(0, None)
        return found

    def _all_strokes(self) -> dict[int, Stroke]:
        """Every keysym of the layout, each by its lowest level."""
        found: dict[int, Stroke] = {}
        for level, modifiers in enumerate(self._modifiers_of_levels()):
            for code in self._rows if modifiers is not None else ():
                keysym = keysyms.unified(self._at(code, level))
                if keysym:
                    found.setdefault(keysym, Stroke(code, modifiers or ()))
        return found

    def _modifiers_of_levels(self) -> tuple[tuple[int, ...] | None, ...]:
        shift, third = self._plain.get(keysyms.SHIFT), self._plain.get(keysyms.LEVEL3)
        return (
            (),
            (shift,) if shift else None,
            (third,) if third else None,
            (shift, third) if shift and third else None,
        )

    def _at(self, code: int, level: int) -> int:
        """The group's keysym of a keycode and level (0-3); 0 for none.

        The core map's columns are G1L1 G1L2 G2L1 G2L2 G1L3 G1L4 G2L3 G2L4 (XKB protocol, 12.1). It lacks a third
        and fourth group; all their characters count as unknown.
        """
        if self.group > 1:
            return 0
        column = (level // 2) * 4 + self.group * 2 + level % 2
        row = self._rows[code]
        return row[column] if column < len(row) else 0


class KeyboardState:
    """Queries modifiers and group of the keyboard, which the reply to QueryPointer contains."""

    def __init__(self, display: Display) -> None:
        content = struct.pack("=4xI", display.root)
        self._ask = PreparedRequest(display.connection, QUERY_POINTER, content, asks=True)

    def read(self) -> tuple[int, bool]:
        """The active group, and whether Caps Lock is on."""
        mask = self.mask(self.asked())
        return mask >> GROUP_SHIFT & 3, bool(mask & ModMask.Lock)

    def asked(self) -> int:
        """Send the query; returns its number for `mask`, so that other requests can follow it first."""
        return self._ask.send()

    def mask(self, number: int | None = None) -> int:
        """The state mask (modifiers, buttons, group) of the numbered query, or of a new one."""
        (mask,) = _STATE.unpack(self._ask.reply(self.asked() if number is None else number))
        return int(mask)


class Modifiers:
    """Maps the modifier bits of the keyboard's state to modifier keys (X protocol, GetModifierMapping).

    `rows` are the keysyms of each keycode.
    """

    def __init__(self, display: Display, rows: Mapping[int, Sequence[int]]) -> None:
        self._display = display
        self._bits: dict[str, int] = {}
        reply = display.core.GetModifierMapping().reply()
        width, codes = reply.keycodes_per_modifier, list(reply.keycodes)
        for place, code in enumerate(codes):
            for keysym in rows.get(code, ()) if width else ():
                if word := _WORDS.get(keysym):
                    self._bits[word] = self._bits.get(word, 0) | 1 << place // width

    def of(self, held: Iterable[int]) -> int:
        """The modifier bits set while keys with these keysyms are down."""
        bits = 0
        for keysym in held:
            bits |= self._bits.get(_WORDS.get(keysym, ""), 0)
        return bits

    def check(self, mask: int, ours: int) -> None:
        """Raises Refused when `mask` (the keyboard's state) has modifiers beside `ours` (those we hold)."""
        if words := self._foreign(mask, ours):
            names = " and ".join(words)
            raise Refused(
                f"{names} {'is' if len(words) == 1 else 'are'} held down, and not by the agent: "
                "keys would arrive as commands.",
                f"Ask the user to let go of {names}. When nobody holds it, pressing it once frees it.",
            )

    def await_free(self, read: Callable[[], int], ours: int) -> None:
        """Wait at most PATIENCE seconds for the user to let go. Raises Refused, and what the display's `check` raises."""
        end = time.monotonic() + PATIENCE
        while self._foreign(mask := read(), ours):
            if time.monotonic() >= end:
                self.check(mask, ours)
            self._display.check()
            self._display.rest(_LOOK_SECONDS)
            self._display.gather()  # unread events would end each rest at once

    def _foreign(self, mask: int, ours: int) -> Collection[str]:
        return [word for word, bits in self._bits.items() if mask & bits & ~ours]
