"""Basic themed widgets: card, pill, chip, icon and spinner. None adds a signal to its base class."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, QTimer
from PySide6.QtGui import (
    QHideEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QShowEvent,
)
from PySide6.QtWidgets import QFrame, QLabel, QSizePolicy, QVBoxLayout, QWidget

from desktop_agent.support.language import tr
from desktop_agent.ui.widgets.theme import Theme

RADIUS = 10.0
SHADOW = 4


class Card(QFrame):
    """A rounded panel with a vertical layout `box`; `fill` and `edge` are colour tokens, `shadow` draws one."""

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
        """Set the colour tokens of fill and edge."""
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


class Pill(QLabel):
    """Shows a state as a coloured dot and a word."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._tone, self._tint = theme, "soft", "quiet"
        self.setFont(theme.font("caps"))
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_state(self, word: str, tone: str, tint: str) -> None:
        """Show `word`; `tone` is the colour token of dot and text, `tint` of the background."""
        self._tone, self._tint = tone, tint
        self.setText(word)
        self.setAccessibleName(tr("State: {state}").format(state=word.lower()))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        words = self.fontMetrics()
        return QSize(words.horizontalAdvance(self.text()) + 28, max(20, words.height() + 2))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color(self._tint))
        painter.drawRoundedRect(QRectF(self.rect()), self.height() / 2, self.height() / 2)
        painter.setBrush(self._theme.color(self._tone))
        painter.drawEllipse(QRectF(8, self.height() / 2 - 3, 6, 6))
        painter.setPen(self._theme.color(self._tone))
        painter.drawText(
            QRectF(19, 0, self.width() - 19, self.height()),
            Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignAbsolute,
            self.text(),
        )
        painter.end()


class Icon(QWidget):
    """A themed icon beside the text that carries its meaning; it has no accessible name."""

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
        icon = self._theme.icon(self._icon, self._token, self._size, self.devicePixelRatioF())
        painter.drawPixmap(0, round((self.height() - self._size) / 2), icon)
        painter.end()


class Spinner(QWidget):
    """A busy spinner; it is animated only while it is visible."""

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
