"""Lists the top-level windows of a Windows session from front to back, with title, process and bounds."""

from __future__ import annotations

import ctypes
from ctypes import wintypes
from pathlib import PureWindowsPath
from typing import Any

from desktop_agent.platforms.base import WindowInfo
from desktop_agent.platforms.windows.integrity_level import has_more_rights, program_of
from desktop_agent.platforms.windows.user32 import User32
from desktop_agent.platforms.windows.z_order import ZOrder
from desktop_agent.protocol.geometry import Point, Rect
from desktop_agent.protocol.scene import Scene, TopWindow

_EXTENDED_STYLE, _TOOL_WINDOW, _NO_ACTIVATE = -20, 0x80, 0x0800_0000
# Clicks go through windows that are both layered and transparent (transparent alone only delays painting).
_CLICK_THROUGH = 0x0008_0000 | 0x20
_FRAME_BOUNDS, _CLOAKED = 9, 14  # of DWMWINDOWATTRIBUTE
_LONGEST = 512
# The frame window of a store app belongs to a host process shared by all of them; the app's own window is inside.
_FRAME_HOST, _INSIDE = "applicationframehost.exe", "Windows.UI.Core.CoreWindow"
# The desktop and the task bar: they take clicks but are no application windows.
_SHELL = frozenset(("Progman", "WorkerW", "Shell_TrayWnd", "Shell_SecondaryTrayWnd"))


class TopWindows:
    """Queries the session's top-level windows, by handle. A window that closes between two calls is left out."""

    def __init__(self, user32: User32) -> None:
        self._user32 = user32
        windows: Any = ctypes  # WinDLL and WINFUNCTYPE are there on Windows only
        self._dll: Any = windows.WinDLL("user32")
        self._dwm: Any = windows.WinDLL("dwmapi")
        self._stack = ZOrder()
        for name in ("IsWindowVisible", "IsIconic", "InternalGetWindowText", "GetClassNameW", "GetWindowRect",
                     "SetForegroundWindow", "GetWindowLongW"):  # fmt: skip
            getattr(self._dll, name).argtypes = [wintypes.HWND, *_MORE.get(name, ())]
        self._dwm.DwmGetWindowAttribute.argtypes = [
            wintypes.HWND, wintypes.DWORD, ctypes.c_void_p, wintypes.DWORD,
        ]  # fmt: skip

    def visible(self) -> list[int]:
        """Handles of all visible windows, from front to back."""
        return [window for window in self._stack.all() if self._shown(window)]

    def listed(self) -> list[WindowInfo]:
        """The application windows, the active one first, then from front to back."""
        active = self._user32.foreground()
        windows = sorted(self.applications(), key=lambda each: each != active)
        return [self.describe(window) for window in windows]

    def applications(self) -> list[int]:
        """Handles of the application windows from front to back, without the task bar and the desktop."""
        return [window for window in self.visible() if self._is_application(window)]

    def stacked(self) -> list[WindowInfo]:
        """All visible windows from front to back."""
        return [self.describe(window) for window in self.visible()]

    def describe(self, window: int) -> WindowInfo:
        """Title, process, program and bounds of a window; fast enough for every observation."""
        pid = self._user32.owner(window)
        program = program_of(pid)
        if program.lower() == _FRAME_HOST and (inside := self._stack.inside(window, _INSIDE)):
            program = program_of(self._user32.owner(inside)) or program
        return WindowInfo(
            title=self._text("InternalGetWindowText", window),
            pid=pid,
            application=PureWindowsPath(program).stem,
            bounds=self.bounds(window),
            program=program,
        )

    def examine(self, window: int) -> WindowInfo:
        """As `describe`, with `foreign`: whether its process has more rights than ours."""
        found = self.describe(window)
        return WindowInfo(
            found.title,
            found.pid,
            found.application,
            found.bounds,
            found.program,
            has_more_rights(found.pid),
        )

    def scene(self, pointer: Point) -> Scene:
        """The stacking of the windows that take clicks, and the foreground window."""
        stack = tuple(
            TopWindow(window, self._user32.owner(window), (self.bounds(window),))
            for window in self.visible()
            if not self.click_through(window)
        )
        return Scene(stack, self._user32.foreground(), pointer)

    def click_through(self, window: int) -> bool:
        """True when clicks go to what is beneath the window."""
        return self._style(window) & _CLICK_THROUGH == _CLICK_THROUGH

    def bounds(self, window: int) -> Rect:
        """The visible bounds of a window, without the invisible resize border of Windows 10 and later."""
        rect = wintypes.RECT()
        size = ctypes.sizeof(rect)
        if self._dwm.DwmGetWindowAttribute(window, _FRAME_BOUNDS, ctypes.byref(rect), size) != 0:
            self._dll.GetWindowRect(window, ctypes.byref(rect))
        return Rect(rect.left, rect.top, rect.right - rect.left, rect.bottom - rect.top)

    def activate(self, window: int) -> None:
        """Bring a window to the foreground, if Windows permits."""
        self._dll.SetForegroundWindow(window)

    def _shown(self, window: int) -> bool:
        if not self._dll.IsWindowVisible(window) or self._dll.IsIconic(window):
            return False
        cloaked = wintypes.DWORD()
        self._dwm.DwmGetWindowAttribute(window, _CLOAKED, ctypes.byref(cloaked), ctypes.sizeof(cloaked))
        return not cloaked.value and not self.bounds(window).empty

    def _is_application(self, window: int) -> bool:
        style = self._style(window)
        if style & (_TOOL_WINDOW | _NO_ACTIVATE) or self._text("GetClassNameW", window) in _SHELL:
            return False
        return bool(self._text("InternalGetWindowText", window))

    def _style(self, window: int) -> int:
        return int(self._dll.GetWindowLongW(window, _EXTENDED_STYLE))

    def _text(self, question: str, window: int) -> str:
        """A window's text by this function of user32.

        Never GetWindowText: for a window of this process it sends a message to its thread, which may wait for us.
        """
        buffer = ctypes.create_unicode_buffer(_LONGEST)
        getattr(self._dll, question)(window, buffer, _LONGEST)
        return buffer.value


_MORE: dict[str, tuple[Any, ...]] = {
    "InternalGetWindowText": (ctypes.c_wchar_p, ctypes.c_int),
    "GetClassNameW": (ctypes.c_wchar_p, ctypes.c_int),
    "GetWindowRect": (ctypes.c_void_p,),
    "GetWindowLongW": (ctypes.c_int,),
}
