"""Pings windows to learn when they have read the input sent before (EWMH, _NET_WM_PING)."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any

from desktop_agent.platforms.x11.connection import Display
from desktop_agent.platforms.x11.windows.ewmh import client_message

PATIENCE, FIRST_PATIENCE = 1.0, 0.1
"""Seconds to wait for an answer: of a window that has answered before, and of others. Some windows (Qt's, as of
6.10) announce that they answer and never do."""
_FIRST = 0x5E771E00  # sent as the time stamp; window managers recognise that the ping is not theirs


class Pings:
    """Sends the pings of one connection and tracks the answers, which clients send to the root window."""

    def __init__(self, display: Display) -> None:
        self._display = display
        self._asked: set[int] = set()
        self._known: dict[int, bool] = {}
        self._number = _FIRST
        self._sent = 0.0

    def send(self, windows: Iterable[int]) -> None:
        """Ping those of the windows that support it. The server delivers pings after the input sent before."""
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
        """Process a ClientMessage to the root window; answers to the last pings count, all else is ignored."""
        data = event.data.data32
        if data[0] == self._display.atom("_NET_WM_PING") and data[1] == self._number:
            self._asked.discard(data[2])
            self._known[data[2]] = True

    def closed(self, window: int) -> None:
        """Stop waiting for a window that was closed or hidden."""
        self._asked.discard(window)

    @property
    def waiting(self) -> bool:
        """True while a pinged window has not answered and its time is not over."""
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
