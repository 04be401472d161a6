"""What is down on a display and what its keys mean, by the X server's own word."""

from __future__ import annotations

from collections.abc import Mapping

import xcffib.xtest

from desktop_agent.platforms.x11.connection import Display

BUTTONS = 0x1F00  # the bits of buttons 1 to 5 in QueryPointer's mask


class Held:
    """Asks on a connection of its own."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._display = Display(environment)

    def down(self) -> list[str]:
        """Keys and buttons that are down, in words."""
        keymap = self._display.core.QueryKeymap()
        pointer = self._display.core.QueryPointer(self._display.root)
        keys = bytes(keymap.reply().keys)
        codes = [8 * i + bit for i, byte in enumerate(keys) if byte for bit in range(8) if byte >> bit & 1]
        mask = pointer.reply().mask & BUTTONS
        numbers = [n for n in range(1, 6) if mask >> n + 7 & 1]
        return [*(f"keycode {code}" for code in codes), *(f"button {number}" for number in numbers)]

    def mapping(self) -> tuple[int, ...]:
        """The keysyms of all key codes."""
        return tuple(self._display.core.GetKeyboardMapping(8, 248).reply().keysyms)

    def tap(self, code: int) -> None:
        """Press and release a key, as an on-screen keyboard does."""
        xtest = self._display.extension(xcffib.xtest.key)
        for kind in (2, 3):  # KeyPress and KeyRelease of the X protocol
            xtest.FakeInput(kind, code, 0, self._display.root, 0, 0, 0)
        self._display.sync()

    def close(self) -> None:
        self._display.close()
