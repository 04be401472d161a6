"""Detects modifiers that the user holds down, with which typed text would arrive as shortcuts or in capitals."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from desktop_agent.platforms.x11.connection import Display
from desktop_agent.protocol.errors import Refused
from desktop_agent.support.keyboard import keysyms

PATIENCE = 1.0
"""Seconds in which a user lets go of keys pressed for something else (a shortcut of our own window)."""
_LOOK_SECONDS = 0.01
# Keysyms of X11/keysymdef.h, by name of the modifier. Locks (Caps Lock, Num Lock) are not held, so not among them.
_WORDS = {
    keysyms.SHIFT: "Shift", 0xFFE2: "Shift", 0xFFE3: "Ctrl", 0xFFE4: "Ctrl",
    0xFFE7: "Alt", 0xFFE8: "Alt", 0xFFE9: "Alt", 0xFFEA: "Alt", keysyms.LEVEL3: "AltGr",
    0xFFEB: "Super", 0xFFEC: "Super", 0xFFED: "Super", 0xFFEE: "Super",
}  # fmt: skip


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
