"""Lists the handles of all top-level windows of a Windows session in z-order, front to back."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from ctypes import wintypes
from typing import Any

_NEXT = 2  # GW_HWNDNEXT
MOST = 10_000
"""More windows than a session can have (its user handles): bounds the walk, which may not end while windows change."""
_TRIES = 3


class ZOrder:
    """Queries Windows only, never the programs, so that no call can hang.

    EnumWindows alone leaves out the Start menu, search, notifications and full-screen store apps, which are
    visible and take clicks all the same ("only top-level windows of desktop apps", winuser.h).
    """

    def __init__(self) -> None:
        windows: Any = ctypes  # WinDLL and WINFUNCTYPE are there on Windows only
        self._dll: Any = windows.WinDLL("user32")
        self._kind = windows.WINFUNCTYPE(wintypes.BOOL, wintypes.HWND, wintypes.LPARAM)
        for name, arguments in _ASKED.items():
            getattr(self._dll, name).argtypes = arguments
            getattr(self._dll, name).restype = wintypes.HWND

    def all(self) -> list[int]:
        """All top-level windows, visible or not."""
        return complete_order(self._listed, self._below, int(self._dll.GetForegroundWindow() or 0))

    def inside(self, window: int, kind: str) -> int:
        """The first child of a window with this window class; 0 when there is none."""
        return self._dll.FindWindowExW(window, None, kind, None) or 0

    def _below(self, window: int) -> int:
        """The window behind this one, the frontmost for 0; 0 after the last, or when this window is gone."""
        found = self._dll.GetWindow(window, _NEXT) if window else self._dll.GetTopWindow(None)
        return int(found or 0)

    def _listed(self) -> list[int]:
        found: list[int] = []

        def add(window: int, _: int) -> bool:
            found.append(window)
            return True

        self._dll.EnumWindows(self._kind(add), 0)
        return found


_ASKED: dict[str, Sequence[Any]] = {
    "GetForegroundWindow": (),
    "GetTopWindow": (wintypes.HWND,),
    "GetWindow": (wintypes.HWND, wintypes.UINT),
    "FindWindowExW": (wintypes.HWND, wintypes.HWND, wintypes.LPCWSTR, wintypes.LPCWSTR),
}


def complete_order(listed: Callable[[], list[int]], below: Callable[[int], int], front: int) -> list[int]:
    """All windows from front to back: the walk by `below`, or `listed` when the walk was incomplete every time.

    A window that closes meanwhile breaks the walk off, which shows by listed windows that it did not pass. The
    foreground window `front` (0 for none) is always included.
    """
    found: list[int] = []
    for _ in range(_TRIES):
        found = listed()
        passed = _walk(below)
        if set(found) <= set(passed):
            found = passed
            break
    return found if front in (0, *found) else [front, *found]


def _walk(below: Callable[[int], int]) -> list[int]:
    passed: dict[int, None] = {}
    window = below(0)
    while window and window not in passed and len(passed) < MOST:
        passed[window] = None
        window = below(window)
    return list(passed)
