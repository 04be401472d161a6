"""Qt's own coordinates and the screen's pixels: they differ on every monitor that is scaled."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QGuiApplication, QScreen
from PySide6.QtWidgets import QWidget

from desktop_agent.protocol.geometry import Rect


def to_pixels(area: QRect, origin: QPoint, scale: float) -> Rect:
    """An area in Qt's coordinates as pixels, on a screen that begins at `origin` and is scaled.

    A screen's origin is in pixels in both; only what lies on it is scaled (Qt 6, QScreen.geometry).
    """
    left = origin.x() + round((area.x() - origin.x()) * scale)
    top = origin.y() + round((area.y() - origin.y()) * scale)
    return Rect(left, top, round(area.width() * scale), round(area.height() * scale))


def place_of(widget: QWidget) -> Rect:
    """Where a widget is, in pixels of the screen it is on."""
    area = QRect(widget.mapToGlobal(QPoint(0, 0)), widget.size())
    screen = QGuiApplication.screenAt(area.center()) or widget.screen()
    return to_pixels(area, screen.geometry().topLeft(), screen.devicePixelRatio())


def pixels_of(screen: QScreen) -> Rect:
    """A screen in pixels."""
    return to_pixels(screen.geometry(), screen.geometry().topLeft(), screen.devicePixelRatio())
