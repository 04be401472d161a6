"""Asks windows for a sign that they have taken what came before (EWMH, _NET_WM_PING)."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any

from desktop_agent.platforms.x11.connection import Display
from desktop_agent.platforms.x11.windows.ewmh import client_message

PATIENCE, FIRST_PATIENCE = 1.0, 0.1
"""Seconds after which a window that says nothing is not waited for any longer: one that has answered before, and others.
Some (Qt's, as of 6.10) say that they answer and never do."""
_FIRST = 0x5E771E00  # stands where window managers put their time stamp, so that they know it is not theirs


class Pings:
    """The pings of one connection; the answers come to the root window, to whoever listens there."""

    def __init__(self, display: Display) -> None:
        self._display = display
        self._asked: set[int] = set()
        self._known: dict[int, bool] = {}
        self._number = _FIRST
        self._sent = 0.0

    def send(self, windows: Iterable[int]) -> None:
        """Ask those of the windows that say they answer. The server keeps it behind the input sent before."""
        self._number += 1
        self._asked.clear()
        self._sent = time.monotonic()
        ping = self._display.atom("_NET_WM_PING")
        protocols = self._display.atom("WM_PROTOCOLS")
        for window in windows:
            if self._known.get(window, True) and ping in self._display.numbers(window, "WM_PROTOCOLS"):
                self._asked.add(window)
                message = client_message(window, protocols, ping, self._number, window)
                self._display.core.SendEvent(False, window, 0, message)

    def hear(self, event: Any) -> None:
        """A message that came to the root window."""
        data = event.data.data32
        if data[0] == self._display.atom("_NET_WM_PING") and data[1] == self._number:
            self._asked.discard(data[2])
            self._known[data[2]] = True

    def closed(self, window: int) -> None:
        """A window has gone, or is not shown any more: nobody answers for it."""
        self._asked.discard(window)

    @property
    def waiting(self) -> bool:
        """Has a window not come to what was sent before the ping?"""
        waited = time.monotonic() - self._sent
        late = {w for w in self._asked if waited > (PATIENCE if w in self._known else FIRST_PATIENCE)}
        for window in late - self._known.keys():
            self._known[window] = False
        self._asked -= late
        return bool(self._asked)

    @property
    def asked(self) -> frozenset[int]:
        """The windows that have not answered yet."""
        return frozenset(self._asked)
