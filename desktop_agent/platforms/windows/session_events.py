"""Listens for session events: locked, disconnected, suspended, about to end.

They arrive at an invisible top-level window (message-only windows get no broadcasts) and at the console's
control handler. Source: WM_QUERYENDSESSION, WM_ENDSESSION, WM_POWERBROADCAST (winuser.h), WM_WTSSESSION_CHANGE
(wtsapi32.h), SetConsoleCtrlHandler (consoleapi.h).
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from ctypes import wintypes
from typing import Any, Literal, TypeAlias

Change: TypeAlias = Literal["locked", "disconnected", "asleep", "ending"]

CLASS = "DesktopAgentSession"
QUERY_END, END, POWER, SESSION = 0x0011, 0x0016, 0x0218, 0x02B1
_CLOSE, _DESTROY = 0x0010, 0x0002
_SUSPEND = 4
_SESSION_CHANGES: dict[int, Change] = {2: "disconnected", 4: "disconnected", 7: "locked"}
_CONSOLE_ENDINGS = (2, 5, 6)  # its window is closed, log-off, shutdown
_START_SECONDS = 5.0


def change_of(message: int, word: int) -> Change | None:
    """The session change that a window message (its number and WPARAM) reports; None for any other message."""
    if message == END:
        return "ending" if word else None  # 0: a program refused, so the session goes on
    if message == POWER:
        return "asleep" if word == _SUSPEND else None
    return _SESSION_CHANGES.get(word) if message == SESSION else None


class SessionEvents:
    """Calls `tell` with each session change, on threads of its own; on "ending" Windows waits some seconds for it."""

    def __init__(self, tell: Callable[[Change], None]) -> None:
        self._tell = tell
        self._ready = threading.Event()
        self._thread: threading.Thread | None = None
        self.window = 0
        windows: Any = ctypes  # WinDLL and WINFUNCTYPE are there on Windows only
        self._user32, self._wts = windows.WinDLL("user32"), windows.WinDLL("wtsapi32")
        self._kernel = windows.WinDLL("kernel32")
        _declare(self._user32, self._kernel)
        kind = windows.WINFUNCTYPE(
            ctypes.c_ssize_t, wintypes.HWND, wintypes.UINT, ctypes.c_size_t, ctypes.c_ssize_t
        )
        self._procedure = kind(self._message)
        self._handler = windows.WINFUNCTYPE(wintypes.BOOL, wintypes.DWORD)(self._control)

    def start(self) -> None:
        """Start listening; returns once messages are received."""
        self._kernel.SetConsoleCtrlHandler(self._handler, True)
        self._thread = threading.Thread(target=self._run, name="session", daemon=True)
        self._thread.start()
        self._ready.wait(_START_SECONDS)

    def close(self) -> None:
        """Stop listening."""
        self._kernel.SetConsoleCtrlHandler(self._handler, False)
        if self.window:
            self._user32.PostMessageW(self.window, _CLOSE, 0, 0)
        if self._thread is not None:
            self._thread.join(_START_SECONDS)

    def _run(self) -> None:
        """Create the window and run its message loop, on one thread: Windows delivers messages to the creating one."""
        instance = self._kernel.GetModuleHandleW(None)
        kind = _WindowClass(
            procedure=ctypes.cast(self._procedure, ctypes.c_void_p), instance=instance, name=CLASS
        )
        self._user32.RegisterClassW(ctypes.byref(kind))
        self.window = (
            self._user32.CreateWindowExW(0, CLASS, CLASS, 0, 0, 0, 0, 0, None, None, instance, None) or 0
        )
        self._ready.set()
        if self.window:
            self._wts.WTSRegisterSessionNotification(wintypes.HWND(self.window), 0)
            # Computers with modern standby send suspend events to registered windows only.
            sleep = self._user32.RegisterSuspendResumeNotification(wintypes.HWND(self.window), 0)
            message = wintypes.MSG()
            while self._user32.GetMessageW(ctypes.byref(message), None, 0, 0) > 0:
                self._user32.DispatchMessageW(ctypes.byref(message))
            self._user32.UnregisterSuspendResumeNotification(sleep)
        self._user32.UnregisterClassW(
            CLASS, instance
        )  # the class refers to our procedure, which dies with this object

    def _message(self, window: int, message: int, word: int, more: int) -> int:
        if message == QUERY_END:
            return 1
        if change := change_of(message, word):
            self._tell(change)
            return 1 if message == POWER else 0
        if message == _DESTROY:
            self._wts.WTSUnRegisterSessionNotification(wintypes.HWND(window))
            self.window = 0
            self._user32.PostQuitMessage(0)
            return 0
        return int(self._user32.DefWindowProcW(window, message, word, more))

    def _control(self, what: int) -> bool:
        if what not in _CONSOLE_ENDINGS:
            return False
        self._tell("ending")
        return True


class _WindowClass(ctypes.Structure):
    """WNDCLASSW."""

    _fields_ = (
        ("style", wintypes.UINT),
        ("procedure", ctypes.c_void_p),
        ("class_extra", ctypes.c_int),
        ("window_extra", ctypes.c_int),
        ("instance", wintypes.HINSTANCE),
        ("icon", wintypes.HANDLE),
        ("cursor", wintypes.HANDLE),
        ("background", wintypes.HANDLE),
        ("menu", wintypes.LPCWSTR),
        ("name", wintypes.LPCWSTR),
    )


def _declare(user32: Any, kernel: Any) -> None:
    """Declare argument and result types: ctypes would cut handles and WPARAM, as wide as pointers, to 32 bits."""
    window, word, more = wintypes.HWND, ctypes.c_size_t, ctypes.c_ssize_t
    kernel.GetModuleHandleW.restype = wintypes.HINSTANCE
    kernel.GetModuleHandleW.argtypes = [wintypes.LPCWSTR]
    user32.CreateWindowExW.restype = window
    user32.CreateWindowExW.argtypes = [
        wintypes.DWORD, wintypes.LPCWSTR, wintypes.LPCWSTR, wintypes.DWORD, ctypes.c_int, ctypes.c_int,
        ctypes.c_int, ctypes.c_int, window, wintypes.HMENU, wintypes.HINSTANCE, ctypes.c_void_p,
    ]  # fmt: skip
    user32.DefWindowProcW.restype = more
    user32.DefWindowProcW.argtypes = [window, wintypes.UINT, word, more]
    user32.RegisterSuspendResumeNotification.restype = wintypes.HANDLE
    user32.UnregisterSuspendResumeNotification.argtypes = [wintypes.HANDLE]
    user32.PostMessageW.argtypes = [window, wintypes.UINT, word, more]
    user32.UnregisterClassW.argtypes = [wintypes.LPCWSTR, wintypes.HINSTANCE]
