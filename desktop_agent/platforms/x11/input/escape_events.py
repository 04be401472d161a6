"""Receives ESC key presses and the human's input on the injecting connection, ordered with the injected events.

X sends the replies and events of a connection in the order in which they occurred. So after any round
trip of this connection everything pressed before has arrived, however late this process is scheduled.
Raw events (XInput 2.1) arrive even while another client has grabbed the keyboard.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import xcffib
import xcffib.xinput

from desktop_agent.platforms.base import Means
from desktop_agent.platforms.x11.connection import Display
from desktop_agent.platforms.x11.human_means import PRESSES, HumanMeans
from desktop_agent.platforms.x11.xinput2 import (
    Devices,
    Kind,
    Raw,
    XInput,
    XInputMissing,
    head,
    injecting,
    read_event,
)

_MOST = 4096
"""Events kept between two looks; a mouse makes a thousand a second, and the hand looks every 20 ms."""
_KINDS = frozenset((*PRESSES, Kind.HIERARCHY))


class EscapePresses:
    """Collects presses of the keycodes that `codes()` returns, and what the human does with other keys and devices.

    Without XInput 2.1 there is never anything, without 2.2 only ESC. `holding` tells whether a button is held down.
    """

    def __init__(
        self, display: Display, codes: Callable[[], frozenset[int]], holding: Callable[[], bool]
    ) -> None:
        self._display, self._codes = display, codes
        self._seen: list[bool] = []
        self._raw: list[Raw] = []
        self._opcode = 0
        self._own_devices: frozenset[int] = frozenset()
        self._means: HumanMeans | None = None
        name = xcffib.xinput.key.name
        extension = display.core.QueryExtension(len(name), name).reply()
        if extension.present:
            with contextlib.suppress(XInputMissing):
                self._select(extension.major_opcode, holding)

    def _select(self, opcode: int, holding: Callable[[], bool]) -> None:
        try:
            self._means = HumanMeans(self._display.connection, self._codes, holding)
            self._own_devices = self._means.own
        except XInputMissing:
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

    def used(self) -> Means | None:
        """What the human used since the last call, ESC apart; None when nothing."""
        self._display.gather()
        raw, self._raw = self._raw, []
        found: Means | None = None
        if self._means is not None:
            for event in raw:
                found = self._judged(self._means, event) or found
        return found

    def _judged(self, means: HumanMeans, event: Raw) -> Means | None:
        if event.kind != Kind.HIERARCHY:
            return means.used(event)
        means.learn_devices()
        self._own_devices = means.own
        return None

    def _divert(self, event: Any) -> bool:
        """Consume raw events. Works on the raw bytes for speed: every typed key passes here, too."""
        opcode, kind, detail, source = head(event)
        if opcode != self._opcode or kind not in _KINDS:
            return False
        own = kind != Kind.HIERARCHY and source in self._own_devices
        if kind == Kind.KEY_PRESS and detail in self._codes():
            self._seen.append(own)
        elif not own and len(self._raw) < _MOST:
            self._raw.append(read_event(event))
        return True
