"""The keyboard layout as the X server has it: which key and which modifiers give a keysym."""

from __future__ import annotations

import struct
from collections.abc import Collection
from dataclasses import dataclass

from xcffib.xproto import ModMask

from desktop_agent.platforms.x11.connection import Display
from desktop_agent.platforms.x11.input import keysyms
from desktop_agent.platforms.x11.input.modifiers import Modifiers
from desktop_agent.platforms.x11.prepared_requests import QUERY_POINTER, PreparedRequest

ESCAPE_CODE = 9  # of every evdev keyboard; it counts while no key code gives ESC
_STATE = struct.Struct("=24xH6x")  # the mask in the reply to QueryPointer (X protocol)
GROUP_SHIFT = 13  # the state field carries the XKB group in bits 13 and 14 (XKB protocol, 2.2.2)


@dataclass(frozen=True)
class Stroke:
    """A key code and the modifier key codes that are to be down for it."""

    code: int
    modifiers: tuple[int, ...] = ()


class Layout:
    """A reading of the server's key map for one group, leaving out codes whose mapping is ours."""

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
        """The key codes that give ESC on any level."""
        return self._escapes

    def key(self, keysym: int) -> int | None:
        """The key code that gives a keysym without modifiers."""
        return self._plain.get(keysym)

    def stroke(self, keysym: int) -> Stroke | None:
        """How to give a keysym with shift and altgr, None when the layout has no key for it."""
        return self._strokes.get(keysym)

    def _keys_at_first_level(self) -> dict[int, int]:
        found: dict[int, int] = {}
        for code in self._rows:
            found.setdefault(keysyms.unified(self._at(code, 0)), code)
        found.pop(0, None)
        return found

    def _all_strokes(self) -> dict[int, Stroke]:
        """Every keysym of the layout by its lowest level."""
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
        """A keysym of the group: the core map holds G1L1 G1L2 G2L1 G2L2 G1L3 G1L4 G2L3 G2L4 (XKB protocol, 12.1).

        It does not hold a third or fourth group; all their characters count as unknown.
        """
        if self.group > 1:
            return 0
        column = (level // 2) * 4 + self.group * 2 + level % 2
        row = self._rows[code]
        return row[column] if column < len(row) else 0


class KeyboardState:
    """Asks for the state of the keyboard, which the reply about the pointer has, too."""

    def __init__(self, display: Display) -> None:
        content = struct.pack("=4xI", display.root)
        self._ask = PreparedRequest(display.connection, QUERY_POINTER, content, asks=True)

    def read(self) -> tuple[int, bool]:
        """The keyboard's group and whether Caps Lock is on."""
        mask = self.mask(self.asked())
        return mask >> GROUP_SHIFT & 3, bool(mask & ModMask.Lock)

    def asked(self) -> int:
        """Ask for the mask, which other requests may follow; the number is for `mask`."""
        return self._ask.send()

    def mask(self, number: int | None = None) -> int:
        """All of the state, as asked for before or as it is now."""
        (mask,) = _STATE.unpack(self._ask.reply(self.asked() if number is None else number))
        return int(mask)
