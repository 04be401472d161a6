"""The time slider of the player: drag or click anywhere; left and right go step by step, Home and End to the ends."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QSlider, QWidget

from desktop_agent.history.playback import moment_at
from desktop_agent.support.language import tr
from desktop_agent.ui.widgets.theme import Theme

EDGE, BALL = 10, 8


class TimeSlider(QSlider):
    """Its value are milliseconds of the playback. Signals: `stepped(count)`, and `moved(seconds)` by the user's hand."""

    stepped = Signal(int)
    moved = Signal(float)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._theme = theme
        self._offsets: Sequence[float] = ()
        self.setAccessibleName(tr("Time"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def set_offsets(self, offsets: Sequence[float]) -> None:
        """When each moment is shown, in seconds."""
        self._offsets = offsets
        self.setRange(0, round(offsets[-1] * 1000) if offsets else 0)

    def show_time(self, seconds: float) -> None:
        """Put the slider there without telling that it was moved."""
        self.setValue(round(seconds * 1000))
        place = moment_at(self._offsets, seconds) + 1
        self.setAccessibleDescription(
            tr("Step {number} of {count}").format(number=place, count=len(self._offsets))
        )

    def sizeHint(self) -> QSize:
        return QSize(200, 32)

    def minimumSizeHint(self) -> QSize:
        return QSize(80, 32)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {
            Qt.Key.Key_Left: -1, Qt.Key.Key_Down: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Up: 1,
            Qt.Key.Key_PageUp: -10, Qt.Key.Key_PageDown: 10,
            Qt.Key.Key_Home: -len(self._offsets), Qt.Key.Key_End: len(self._offsets),
        }  # fmt: skip
        count = steps.get(Qt.Key(event.key()), 0)
        if not count:
            super().keyPressEvent(event)
            return
        self.stepped.emit(count)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self._go(event.position().x())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._go(event.position().x())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._go(event.position().x())

    def _go(self, x: float) -> None:
        share = min(1.0, max(0.0, (x - EDGE) / max(1, self.width() - 2 * EDGE)))
        if self.layoutDirection() == Qt.LayoutDirection.RightToLeft:
            share = 1 - share
        self.moved.emit(share * self.maximum() / 1000)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle, room = self.height() / 2, self.width() - 2 * EDGE
        share = self.value() / self.maximum() if self.maximum() else 0.0
        backwards = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        place = EDGE + room * (1 - share if backwards else share)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("grip"))
        painter.drawRoundedRect(QRectF(EDGE, middle - 2, room, 4), 2, 2)
        painter.setBrush(self._theme.color("accent"))
        start = place if backwards else EDGE
        painter.drawRoundedRect(
            QRectF(start, middle - 2, abs((EDGE + room if backwards else place) - start), 4), 2, 2
        )
        painter.setPen(QPen(self._theme.color("card"), 2))
        painter.drawEllipse(QRectF(place - BALL, middle - BALL, 2 * BALL, 2 * BALL))
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self._theme.color("accent"), 2))
            painter.drawEllipse(QRectF(place - BALL - 1, middle - BALL - 1, 2 * BALL + 2, 2 * BALL + 2))
        painter.end()
