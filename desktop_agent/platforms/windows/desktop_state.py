"""Checks whether this session accepts input: not while it is locked, disconnected or on the secure desktop."""

from __future__ import annotations

import ctypes
from ctypes import wintypes
from functools import cache
from typing import Any

from desktop_agent.protocol.errors import CannotAct

_READ_OBJECTS, _NAME = 0x0001, 2
_LONGEST = 256
_USUAL, _SECURE = "Default", ("", "Winlogon", "Default")
_THIS_SESSION, _INFO_EX, _LOCKED, _DISCONNECTED = 0xFFFF_FFFF, 25, 0, 4
_REMOTE = 0x1000
UNLOCK = "Unlock it, then press Resume."


class _InfoEx(ctypes.Structure):
    """The beginning of WTSINFOEX with its WTSINFOEX_LEVEL1 (wtsapi32.h), which starts at byte 8 by alignment."""

    _fields_ = (
        ("level", wintypes.DWORD),
        ("_gap", wintypes.DWORD),
        ("session", wintypes.DWORD),
        ("state", ctypes.c_int32),
        ("flags", ctypes.c_int32),
    )


def check_desktop() -> None:
    """Raises CannotAct while another desktop than the user's has the input, or the session is locked or disconnected."""
    if (found := obstacle(input_desktop(), session_state())) is not None:
        raise found


def obstacle(desktop: str, state: tuple[int, int] | None) -> CannotAct | None:
    """Why input is impossible, as an error to raise; None when it is possible.

    `desktop` is the input desktop's name ("" when access is denied), `state` the session's connection state and
    lock flag (None when unknown). The name alone is not enough: the lock screen's picture may be on the user's
    own desktop, and a session without a screen has that name, too (OpenInputDesktop).
    """
    if desktop == _USUAL and (state is None or (state[0] != _DISCONNECTED and state[1] != _LOCKED)):
        return None
    if desktop not in _SECURE:
        what = f"the desktop {desktop!r} (a screen saver, or another program's own) is in front"
        return CannotAct(f"Cannot act here: {what}.", "Go back to your desktop, then press Resume.")
    if state is not None and state[0] == _DISCONNECTED:
        what = "the remote session is disconnected"
        return CannotAct(f"Cannot act here: {what}.", "Connect to it again, then press Resume.")
    if state is not None and state[1] != _LOCKED:
        what = "Windows itself asks for a permission or a password, where no program may act"
        return CannotAct(f"Cannot act here: {what}.", "Answer it yourself, then press Resume.")
    return CannotAct("Cannot act here: the screen is locked.", UNLOCK)


def input_desktop() -> str:
    """Name of the desktop that gets input ("Default", "Winlogon", …); "" when access is denied."""
    user32 = _dll("user32")
    user32.OpenInputDesktop.restype = ctypes.c_void_p
    found = user32.OpenInputDesktop(0, False, _READ_OBJECTS)
    if not found:
        return ""
    desktop, size = wintypes.HANDLE(found), wintypes.DWORD()
    buffer = ctypes.create_unicode_buffer(_LONGEST)
    told = user32.GetUserObjectInformationW(desktop, _NAME, buffer, ctypes.sizeof(buffer), ctypes.byref(size))
    user32.CloseDesktop(desktop)
    return buffer.value if told else ""


def session_state() -> tuple[int, int] | None:
    """Connection state (WTS_CONNECTSTATE_CLASS) and lock flag (0 locked, 1 not) of this session; None when unknown."""
    wts = _dll("wtsapi32")
    found, size = ctypes.c_void_p(), wintypes.DWORD()
    asked = (None, _THIS_SESSION, _INFO_EX, ctypes.byref(found), ctypes.byref(size))
    if not wts.WTSQuerySessionInformationW(*asked) or not found.value:
        return None
    try:
        if size.value < ctypes.sizeof(_InfoEx):
            return None
        info = _InfoEx.from_address(found.value)
        return info.state, info.flags
    finally:
        wts.WTSFreeMemory(found)


def is_remote() -> bool:
    """True when this session is shown on another computer (Remote Desktop)."""
    return bool(_dll("user32").GetSystemMetrics(_REMOTE))


@cache
def _dll(name: str) -> Any:
    windows: Any = ctypes  # WinDLL is there on Windows only
    return windows.WinDLL(name)
