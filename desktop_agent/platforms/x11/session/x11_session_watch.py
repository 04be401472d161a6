"""Tells whether the session of an X display is locked or away, and what fills a screen of it."""

from __future__ import annotations

import os
from collections.abc import Mapping

from desktop_agent.platforms.base import FullScreen, SessionWatch
from desktop_agent.platforms.x11.session.full_screen_watch import FullScreenWatch
from desktop_agent.platforms.x11.session.lock_watch import LockWatch
from desktop_agent.protocol.off_reasons import OffReason


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
