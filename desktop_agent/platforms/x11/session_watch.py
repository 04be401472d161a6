"""Tells whether the session of an X display is locked or away, and what fills a screen of it."""

from __future__ import annotations

import os
import select
import threading
import time
from collections.abc import Mapping

import xcffib
from xcffib.xproto import CW, EventMask, MapState, WindowClass

from desktop_agent.platforms.base import FrontHistory, FullScreen, SessionWatch
from desktop_agent.platforms.x11.connection import Display, reply_or_none
from desktop_agent.platforms.x11.lock_watch import LockWatch
from desktop_agent.platforms.x11.monitors import Monitors
from desktop_agent.platforms.x11.windows.ewmh import EwmhWindows
from desktop_agent.protocol.errors import OffReason
from desktop_agent.protocol.geometry import Point, Rect

BETWEEN_SECONDS = 0.02
"""Between two looks: while windows are dragged there are hundreds of events a second."""


class X11SessionWatch(SessionWatch):
    """What two watches know: the buses tell of locks, the display of windows. A bus that is not there is not watched."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = {**os.environ, **environment}
        self._locks = LockWatch(self._environment)
        self._windows: FullScreenWatch | None = None

    def start(self) -> None:
        self._windows = FullScreenWatch(self._environment)
        self._windows.start()
        self._locks.start()

    def reasons(self) -> OffReason:
        return self._locks.reasons

    def full_screen(self) -> FullScreen:
        return self._windows.found if self._windows is not None else FullScreen()


# It is a managed window that is full screen (EWMH), or one that no window manager places and that covers the screen: a
# presentation, a game, a film, a call; also a lock screen or a screen saver, which draw themselves in that way.
class FullScreenWatch:
    """`found` is what fills a screen by now. Raises TargetError when the display cannot be reached."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._display = Display(environment)
        self._windows = EwmhWindows(self._display)
        self._monitors = Monitors(self._display)
        self._watched: set[int] = set()
        self._fronts = FrontHistory(time.monotonic)
        self.found = FullScreen()

    def start(self) -> None:
        """Look once, then watch in a thread until the display goes."""
        mask = EventMask.PropertyChange | EventMask.SubstructureNotify
        self._display.core.ChangeWindowAttributes(self._display.root, CW.EventMask, [mask])
        self._look()
        threading.Thread(target=self._run, name="full screen", daemon=True).start()

    def _run(self) -> None:
        between = threading.Event()
        try:
            while True:
                if self._display.next_event() is None:
                    select.select([self._display.connection.get_file_descriptor()], [], [])
                    self._display.gather()
                    continue
                while self._display.next_event() is not None:
                    pass
                self._look()
                between.wait(BETWEEN_SECONDS)
        except (xcffib.XcffibException, OSError):
            return  # the display has gone: the guard ends for that

    def _look(self) -> None:
        """Find it anew; the process whose window was active before it is told with it."""
        self._watch_states()
        before = self._fronts.before(self._windows.owner(self._windows.active() or self._display.root))
        window = next(filter(None, map(self._filling, self._monitors.geometry().monitors)), 0)
        if window != self.found.window:
            self.found = FullScreen(window, self._windows.owner(window), before) if window else FullScreen()

    def _watch_states(self) -> None:
        """Hear of the states of all managed windows."""
        managed = set(self._display.numbers(self._display.root, "_NET_CLIENT_LIST"))
        for window in sorted(managed - self._watched):
            self._display.core.ChangeWindowAttributes(window, CW.EventMask, [EventMask.PropertyChange])
        self._watched = managed

    def _filling(self, monitor: Rect) -> int:
        """The window that fills this monitor and can be seen in its middle, 0 for none."""
        top = self._windows.top_at(Point(monitor.x + monitor.width // 2, monitor.y + monitor.height // 2))
        if not top:
            return 0
        attributes = reply_or_none(self._display.core.GetWindowAttributes(top))
        if attributes is None or attributes._class != WindowClass.InputOutput:
            return 0
        if attributes.override_redirect:
            covers = self._windows.bounds_of(top).intersection(monitor) == monitor
            return top if covers and attributes.map_state == MapState.Viewable else 0
        client = self._windows.client_in(top)
        states = self._display.numbers(client, "_NET_WM_STATE")
        return client if self._display.atom("_NET_WM_STATE_FULLSCREEN") in states else 0
