"""The handles of all top-level windows of a Windows session, from front to back."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from ctypes import wintypes
from typing import Any

_NEXT = 2  # GW_HWNDNEXT
MOST = 10_000
"""More than a session can have (its user handles): where windows come and go meanwhile the way down may not end."""
_TRIES = 3


class ZOrder:
    """Asks Windows, never the programs: this cannot hang.

    EnumWindows alone leaves out the Start menu, search, notifications and full-screen store apps, which are seen
    and get clicks all the same ("only top-level windows of desktop apps", winuser.h).
    """

    def __init__(self) -> None:
        windows: Any = ctypes  # WinDLL and WINFUNCTYPE are there on Windows only
        self._dll: Any = windows.WinDLL("user32")
        self._kind = windows.WINFUNCTYPE(wintypes.BOOL, wintypes.HWND, wintypes.LPARAM)
        for name, arguments in _ASKED.items():
            getattr(self._dll, name).argtypes = arguments
            getattr(self._dll, name).restype = wintypes.HWND

    def all(self) -> list[int]:
        """Every one, shown or not."""
        return complete_order(self._listed, self._below, int(self._dll.GetForegroundWindow() or 0))

    def inside(self, window: int, kind: str) -> int:
        """The first child of a window that has this class, 0 without one."""
        return self._dll.FindWindowExW(window, None, kind, None) or 0

    def _below(self, window: int) -> int:
        """The next one, or the topmost below 0; 0 after the last, or when that window is gone."""
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
    """The windows from front to back, with those that are not `listed`; `below` goes from one to the next.

    A window that closes meanwhile breaks the way down off: that is known by those that are listed and not passed.
    The one in `front` (0 for none) is always among them.
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
