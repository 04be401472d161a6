"""Lists the handles of the windows of a Windows session that can have elements."""

from __future__ import annotations

import ctypes
from collections.abc import Collection
from ctypes import wintypes
from typing import Any

from desktop_agent.platforms.windows.z_order import ZOrder

_CLOAKED = 14  # of DWMWINDOWATTRIBUTE


class WindowHandles:
    """Queries Windows only, never the programs, so that no call can hang."""

    def __init__(self) -> None:
        windows: Any = ctypes  # WinDLL and WINFUNCTYPE are there on Windows only
        self._dll: Any = windows.WinDLL("user32")
        self._dwm: Any = windows.WinDLL("dwmapi")
        self._stack = ZOrder()
        self._kind = windows.WINFUNCTYPE(wintypes.BOOL, wintypes.HWND, wintypes.LPARAM)
        for name in ("IsWindowVisible", "IsIconic", "IsHungAppWindow", "EnumChildWindows"):
            getattr(self._dll, name).argtypes = [wintypes.HWND, *_MORE.get(name, ())]
        self._dll.GetForegroundWindow.restype = wintypes.HWND
        self._dll.GetWindowThreadProcessId.argtypes = [wintypes.HWND, ctypes.POINTER(wintypes.DWORD)]
        self._dwm.DwmGetWindowAttribute.argtypes = [
            wintypes.HWND, wintypes.DWORD, ctypes.c_void_p, wintypes.DWORD,
        ]  # fmt: skip

    def top(self, ignored: Collection[int], only: int) -> list[tuple[int, int]]:
        """(handle, process id) of the windows on the screen: the foreground window, then from front to back.

        Without those of `ignored` processes; with `only` (not 0), those of that process only.
        """
        front = self._dll.GetForegroundWindow()
        owned = [(window, self._owner(window)) for window in self._stack.all() if self._shown(window)]
        kept = [each for each in owned if each[1] not in ignored and only in (0, each[1])]
        return sorted(kept, key=lambda each: each[0] != front)

    def below(self, window: int) -> list[int]:
        """Handles of the visible windows inside a window, however deep."""
        found: list[int] = []

        def add(window: int, _: int) -> bool:
            found.append(window)
            return True

        self._dll.EnumChildWindows(window, self._kind(add), 0)
        return [child for child in found if self._dll.IsWindowVisible(child)]

    def hung(self, window: int) -> bool:
        """True when its program has not fetched a message for five seconds."""
        return bool(self._dll.IsHungAppWindow(window))

    def _owner(self, window: int) -> int:
        pid = wintypes.DWORD()
        self._dll.GetWindowThreadProcessId(window, ctypes.byref(pid))
        return int(pid.value)

    def _shown(self, window: int) -> bool:
        if not self._dll.IsWindowVisible(window) or self._dll.IsIconic(window):
            return False
        cloaked = wintypes.DWORD()
        self._dwm.DwmGetWindowAttribute(window, _CLOAKED, ctypes.byref(cloaked), ctypes.sizeof(cloaked))
        return not cloaked.value


_MORE: dict[str, tuple[Any, ...]] = {"EnumChildWindows": (ctypes.c_void_p, wintypes.LPARAM)}
