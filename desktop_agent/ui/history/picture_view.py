"""Shows a picture of a run with the place of a click or the way of a drag marked."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import QImage, QPainter, QPainterPath, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop_agent.history.run_story import Fraction
from desktop_agent.support.language import tr
from desktop_agent.ui.widgets.theme import Theme
from desktop_agent.ui.widgets.thumbnails import draw_mark

RING, CLOSE = 15, 3


class PictureView(QWidget):
    """As large as there is room. Signal: `resized()`."""

    resized = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None, *, nothing: str = "") -> None:
        """`nothing` says that there is no picture."""
        super().__init__(parent)
        self._theme = theme
        self._nothing = nothing or tr("No picture was kept.")
        self._image = QImage()
        self._waiting = True
        self._at: Fraction | None = None
        self._to: Fraction | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(240, 150)
        self.setAccessibleName(tr("Picture of the screen"))

    @property
    def image(self) -> QImage:
        """What is shown; null for nothing."""
        return self._image

    @property
    def marked(self) -> tuple[Fraction | None, Fraction | None]:
        """The marked places: where it began and where a drag ended."""
        return self._at, self._to

    def pixels(self) -> QSize:
        """The size of the view in pixels of the screen."""
        return self.size() * self.devicePixelRatioF()

    def show_image(self, image: QImage) -> None:
        """Show a picture; a null one says that there is none."""
        self._image, self._waiting = image, False
        self.update()

    def await_image(self) -> None:
        """The next picture is being read: the last one stays until it comes."""
        self._waiting = True

    def mark(self, at: Fraction | None, to: Fraction | None, words: str) -> None:
        """Mark these places; `words` say to a screen reader what is shown."""
        self._at, self._to = at, to
        self.setAccessibleDescription(words[:500])
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        place = self._place()
        frame = QPainterPath()
        frame.addRoundedRect(place, 8, 8)
        painter.setClipPath(frame)
        painter.fillRect(place, self._theme.color("card"))
        if self._image.isNull():
            self._paint_nothing(painter, place)
        else:
            painter.drawImage(place, self._image)
            self._paint_marks(painter, place)
        painter.setClipping(False)
        painter.setPen(QPen(self._theme.color("line"), 1))
        painter.drawPath(frame)
        painter.end()

    def _place(self) -> QRectF:
        """Where the picture is painted: whole, in the middle."""
        room = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        if self._image.isNull():
            return room
        own = QSizeF(self._image.size()) / self.devicePixelRatioF()
        size = own.scaled(room.size(), Qt.AspectRatioMode.KeepAspectRatio)
        size = own if abs(size.width() - own.width()) < CLOSE else size  # not scaled once more for a pixel
        place = QRectF(0, 0, size.width(), size.height())
        place.moveCenter(room.center())
        place.moveTop(room.top())
        return place

    def _paint_nothing(self, painter: QPainter, place: QRectF) -> None:
        words = tr("Reading …") if self._waiting else self._nothing
        painter.setPen(self._theme.color("soft"))
        painter.setFont(self._theme.font("body"))
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, words)

    def _paint_marks(self, painter: QPainter, place: QRectF) -> None:
        if self._at is None:
            return
        start = _point(place, self._at)
        if self._to is not None:
            end = _point(place, self._to)
            way = QLineF(start, end)
            if way.length() > RING:
                way = QLineF(way.pointAt(RING / way.length()), end)
            for token, width in (("on_bubble", 6.0), ("stop", 2.6)):
                painter.setPen(QPen(self._theme.color(token, 0.9), width))
                painter.drawLine(way)
            draw_mark(painter, self._theme, end, 7, cross=False)
        draw_mark(painter, self._theme, start, RING, cross=self._to is None)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized.emit()


def _point(place: QRectF, at: Fraction) -> QPointF:
    return QPointF(place.x() + at[0] * place.width(), place.y() + at[1] * place.height())
