"""A vertical scroll area without a frame, its thin scroll bar, and a column layout that never squeezes."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QScrollBar, QVBoxLayout, QWidget

from desktop_agent.ui.widgets.theme import Theme

BAR = 10
SHORTEST = 32.0


class ThinBar(QScrollBar):
    """A thin vertical scroll bar: only its handle is painted."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Vertical, parent)
        self._theme = theme

    def sizeHint(self) -> QSize:
        return QSize(BAR, 40)

    def paintEvent(self, event: QPaintEvent) -> None:
        span = self.maximum() - self.minimum()
        if span <= 0:
            return
        room = self.height() - 4.0
        length = min(room, max(SHORTEST, room * self.pageStep() / (span + self.pageStep())))
        top = 2 + (room - length) * (self.value() - self.minimum()) / span
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("soft" if self.isSliderDown() or self.underMouse() else "grip"))
        painter.drawRoundedRect(QRectF(1, top, 7, length), 3.5, 3.5)
        painter.end()


class ColumnLayout(QVBoxLayout):
    """A vertical layout that gives each part the height it needs, even where the area is too low for all of them.

    What grows in a scroll area is laid out, and may be painted, before the area gives it the room:
    Qt would press all parts together for that moment. So it is only the end that is cut off.
    """

    def setGeometry(self, area: QRect) -> None:
        needed = max(area.height(), self.heightForWidth(area.width()))
        super().setGeometry(QRect(area.x(), area.y(), area.width(), needed))


class ScrollArea(QScrollArea):
    """Scrolls vertically only; its content gets the width of the area."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBar(ThinBar(theme))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setMinimumHeight(1)
        self.viewport().setAutoFillBackground(False)

    def set_content(self, content: QWidget) -> None:
        """Set the scrolled widget, with a transparent background."""
        self.setWidget(content)
        # QScrollArea has just made it opaque.
        content.setAutoFillBackground(False)
