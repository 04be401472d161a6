"""Small parts that paint themselves from the theme: cards, buttons, pills, chips and the spinner."""

from __future__ import annotations

from typing import Literal, TypeAlias

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import (
    QColor,
    QEnterEvent,
    QFocusEvent,
    QFontMetricsF,
    QHideEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QShowEvent,
)
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from desktop_agent.ui.theme import Theme

Kind: TypeAlias = Literal["primary", "stop", "plain", "icon", "row", "chip"]
RADIUS = 10.0
SHADOW = 4
_KEY_FOCUS = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
)


class Card(QFrame):
    """A rounded panel; `fill` and `edge` are colour tokens, `shadow` lifts it off the window."""

    def __init__(
        self,
        theme: Theme,
        fill: str = "card",
        edge: str = "line",
        shadow: bool = True,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme, self._fill, self._edge, self._shadow = theme, fill, edge, shadow
        self.box = QVBoxLayout(self)
        self.box.setContentsMargins(13, 12, 13, 12 + SHADOW)
        self.box.setSpacing(8)

    def set_look(self, fill: str, edge: str) -> None:
        self._fill, self._edge = fill, edge
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        body = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5 - SHADOW)
        if self._shadow:
            self._paint_shadow(painter, body)
        painter.setPen(QPen(self._theme.color(self._edge), 1))
        painter.setBrush(self._theme.color(self._fill))
        painter.drawRoundedRect(body, RADIUS, RADIUS)
        painter.end()

    def _paint_shadow(self, painter: QPainter, body: QRectF) -> None:
        strength = 0.16 if self._theme.dark else 0.028
        painter.setPen(Qt.PenStyle.NoPen)
        for depth in range(SHADOW, 0, -1):
            painter.setBrush(self._theme.color("shadow", strength))
            inset = (SHADOW - depth) * 0.5
            painter.drawRoundedRect(
                body.adjusted(inset * -0.2, depth - 1, inset * 0.2, depth), RADIUS + 1, RADIUS + 1
            )


class Button(QPushButton):
    """A button of one kind, with an icon and a key cap where they help."""

    def __init__(
        self,
        theme: Theme,
        text: str = "",
        kind: Kind = "plain",
        icon: str = "",
        cap: str = "",
        name: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(text, parent)
        self._theme, self._kind, self.icon_name, self._cap = theme, kind, icon, cap
        self._ring = self._inside = False
        self.tone = ""
        self.setFont(theme.font("small" if kind == "chip" else "body" if kind == "row" else "strong"))
        self.setAccessibleName(name or text)
        if kind == "icon":
            self.setToolTip(name)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def set_icon(self, icon: str, name: str) -> None:
        self.icon_name = icon
        self.setAccessibleName(name)
        self.setToolTip(name)
        self.update()

    def set_cap(self, cap: str) -> None:
        self._cap = cap
        self.updateGeometry()
        self.update()

    # ---- geometry -------------------------------------------------------------------------

    def sizeHint(self) -> QSize:
        if self._kind == "icon":
            return QSize(34, 34)
        height = 28 if self._kind == "chip" else 34
        pad = 20 if self._kind == "chip" else 24
        return QSize(round(self._content_width() + pad), max(height, self.fontMetrics().height() + 10))

    def minimumSizeHint(self) -> QSize:
        hint = self.sizeHint()
        return QSize(min(hint.width(), 64), hint.height())

    def _cap_width(self) -> float:
        return QFontMetricsF(self._theme.font("cap")).horizontalAdvance(self._cap) + 10 if self._cap else 0

    def _content_width(self) -> float:
        width = QFontMetricsF(self.font()).horizontalAdvance(self.text())
        width += self._cap_width() + (8 if self._cap else 0)
        return width + (20 if self.icon_name and self.text() else 16 if self.icon_name else 0)

    # ---- painting -------------------------------------------------------------------------

    def _colors(self) -> tuple[QColor, QColor, str]:
        """Fill, edge, and the token of what stands on it."""
        theme, kind = self._theme, self._kind
        if kind == "primary":
            return theme.color("accent"), theme.color("accent"), "on_accent"
        if kind == "stop":
            return theme.color("stop"), theme.color("stop"), "on_stop"
        if kind == "icon":
            return QColor(0, 0, 0, 0), QColor(0, 0, 0, 0), self.tone or "soft"
        return theme.color("card"), theme.color("line"), self.tone or ("soft" if kind == "chip" else "ink")

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if not self.isEnabled():
            painter.setOpacity(0.45)
        fill, edge, token = self._colors()
        area = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        radius = area.height() / 2 if self._kind == "chip" else 8.0
        painter.setPen(QPen(edge, 1))
        painter.setBrush(fill)
        painter.drawRoundedRect(area, radius, radius)
        self._paint_touch(painter, area, radius)
        self._paint_content(painter, token)
        painter.end()

    def _paint_touch(self, painter: QPainter, area: QRectF, radius: float) -> None:
        """Hovered, pressed, reached by keyboard."""
        painter.setPen(Qt.PenStyle.NoPen)
        strong = self._kind in ("primary", "stop")
        if self.isEnabled() and (self._inside or self.isDown()):
            shade = QColor("#ffffff") if strong else self._theme.color("ink")
            shade.setAlphaF((0.16 if strong else 0.07) * (1.7 if self.isDown() else 1))
            painter.setBrush(shade)
            painter.drawRoundedRect(area, radius, radius)
        if self._ring:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self._theme.color("ink" if strong else "accent"), 2))
            painter.drawRoundedRect(area, radius, radius)

    def _paint_content(self, painter: QPainter, token: str) -> None:
        left = (self.width() - self._content_width()) / 2
        middle = self.height() / 2
        if self.icon_name:
            size = 18 if self._kind == "icon" or not self.text() else 14
            if not self.text():
                left = (self.width() - size) / 2
            icon = self._theme.icon(self.icon_name, token, size, self.devicePixelRatioF())
            painter.drawPixmap(round(left), round(middle - size / 2), icon)
            left += 20
        if self.text():
            self._paint_text(painter, token, max(left, 8))

    def _paint_text(self, painter: QPainter, token: str, left: float) -> None:
        painter.setFont(self.font())
        painter.setPen(self._theme.color(token))
        room = self.width() - left - 8 - (self._cap_width() + 8 if self._cap else 0)
        text = QFontMetricsF(self.font()).elidedText(self.text(), Qt.TextElideMode.ElideRight, room + 3)
        area = QRectF(left, 0, room + 6, self.height())
        painter.drawText(area, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)
        if self._cap:
            width = self._cap_width()
            x = left + QFontMetricsF(self.font()).horizontalAdvance(text) + 8
            self._paint_cap(painter, token, QRectF(x, self.height() / 2 - 9, width, 18))

    def _paint_cap(self, painter: QPainter, token: str, area: QRectF) -> None:
        painter.setFont(self._theme.font("cap"))
        painter.setPen(QPen(self._theme.color(token, 0.75), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(area, 4, 4)
        painter.setPen(self._theme.color(token))
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, self._cap)

    def enterEvent(self, event: QEnterEvent) -> None:
        self._inside = True
        super().enterEvent(event)
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        self._inside = False
        super().leaveEvent(event)
        self.update()

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._ring = event.reason() in _KEY_FOCUS
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._ring = False
        super().focusOutEvent(event)
        self.update()


class Pill(QLabel):
    """A state as a colour and a word."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._tone, self._tint = theme, "soft", "line"
        self.setFont(theme.font("caps"))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_state(self, word: str, tone: str, tint: str) -> None:
        self._tone, self._tint = tone, tint
        self.setText(word)
        self.setAccessibleName(f"State: {word.lower()}")
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self.fontMetrics().horizontalAdvance(self.text()) + 33, 24)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color(self._tint))
        painter.drawRoundedRect(QRectF(self.rect()), self.height() / 2, self.height() / 2)
        painter.setBrush(self._theme.color(self._tone))
        painter.drawEllipse(QRectF(10, self.height() / 2 - 3.5, 7, 7))
        painter.setPen(self._theme.color(self._tone))
        painter.drawText(
            QRectF(23, 0, self.width() - 23, self.height()), Qt.AlignmentFlag.AlignVCenter, self.text()
        )
        painter.end()


class Icon(QWidget):
    """A still drawing beside words; the words carry the meaning."""

    def __init__(
        self, theme: Theme, icon: str, token: str, size: int = 16, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme, self._icon, self._token, self._size = theme, icon, token, size
        self.setFixedSize(size, size)

    def set_icon(self, icon: str, token: str) -> None:
        self._icon, self._token = icon, token
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.drawPixmap(
            0, 0, self._theme.icon(self._icon, self._token, self._size, self.devicePixelRatioF())
        )
        painter.end()


class Spinner(QWidget):
    """Turns while it is visible."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._angle = theme, 0
        self._timer = QTimer(self, interval=60)
        self._timer.timeout.connect(self._turn)
        self.setFixedSize(18, 18)

    def _turn(self) -> None:
        self._angle = (self._angle + 24) % 360
        self.update()

    def showEvent(self, event: QShowEvent) -> None:
        self._timer.start()
        super().showEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        self._timer.stop()
        super().hideEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRectF(self.rect()).adjusted(2.5, 2.5, -2.5, -2.5)
        pen = QPen(self._theme.color("accent", 0.22), 2.4)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        painter.drawEllipse(area)
        pen.setColor(self._theme.color("accent"))
        painter.setPen(pen)
        painter.drawArc(area, -self._angle * 16, 260 * 16)
        painter.end()
