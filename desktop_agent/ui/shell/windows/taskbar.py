"""What Qt does not do on Windows: a name of our own in the task bar, and a click there that puts the window away."""

from __future__ import annotations

import ctypes
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

NAME = "desktop-agent.window"
"""By this the task bar knows our windows, whichever program runs us (SetCurrentProcessExplicitAppUserModelID)."""


def on_windows() -> bool:
    """True when Qt draws on the Windows desktop."""
    return QGuiApplication.platformName() == "windows"


def introduce() -> None:
    """Be a program of our own in the task bar; after the application is made and before its first window."""
    if on_windows():
        windows: Any = ctypes
        windows.WinDLL("shell32").SetCurrentProcessExplicitAppUserModelID(ctypes.c_wchar_p(NAME))


def frame_flags() -> Qt.WindowType:
    """What a window without a frame needs besides: only one that may be put away obeys the task bar."""
    flags = Qt.WindowType.Window | Qt.WindowType.FramelessWindowHint | Qt.WindowType.WindowStaysOnTopHint
    return flags | Qt.WindowType.WindowMinimizeButtonHint if on_windows() else flags
