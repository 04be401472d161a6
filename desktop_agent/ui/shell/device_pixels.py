"""Converts Qt's device-independent coordinates to screen pixels; they differ on scaled monitors."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QGuiApplication, QScreen
from PySide6.QtWidgets import QWidget

from desktop_agent.protocol.geometry import Rect


def to_pixels(area: QRect, origin: QPoint, scale: float) -> Rect:
    """Convert `area` to screen pixels, on a screen with its top left corner at `origin` and this scale factor.

    A screen's origin is in pixels in both systems; only distances from it are scaled (Qt 6, QScreen.geometry).
    """
    left = origin.x() + round((area.x() - origin.x()) * scale)
    top = origin.y() + round((area.y() - origin.y()) * scale)
    return Rect(left, top, round(area.width() * scale), round(area.height() * scale))


def widget_pixels(widget: QWidget) -> Rect:
    """The widget's bounds in screen pixels."""
    area = QRect(widget.mapToGlobal(QPoint(0, 0)), widget.size())
    screen = QGuiApplication.screenAt(area.center()) or widget.screen()
    return to_pixels(area, screen.geometry().topLeft(), screen.devicePixelRatio())


def screen_pixels(screen: QScreen) -> Rect:
    """The screen's bounds in pixels."""
    return to_pixels(screen.geometry(), screen.geometry().topLeft(), screen.devicePixelRatio())
