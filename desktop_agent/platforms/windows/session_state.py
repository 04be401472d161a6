"""Tells whether the Windows session is locked, away, on the secure desktop, or shows something full screen."""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from desktop_agent.platforms.base import FrontHistory, FullScreen, SessionWatch
from desktop_agent.platforms.windows.desktop_state import input_desktop, session_state
from desktop_agent.platforms.windows.user32 import User32
from desktop_agent.protocol.errors import OffReason, TargetError
from desktop_agent.protocol.geometry import Point, Rect

INTERVAL = 0.2
"""Seconds between two looks: no event tells of the secure desktop or of a presentation."""
_USUAL = "Default"
_LOCKED, _DISCONNECTED = 0, 4
# QUERY_USER_NOTIFICATION_STATE of shellapi.h: a full-screen program or presentation settings, Direct3D, presentation mode.
_FILLED = (2, 3, 4)


class WindowsSessionWatch(SessionWatch):
    """Asks every INTERVAL in a thread of its own."""

    def __init__(self) -> None:
        self._user32 = User32()
        self._reasons = OffReason(0)
        self._found = FullScreen()
        self._fronts = FrontHistory(time.monotonic)

    def start(self) -> None:
        self._look()
        threading.Thread(target=self._run, name="session", daemon=True).start()

    def _run(self) -> None:
        between = threading.Event()
        while not between.wait(INTERVAL):
            self._look()

    def _look(self) -> None:
        self._reasons = off_reasons(input_desktop(), session_state())
        front = self._user32.foreground()
        before = self._fronts.before(self._user32.owner(front) if front else 0)
        filled = self._filling(front)
        if filled != self._found.window:
            pid = self._user32.owner(filled) if filled else 0
            self._found = FullScreen(filled, pid, before) if filled else FullScreen()

    def _filling(self, front: int) -> int:
        """The window that fills a screen. Windows tells of the one in front only, and our own is in front for a click on Resume."""
        known, user32 = self._found.window, self._user32
        if known and front != known:
            bounds = user32.bounds(known)
            with suppress(TargetError):  # a session without a screen shows nothing
                if still_fills(known, bounds, user32.monitors(), user32.window_at):
                    return known
        return front if notification_state() in _FILLED else 0

    def reasons(self) -> OffReason:
        return self._reasons

    def full_screen(self) -> FullScreen:
        return self._found


def still_fills(
    window: int, bounds: Rect, monitors: Sequence[Rect], window_at: Callable[[Point], int]
) -> bool:
    """Does a window that is no longer in front cover a monitor, and is it to be seen in its middle?"""
    middles = (
        Point(each.x + each.width // 2, each.y + each.height // 2)
        for each in monitors
        if bounds.intersection(each) == each
    )
    return any(window_at(middle) == window for middle in middles)


def off_reasons(desktop: str, state: tuple[int, int] | None) -> OffReason:
    """The reasons by the input desktop's name and the session's state; see `desktop_state.obstacle`."""
    if state is not None and state[0] == _DISCONNECTED:
        return OffReason.AWAY
    if state is not None and state[1] == _LOCKED:
        return OffReason.LOCKED
    return OffReason(0) if desktop == _USUAL else OffReason.SECURE


def notification_state() -> int:
    """What SHQueryUserNotificationState says, 0 when it refuses."""
    windows: Any = ctypes  # WinDLL is there on Windows only
    state = ctypes.c_int(0)
    return (
        state.value if windows.WinDLL("shell32").SHQueryUserNotificationState(ctypes.byref(state)) == 0 else 0
    )
