"""Tells whether the system asks for light colours, dark ones, or a high contrast."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import closing
from typing import Literal, TypeAlias

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from desktop_agent.protocol.errors import TargetError

Look: TypeAlias = Literal["light", "dark", "contrast"]


def system_look() -> Look:
    """What the system asks for, as far as Qt knows (Windows, macOS, GNOME), or the desktop's theme says (X11)."""
    if _says_contrast() or _has_contrast_theme():
        return "contrast"
    return "dark" if QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark else "light"


def watch_system(changed: Callable[[], None]) -> None:
    """Call `changed` when what Qt knows of it changes."""
    hints = QGuiApplication.styleHints()
    hints.colorSchemeChanged.connect(changed)
    if hasattr(hints, "accessibility"):
        hints.accessibility().contrastPreferenceChanged.connect(changed)


def _says_contrast() -> bool:
    """What Qt says; it can from 6.10 on."""
    hints = QGuiApplication.styleHints()
    if not hasattr(hints, "accessibility"):
        return False
    return hints.accessibility().contrastPreference() == Qt.ContrastPreference.HighContrast


def _has_contrast_theme() -> bool:
    """Whether the session's settings name a high-contrast theme; False off X11, or where none are published."""
    if QGuiApplication.platformName() != "xcb":
        return False
    from desktop_agent.platforms.x11.connection import Display, display_errors
    from desktop_agent.platforms.x11.xsettings import theme_name

    try:
        with closing(Display(os.environ)) as display, display_errors(display.name):
            return "highcontrast" in theme_name(display).lower().replace("-", "")
    except TargetError:
        return False
