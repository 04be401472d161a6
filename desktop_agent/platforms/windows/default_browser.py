"""Which program the user's browser is, asked of the shell."""

from __future__ import annotations

import ctypes
from ctypes import wintypes
from typing import Any

_IS_PROTOCOL, _EXECUTABLE = 0x1000, 2  # ASSOCF_IS_PROTOCOL, ASSOCSTR_EXECUTABLE
_LONGEST = 1024
BLANK = "about:blank"


def default_browser() -> str:
    """Path of the program that opens https addresses (AssocQueryStringW, shlwapi.h), BLANK where that is not told.

    Windows 10 and later know no program for BLANK itself: they ask the user for one.
    """
    windows: Any = ctypes  # WinDLL is there on Windows only
    buffer, size = ctypes.create_unicode_buffer(_LONGEST), wintypes.DWORD(_LONGEST)
    asked = (_IS_PROTOCOL, _EXECUTABLE, "https", "open", buffer, ctypes.byref(size))
    told = windows.WinDLL("shlwapi").AssocQueryStringW(*asked) == 0
    return buffer.value if told and buffer.value else BLANK
