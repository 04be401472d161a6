"""Excludes our own windows from screen capture, and lists those to mask where Windows refuses.

Source: SetWindowDisplayAffinity (winuser.h); before Windows 10 version 2004 an excluded window is black instead.
"""

from __future__ import annotations

import ctypes
import os
import time
from collections.abc import Callable, Collection
from ctypes import wintypes
from typing import Any

from desktop_agent.platforms.windows.top_windows import TopWindows
from desktop_agent.platforms.windows.user32 import User32
from desktop_agent.protocol.geometry import Rect

EXCLUDED = 0x11
"""WDA_EXCLUDEFROMCAPTURE."""
SHOWN_SECONDS = 0.1
"""How long a window may still appear in captures after its exclusion: the desktop is composed at each refresh."""


class DisplayAffinity:
    """Reads and sets a window's display affinity (whether captures may contain it)."""

    def __init__(self) -> None:
        windows: Any = ctypes  # WinDLL is there on Windows only
        self._dll: Any = windows.WinDLL("user32")
        self._dll.SetWindowDisplayAffinity.argtypes = [wintypes.HWND, wintypes.DWORD]
        self._dll.GetWindowDisplayAffinity.argtypes = [wintypes.HWND, ctypes.c_void_p]

    def exclude(self, window: int) -> bool:
        """Exclude a window of this process from capture; False when Windows refuses."""
        return bool(self._dll.SetWindowDisplayAffinity(window, EXCLUDED))

    def excluded(self, window: int) -> bool:
        """True when a window is excluded from capture."""
        found = wintypes.DWORD()
        return (
            bool(self._dll.GetWindowDisplayAffinity(window, ctypes.byref(found))) and found.value == EXCLUDED
        )


class CaptureExclusion:
    """Excludes the windows of our processes from capture. Call it before every capture, as new windows appear."""

    def __init__(
        self,
        windows: TopWindows,
        user32: User32,
        affinity: DisplayAffinity | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._windows, self._user32, self._clock = windows, user32, clock
        self._affinity = affinity or DisplayAffinity()
        self._since: dict[int, float] = {}

    def to_paint_over(self, pids: Collection[int]) -> list[Rect]:
        """Bounds of the windows of these processes that a capture taken now may show.

        Hints are excluded before they are shown at all, so no capture may show them.
        """
        own = [each for each in self._windows.visible() if self._user32.owner(each) in pids] if pids else []
        self._since = {window: since for window, since in self._since.items() if window in own}
        return [self._windows.bounds(window) for window in own if not self._is_out(window)]

    def _is_out(self, window: int) -> bool:
        if self._affinity.excluded(window) and self._windows.click_through(window):
            return True
        if not self._affinity.excluded(window):
            self._since.pop(window, None)
            if self._user32.owner(window) != os.getpid() or not self._affinity.exclude(window):
                return False
        return self._clock() - self._since.setdefault(window, self._clock()) > SHOWN_SECONDS
