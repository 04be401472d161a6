"""Draws the icon of the tray for each state: a disc whose colour and sign both tell it."""

from __future__ import annotations

from typing import Literal, TypeAlias

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPainterPath, QPen, QPixmap, QPolygonF

from desktop_agent.protocol.agent_events import State
from desktop_agent.support.language import later
from desktop_agent.ui.widgets.theme import LIGHT

Sign: TypeAlias = Literal["ring", "play", "bars", "call", "square", "tick", "cross"]

LOOK: dict[State, tuple[str, Sign, str]] = {
    "idle": (LIGHT.accent, "ring", later("ready")),
    "planning": (LIGHT.ok, "play", later("working")),
    "executing": (LIGHT.ok, "play", later("working")),
    "waiting_for_user": (LIGHT.warn, "call", later("needs you")),
    "paused": (LIGHT.warn, "bars", later("paused")),
    "stopped": (LIGHT.stop, "square", later("stopped")),
    "done": (LIGHT.ok, "tick", later("done")),
    "error": (LIGHT.stop, "cross", later("something failed")),
}
"""Colour, sign and word of each state. The signs are white: at 4.5:1 or more on every one of the colours."""
ANSWER = later("answered")
"""The word where what is done was only an answer."""
SIZES = (16, 22, 24, 32, 48, 64)
"""Pixels that task bars and panels ask for."""


def state_icon(state: State) -> QIcon:
    """The icon of a state in every size."""
    icon = QIcon()
    for size in SIZES:
        icon.addPixmap(_drawn(*LOOK[state][:2], size))
    return icon


def _drawn(colour: str, sign: Sign, size: int) -> QPixmap:
    pixmap = QPixmap(size, size)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(size / 16, size / 16)
    # The white edge keeps the disc apart from a panel of its own colour.
    painter.setPen(QPen(QColor("white"), 1))
    painter.setBrush(QColor(colour))
    painter.drawEllipse(QRectF(0.5, 0.5, 15, 15))
    _draw_sign(painter, sign)
    painter.end()
    return pixmap


def _draw_sign(painter: QPainter, sign: Sign) -> None:
    """Draw a sign in the middle of 16 × 16."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor("white"))
    if sign == "play":
        painter.drawPolygon(QPolygonF([QPointF(6, 4.5), QPointF(12, 8), QPointF(6, 11.5)]))
    elif sign == "square":
        painter.drawRect(QRectF(5, 5, 6, 6))
    elif sign == "bars":
        painter.drawRects([QRectF(5, 4.5, 2, 7), QRectF(9, 4.5, 2, 7)])
    elif sign == "call":
        painter.drawRects([QRectF(7, 3.5, 2, 5.5), QRectF(7, 10.5, 2, 2)])
    else:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor("white"), 1.8, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        painter.drawPath(_outline(sign))


def _outline(sign: Sign) -> QPainterPath:
    path = QPainterPath()
    if sign == "ring":
        path.addEllipse(QPointF(8, 8), 3.2, 3.2)
    elif sign == "tick":
        path.addPolygon(QPolygonF([QPointF(4.6, 8.3), QPointF(7, 10.8), QPointF(11.4, 5.6)]))
    else:
        for start, end in (((5.3, 5.3), (10.7, 10.7)), ((10.7, 5.3), (5.3, 10.7))):
            path.moveTo(*start)
            path.lineTo(*end)
    return path
