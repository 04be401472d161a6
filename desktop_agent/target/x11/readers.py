"""Waiting until the application that has the keyboard has read what was sent to it."""

from __future__ import annotations

import time
from typing import Any

from xcffib.xproto import CW, ClientMessageEvent, EventMask, MappingNotifyEvent

from desktop_agent.target.x11.connection import Display, answer
from desktop_agent.target.x11.windows import client_message

SILENT_SECONDS = 0.06
"""Time given to an application that cannot be asked (xterm): Qt, GTK and Chromium need below 30 ms."""
CHECK_SECONDS = 0.005
"""A stop that does not come as an event of this connection is noticed within that time."""


class Readers:
    """Asks the focused application with _NET_WM_PING (EWMH): it answers after the events sent before."""

    def __init__(self, display: Display) -> None:
        self._display = display
        self._serial = 0
        self.mapping_changed = False

    def wait(self, seconds: float) -> bool:
        """Return when the application with the focus has read everything; False when it does not in time."""
        window = self._pingable(self._display.core.GetInputFocus().reply().focus)
        if window is None:
            self._wait_for_answer(time.monotonic() + SILENT_SECONDS)
            return True
        self._select(EventMask.SubstructureNotify | EventMask.StructureNotify)  # Qt answers with the latter
        try:
            self._ping(window)
            return self._wait_for_answer(time.monotonic() + seconds)
        finally:
            self._select(EventMask.NoEvent)

    def take_events(self) -> bool:
        """Take the events that have come; True when the ping's answer is among them."""
        answered = False
        while (event := self._display.next_event()) is not None:
            answered = answered or self._is_answer(event)
            if isinstance(event, MappingNotifyEvent):
                self.mapping_changed = True
        return answered

    def _pingable(self, window: int) -> int | None:
        """The window itself or its nearest ancestor that answers pings; None when none does."""
        ping = self._display.atom("_NET_WM_PING")
        while window > 1:
            if ping in self._display.numbers(window, "WM_PROTOCOLS"):
                return window
            tree = answer(self._display.core.QueryTree(window))
            window = tree.parent if tree and window != self._display.root else 0
        return None

    def _ping(self, window: int) -> None:
        self._serial += 1
        kind, ping = self._display.atom("WM_PROTOCOLS"), self._display.atom("_NET_WM_PING")
        message = client_message(window, kind, ping, self._serial, window)
        self._display.core.SendEvent(False, window, EventMask.NoEvent, message)
        self._display.flush()

    def _wait_for_answer(self, deadline: float) -> bool:
        while not self.take_events():
            self._display.check()
            left = deadline - time.monotonic()
            if left <= 0:
                return False
            self._display.rest(min(left, CHECK_SECONDS))
        return True

    def _is_answer(self, event: Any) -> bool:
        if not isinstance(event, ClientMessageEvent) or event.type != self._display.atom("WM_PROTOCOLS"):
            return False
        return list(event.data.data32)[:2] == [self._display.atom("_NET_WM_PING"), self._serial]

    def _select(self, mask: int) -> None:
        self._display.core.ChangeWindowAttributes(self._display.root, CW.EventMask, [mask])
