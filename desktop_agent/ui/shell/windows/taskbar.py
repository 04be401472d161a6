"""Task bar behaviour that Qt leaves out on Windows: an application id, and minimizing by a click on the button."""

from __future__ import annotations

import ctypes
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

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
