"""Waits until the application with the keyboard focus has read the input sent to it (drain)."""

from __future__ import annotations

import time
from collections.abc import Collection
from contextlib import closing
from typing import Any

from xcffib.xproto import CW, ClientMessageEvent, EventMask, InputFocus, MappingNotifyEvent

from desktop_agent.platforms.x11.connection import Display, reply_or_none
from desktop_agent.platforms.x11.input.drain_check import DrainCheck
from desktop_agent.platforms.x11.windows.ewmh import EwmhWindows, client_message

SILENT_SECONDS = 0.06
"""Least wait for an application that does not answer pings (xterm): behind it may be a program on another machine
(ssh), or an input method."""
CHECK_SECONDS = 0.005
"""Interval of checks for a stop that does not arrive as an event of this connection."""
CLOSED_SECONDS = 0.1
"""Interval of checks for a window that was closed and so cannot answer."""


class DrainWait:
    """Pings an application with _NET_WM_PING (EWMH), which it answers after the events sent before.

    One that does not support pings is observed until it has nothing to read and sleeps (`DrainCheck`).
    """

    def __init__(self, display: Display) -> None:
        self._display = display
        self._windows = EwmhWindows(display)
        self._serial = 0
        self.mapping_changed = False

    def wait(self, seconds: float, windows: Collection[int] = ()) -> bool:
        """Wait until these windows (by default the focus window) have read everything; False after `seconds`."""
        deadline = time.monotonic() + seconds
        return all(self._reads(window, deadline) for window in windows or (self._display.focus(),))

    def _reads(self, window: int, deadline: float) -> bool:
        window = self._under_pointer() if window == InputFocus.PointerRoot else window
        if self._gone(window):
            return True
        asked = self._pingable(window)
        return (
            self._wait_for_sleep(window, deadline) if asked is None else self._wait_for_ping(asked, deadline)
        )

    def _wait_for_ping(self, window: int, deadline: float) -> bool:
        self._select(EventMask.SubstructureNotify | EventMask.StructureNotify)  # Qt answers with the latter
        try:
            self._ping(window)
            while not self._wait_for_answer(time.monotonic() + CLOSED_SECONDS):
                if self._gone(window):
                    return True
                if time.monotonic() > deadline:
                    return False
            return True
        finally:
            self._select(EventMask.NoEvent)

    def _wait_for_sleep(self, window: int, deadline: float) -> bool:
        self._wait_for_answer(time.monotonic() + SILENT_SECONDS)
        pid = self._windows.owner(window)
        with closing(DrainCheck(pid, self._display.sync)) as program:
            while program.visible and not program.complete():
                if time.monotonic() > deadline:
                    return False
                self._wait_for_answer(time.monotonic() + CHECK_SECONDS)
        return True

    def _gone(self, window: int) -> bool:
        """True for a window that no longer exists, and for 0 (no focus): there is nothing to wait for."""
        return not window or reply_or_none(self._display.core.QueryTree(window)) is None

    def _under_pointer(self) -> int:
        """The innermost window under the pointer: it gets the keys while the focus is PointerRoot."""
        window, inner = 0, self._display.root
        while inner:
            window = inner
            reply = reply_or_none(self._display.core.QueryPointer(window))
            inner = reply.child if reply else 0
        return window

    def take_events(self) -> bool:
        """Take the events that have arrived; True when the answer to the last ping is among them."""
        answered = False
        while (event := self._display.next_event()) is not None:
            answered = answered or self._is_answer(event)
            if isinstance(event, MappingNotifyEvent):
                self.mapping_changed = True
        return answered

    def _pingable(self, window: int) -> int | None:
        """The window or its nearest ancestor that supports pings; None when none does."""
        ping = self._display.atom("_NET_WM_PING")
        while window > 1:
            if ping in self._display.numbers(window, "WM_PROTOCOLS"):
                return window
            tree = reply_or_none(self._display.core.QueryTree(window))
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
