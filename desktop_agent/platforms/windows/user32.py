"""Typed wrappers of user32.dll functions: injection, monitors, pointer, windows, keyboard layout."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from ctypes import wintypes
from typing import Any

from desktop_agent.platforms.windows.input.sendinput_records import KeyRecord, Mouse, Record
from desktop_agent.protocol.errors import CannotAct, TargetError
from desktop_agent.protocol.geometry import Point, Rect

OURS = 0x0DA6E47
"""dwExtraInfo of every event that we inject, by which our hook recognises them."""

_MOUSE, _KEYBOARD = 0, 1
_SWAP_BUTTON, _ROOT, _SCAN_CODE = 23, 2, 0
_PRIMARY = 1
_NULL, _ABORT_IF_HUNG = 0x0000, 0x0002
_MENU_MODES = 0x4 | 0x8 | 0x10  # GUI_INMENUMODE, GUI_SYSTEMMENUMODE, GUI_POPUPMENUMODE
_PER_MONITOR_AWARE_V2 = -4


class _MouseInput(ctypes.Structure):
    _fields_ = (
        ("dx", ctypes.c_int32),
        ("dy", ctypes.c_int32),
        ("mouseData", ctypes.c_uint32),
        ("dwFlags", ctypes.c_uint32),
        ("time", ctypes.c_uint32),
        ("dwExtraInfo", ctypes.c_size_t),
    )


class _KeyInput(ctypes.Structure):
    _fields_ = (
        ("wVk", ctypes.c_uint16),
        ("wScan", ctypes.c_uint16),
        ("dwFlags", ctypes.c_uint32),
        ("time", ctypes.c_uint32),
        ("dwExtraInfo", ctypes.c_size_t),
    )


class _Either(ctypes.Union):
    _fields_ = (("mi", _MouseInput), ("ki", _KeyInput))


class _Input(ctypes.Structure):
    _fields_ = (("type", ctypes.c_uint32), ("either", _Either))


class _GuiThreadInfo(ctypes.Structure):
    _fields_ = (
        ("cbSize", wintypes.DWORD),
        ("flags", wintypes.DWORD),
        ("hwndActive", wintypes.HWND),
        ("hwndFocus", wintypes.HWND),
        ("hwndCapture", wintypes.HWND),
        ("hwndMenuOwner", wintypes.HWND),
        ("hwndMoveSize", wintypes.HWND),
        ("hwndCaret", wintypes.HWND),
        ("rcCaret", wintypes.RECT),
    )


class _MonitorInfo(ctypes.Structure):
    _fields_ = (
        ("cbSize", wintypes.DWORD),
        ("rcMonitor", wintypes.RECT),
        ("rcWork", wintypes.RECT),
        ("dwFlags", wintypes.DWORD),
    )


def packed(records: Sequence[Record]) -> Any:
    """The records as the array of INPUT that SendInput reads."""
    return (_Input * len(records))(*map(_input, records))


def _input(record: Record) -> _Input:
    match record:
        case Mouse(x, y, data, flags):
            return _Input(_MOUSE, _Either(mi=_MouseInput(x, y, data & 0xFFFFFFFF, flags, 0, OURS)))
        case KeyRecord(code, scan, flags):
            return _Input(_KEYBOARD, _Either(ki=_KeyInput(code, scan, flags, 0, OURS)))


class User32:
    """The user32 functions for this process's session. Exists on Windows only."""

    def __init__(self) -> None:
        windows: Any = ctypes  # WinDLL is there on Windows only
        self._dll: Any = windows.WinDLL("user32", use_last_error=True)
        self._dll.SetProcessDpiAwarenessContext.argtypes = [ctypes.c_void_p]
        self._dll.WindowFromPoint.argtypes = [wintypes.POINT]
        for name in ("WindowFromPoint", "GetAncestor", "GetForegroundWindow"):
            getattr(self._dll, name).restype = wintypes.HWND
        self._dll.GetAncestor.argtypes = [wintypes.HWND, wintypes.UINT]
        self._dll.GetWindowThreadProcessId.argtypes = [wintypes.HWND, ctypes.POINTER(wintypes.DWORD)]
        self._dll.SendMessageTimeoutW.argtypes = [
            wintypes.HWND, wintypes.UINT, ctypes.c_size_t, ctypes.c_ssize_t, wintypes.UINT, wintypes.UINT,
            ctypes.c_void_p,
        ]  # fmt: skip
        self._dll.GetKeyboardLayout.restype = wintypes.HKL
        self._dll.VkKeyScanExW.argtypes = [wintypes.WCHAR, wintypes.HKL]
        self._dll.VkKeyScanExW.restype = ctypes.c_short
        self._dll.MapVirtualKeyExW.argtypes = [wintypes.UINT, wintypes.UINT, wintypes.HKL]

    def see_every_pixel(self) -> None:
        """Make this process per-monitor DPI aware: coordinates are physical pixels. Call it before creating a window."""
        self._dll.SetProcessDpiAwarenessContext(_PER_MONITOR_AWARE_V2)

    def send(self, records: Sequence[Record]) -> None:
        """Inject records (SendInput). Raises TargetError when Windows refuses (a locked or secure desktop)."""
        taken = self._dll.SendInput(len(records), packed(records), ctypes.sizeof(_Input))
        if taken != len(records):
            raise TargetError(
                "Cannot act here: Windows does not take our input.",
                "The screen may be locked, or a window of an administrator may be in front.",
            )

    def monitors(self) -> tuple[Rect, ...]:
        """Every monitor in virtual desktop pixels, the primary first. Raises TargetError when there is none."""
        found: list[tuple[bool, Rect]] = []
        windows: Any = ctypes  # WINFUNCTYPE is there on Windows only
        callback = windows.WINFUNCTYPE(
            wintypes.BOOL, wintypes.HMONITOR, wintypes.HDC, ctypes.POINTER(wintypes.RECT), wintypes.LPARAM
        )

        def see(monitor: int, _dc: int, _rect: object, _data: int) -> bool:
            info = _MonitorInfo(cbSize=ctypes.sizeof(_MonitorInfo))
            if self._dll.GetMonitorInfoW(wintypes.HMONITOR(monitor), ctypes.byref(info)):
                r = info.rcMonitor
                rect = Rect(r.left, r.top, r.right - r.left, r.bottom - r.top)
                found.append((not info.dwFlags & _PRIMARY, rect))
            return True

        self._dll.EnumDisplayMonitors(None, None, callback(see), 0)
        if not found:
            raise TargetError("Windows tells of no monitor.", "Is the session locked or disconnected?")
        return tuple(rect for _, rect in sorted(found, key=lambda each: each[0]))

    def pointer(self) -> Point:
        """The pointer's position. Raises CannotAct when another desktop (locked, secure) is in front."""
        point = wintypes.POINT()
        if not self._dll.GetCursorPos(ctypes.byref(point)):
            raise CannotAct(
                "Cannot act here: Windows does not tell where the pointer is.",
                "Unlock the screen, or answer what Windows asks, then press Resume.",
            )
        return Point(point.x, point.y)

    def window_at(self, point: Point) -> int:
        """The top-level window under a pixel, 0 when there is none."""
        found = self._dll.WindowFromPoint(wintypes.POINT(point.x, point.y))
        return int(self._dll.GetAncestor(found, _ROOT) or 0) if found else 0

    def bounds(self, window: int) -> Rect:
        """The rectangle of a window with its frame (GetWindowRect); an empty one when it is gone."""
        r = wintypes.RECT()
        if not self._dll.GetWindowRect(wintypes.HWND(window), ctypes.byref(r)):
            return Rect(0, 0, 0, 0)
        return Rect(r.left, r.top, r.right - r.left, r.bottom - r.top)

    def foreground(self) -> int:
        """The foreground window, which has the keyboard focus; 0 when there is none."""
        return int(self._dll.GetForegroundWindow() or 0)

    def keyboard_focus(self) -> tuple[int, bool]:
        """The control with the keyboard in the foreground thread (0 for none), and whether a menu is open there.

        While a menu is open it gets the keys, wherever the focus is (GetGUIThreadInfo).
        """
        info = _GuiThreadInfo(cbSize=ctypes.sizeof(_GuiThreadInfo))
        if not self._dll.GetGUIThreadInfo(0, ctypes.byref(info)):
            return 0, False
        return int(info.hwndFocus or 0), bool(info.flags & _MENU_MODES)

    def title(self, window: int) -> str:
        """The title of the top-level window that a window or control is in, "" when it has none."""
        text = ctypes.create_unicode_buffer(256)
        top = self._dll.GetAncestor(wintypes.HWND(window), _ROOT)
        self._dll.InternalGetWindowText(wintypes.HWND(top), text, len(text))
        return text.value

    def owner(self, window: int) -> int:
        """Process id of a window, 0 when it is gone."""
        pid = wintypes.DWORD()
        self._dll.GetWindowThreadProcessId(wintypes.HWND(window), ctypes.byref(pid))
        return int(pid.value)

    def code_of(self, char: str) -> int:
        """Virtual key (low byte) and shift state (high byte) that type a character, -1 when none does (VkKeyScanEx)."""
        return -1 if ord(char) > 0xFFFF else int(self._dll.VkKeyScanExW(char, self._layout()))

    def scan_code(self, code: int) -> int:
        """The scan code of a virtual key; some programs, games above all, read only that."""
        return int(self._dll.MapVirtualKeyExW(code, _SCAN_CODE, self._layout()))

    def _layout(self) -> int | None:
        """The keyboard layout of the foreground window's thread: each thread has its own."""
        thread = self._dll.GetWindowThreadProcessId(wintypes.HWND(self.foreground()), None)
        # For a console window Windows names a thread of its program, which may have no layout.
        found: int | None = self._dll.GetKeyboardLayout(thread) or self._dll.GetKeyboardLayout(0)
        return found

    def down(self, code: int) -> bool:
        """True when a key or button (by its virtual key) is down now, whoever pressed it."""
        return bool(self._dll.GetAsyncKeyState(code) & 0x8000)

    def pressed_or_down(self, code: int) -> tuple[bool, bool]:
        """(pressed since the last call, down now) of a virtual key; a call of any other program resets the first."""
        state = self._dll.GetAsyncKeyState(code)
        return bool(state & 1), bool(state & 0x8000)

    def double_click_seconds(self) -> float:
        """The user's double-click time in seconds, from press to press."""
        return int(self._dll.GetDoubleClickTime()) / 1000

    def buttons_swapped(self) -> bool:
        """True when the user has exchanged the left and right button."""
        return bool(self._dll.GetSystemMetrics(_SWAP_BUTTON))

    def answers(self, window: int, seconds: float) -> bool:
        """True when a window's program answers WM_NULL within so many seconds; false when it hangs."""
        told = ctypes.c_size_t()
        asked = (wintypes.HWND(window), _NULL, 0, 0, _ABORT_IF_HUNG, int(seconds * 1000), ctypes.byref(told))
        return bool(self._dll.SendMessageTimeoutW(*asked))
