"""Receives ESC key presses on the injecting connection, ordered with the injected events.

X sends the replies and events of a connection in the order in which they occurred. So after any round
trip of this connection every ESC pressed before has arrived, however late this process is scheduled.
Raw events (XInput 2.1) arrive even while another client has grabbed the keyboard.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection
from typing import Any

import xcffib
import xcffib.xinput

from desktop_agent.platforms.x11.connection import Display
from desktop_agent.platforms.x11.xinput2 import Devices, Kind, XInput, XInputMissing, head, injecting


class EscapePresses:
    """Collects the presses of the keycodes that `codes()` returns; without XInput 2.1 always none."""

    def __init__(self, display: Display, codes: Callable[[], Collection[int]]) -> None:
        self._display, self._codes = display, codes
        self._seen: list[bool] = []
        self._opcode = 0
        self._own_devices: frozenset[int] = frozenset()
        name = xcffib.xinput.key.name
        extension = display.core.QueryExtension(len(name), name).reply()
        if extension.present:
            with contextlib.suppress(XInputMissing):
                self._select(extension.major_opcode)

    def _select(self, opcode: int) -> None:
        xinput = XInput(self._display.connection, 1)
        self._own_devices = injecting(xinput.devices())
        xinput.select({Devices.ALL_MASTERS: (Kind.KEY_PRESS,)})
        self._opcode = opcode
        self._display.divert = self._divert

    def taken(self) -> list[bool]:
        """The presses since the last call, in order: true for each injected through XTEST."""
        self._display.gather()
        seen, self._seen = self._seen, []
        return seen

    def _divert(self, event: Any) -> bool:
        """Consume raw key presses. Works on the raw bytes for speed: every typed key passes here, too."""
        opcode, kind, detail, source = head(event)
        if opcode != self._opcode or kind != Kind.KEY_PRESS:
            return False
        if detail in self._codes():
            self._seen.append(source in self._own_devices)
        return True
