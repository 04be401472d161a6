"""Whether this session can be acted in at all: not while it is locked, or Windows asks for a password itself."""

from __future__ import annotations

import ctypes
from ctypes import wintypes
from typing import Any

from desktop_agent.protocol.errors import TargetError

_READ_OBJECTS, _NAME = 0x0001, 2
_LONGEST = 256
_USUAL = "Default"


def check_desktop() -> None:
    """Raises TargetError while another desktop than the user's has screen and keyboard."""
    name = input_desktop()
    if name != _USUAL:
        what = "the screen is locked" if name in ("", "Winlogon") else f"the desktop {name!r} is in front"
        raise TargetError(f"Cannot act here: {what}.", "Unlock it, or answer what Windows asks, then go on.")


def input_desktop() -> str:
    """Name of the desktop that gets input ("Default", "Winlogon", …); "" when we may not know it."""
    windows: Any = ctypes  # WinDLL is there on Windows only
    user32: Any = windows.WinDLL("user32")
    user32.OpenInputDesktop.restype = ctypes.c_void_p
    found = user32.OpenInputDesktop(0, False, _READ_OBJECTS)
    if not found:
        return ""
    desktop, size = wintypes.HANDLE(found), wintypes.DWORD()
    buffer = ctypes.create_unicode_buffer(_LONGEST)
    told = user32.GetUserObjectInformationW(desktop, _NAME, buffer, ctypes.sizeof(buffer), ctypes.byref(size))
    user32.CloseDesktop(desktop)
    return buffer.value if told else ""
