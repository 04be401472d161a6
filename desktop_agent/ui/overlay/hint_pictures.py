"""Paints the hints: ring, trail of a drag, caption, frame. Sizes are in pixels of a screen with the scale `ratio`.

Each has a dark rim, a white line and the accent colour, so that it can be told from light and from dark alike, and
looks the same where a pixel is either drawn or not.
"""

from __future__ import annotations

from functools import lru_cache
from math import ceil, hypot

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter, QPen

from desktop_agent.platforms.base import HintPicture
from desktop_agent.protocol.geometry import Point, Rect

RIM, LIGHT, ACCENT = QColor("#0b1220"), QColor("#ffffff"), QColor("#2f6bff")
PILL = QColor("#1b1f27")
RING_WIDTHS = ((RIM, 7.0), (LIGHT, 5.4), (ACCENT, 3.0))
DOT, DOT_GAP, MOST_DOTS = 4.0, 22.0, 40
FRAME_LINES = ((ACCENT, 3), (LIGHT, 1))
CAPTION_GAP, CAPTION_PADDING, CAPTION_WIDEST, CAPTION_FONT = 26, 11, 420, 13


@lru_cache(maxsize=64)
def _ring(radius: float, ratio: float) -> QImage:
    half = ceil((radius + RING_WIDTHS[0][1] / 2 + 1) * ratio)
    image = _empty(2 * half, 2 * half)
    painter = _painter(image)
    for color, width in RING_WIDTHS:
        painter.setPen(QPen(color, width * ratio))
        painter.drawEllipse(QPointF(half, half), radius * ratio, radius * ratio)
    painter.end()
    return image


@lru_cache(maxsize=8)
def _dot(ratio: float) -> QImage:
    half = ceil((DOT + 1) * ratio)
    image = _empty(2 * half, 2 * half)
    painter = _painter(image)
    painter.setPen(Qt.PenStyle.NoPen)
    for color, radius in ((RIM, DOT), (LIGHT, DOT - 0.8), (ACCENT, DOT - 1.8)):
        painter.setBrush(color)
        painter.drawEllipse(QPointF(half, half), radius * ratio, radius * ratio)
    painter.end()
    return image


def ring(at: Point, radius: float, ratio: float) -> HintPicture:
    """A ring around a point."""
    return _around(at, _ring(round(radius * 2) / 2, ratio))


def trail(start: Point, end: Point, ratio: float) -> list[HintPicture]:
    """Dots from one point to another, both left free."""
    length = hypot(end.x - start.x, end.y - start.y)
    count = min(MOST_DOTS, int(length / (DOT_GAP * ratio)))
    steps = (each / (count + 1) for each in range(1, count + 1))
    places = (Point(round(start.x + (end.x - start.x) * s), round(start.y + (end.y - start.y) * s)) for s in steps)  # fmt: skip
    return [_around(each, _dot(ratio)) for each in places]


def caption(words: str, at: Point, room: Rect, font: QFont, ratio: float) -> HintPicture:
    """Words on a dark pill below a point, above it where there is no room below; too long ones are cut."""
    image = _caption(words, font.family(), ratio)
    width, height, gap = image.width(), image.height(), round(CAPTION_GAP * ratio)
    x = min(max(at.x - width // 2, room.x), room.right - width)
    y = at.y + gap if at.y + gap + height <= room.bottom else at.y - gap - height
    return _picture(image, x, y)


@lru_cache(maxsize=8)
def _caption(words: str, family: str, ratio: float) -> QImage:
    font = QFont(family)
    font.setPixelSize(round(CAPTION_FONT * ratio))
    metrics = QFontMetricsF(font)
    padding = CAPTION_PADDING * ratio
    text = metrics.elidedText(words, Qt.TextElideMode.ElideRight, CAPTION_WIDEST * ratio)
    size = QRectF(0, 0, ceil(metrics.horizontalAdvance(text) + 2 * padding), ceil(metrics.height() + padding))
    image = _empty(round(size.width()), round(size.height()))
    painter = _painter(image)
    line = 1.5 * ratio
    painter.setPen(QPen(LIGHT, line))
    painter.setBrush(PILL)
    inner = size.adjusted(line, line, -line, -line)
    painter.drawRoundedRect(inner, inner.height() / 2, inner.height() / 2)
    painter.setPen(LIGHT)
    painter.setFont(font)
    painter.drawText(size, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextSingleLine, text)
    painter.end()
    return image


@lru_cache(maxsize=8)
def frame(around: Rect, ratio: float) -> list[HintPicture]:
    """A thin frame inside the edges of an area: its top, bottom, left and right."""
    widths = [(color, max(1, round(width * ratio))) for color, width in FRAME_LINES]
    thick = sum(width for _, width in widths)
    if around.width <= 2 * thick or around.height <= 2 * thick:
        return []
    low = Rect(around.x, around.y + thick, thick, around.height - 2 * thick)
    return [
        _strip(Rect(around.x, around.y, around.width, thick), around, widths),
        _strip(Rect(around.x, around.bottom - thick, around.width, thick), around, widths),
        _strip(low, around, widths),
        _strip(low.moved(around.width - thick, 0), around, widths),
    ]


def _strip(place: Rect, around: Rect, widths: list[tuple[QColor, int]]) -> HintPicture:
    image = _empty(place.width, place.height)
    painter = QPainter(image)
    inset = 0
    for color, width in widths:
        inner = around.grown(-inset, -inset).moved(-place.x, -place.y)
        painter.fillRect(inner.x, inner.y, inner.width, inner.height, color)
        inset += width
    painter.end()
    return _picture(image, place.x, place.y)


def _empty(width: int, height: int) -> QImage:
    image = QImage(width, height, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    return image


def _painter(image: QImage) -> QPainter:
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    return painter


def _around(at: Point, image: QImage) -> HintPicture:
    return _picture(image, at.x - image.width() // 2, at.y - image.height() // 2)


def _picture(image: QImage, x: int, y: int) -> HintPicture:
    return HintPicture(Rect(x, y, image.width(), image.height()), bytes(image.constBits()))
