"""Task bar behaviour that Qt leaves out on Windows (an application id, minimizing by its button), and whether a window is in front at a point."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from desktop_agent.protocol.geometry import Point

APP_ID = "desktop-agent.window"
"""The application id by which the task bar groups our windows, whichever program runs us."""


def on_windows() -> bool:
    """True when Qt uses its Windows platform plugin."""
    return QGuiApplication.platformName() == "windows"


def set_app_id() -> None:
    """Set the process's application id on Windows (SetCurrentProcessExplicitAppUserModelID).

    Call it after the QApplication is created and before its first window is shown.
    """
    if on_windows():
        windows: Any = ctypes
        windows.WinDLL("shell32").SetCurrentProcessExplicitAppUserModelID(ctypes.c_wchar_p(APP_ID))


def window_flags() -> Qt.WindowType:
    """The window flags of a frameless window on top; on Windows also minimizable, else the task bar cannot minimize it."""
    flags = Qt.WindowType.Window | Qt.WindowType.FramelessWindowHint | Qt.WindowType.WindowStaysOnTopHint
    return flags | Qt.WindowType.WindowMinimizeButtonHint if on_windows() else flags


def is_at(window: int, points: Sequence[Point]) -> list[bool]:
    """For each point of the screen, whether the window is in front there; none is on another virtual desktop."""
    from desktop_agent.platforms.windows.user32 import User32

    user = User32()
    return [user.window_at(each) == window for each in points]
