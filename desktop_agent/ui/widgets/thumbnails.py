"""Thumbnails of the screen with the acted-on point marked; JPEGs are decoded no larger than shown."""

from __future__ import annotations

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QImage, QImageReader, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop_agent.protocol.geometry import Point, Rect
from desktop_agent.support.language import tr
from desktop_agent.ui.view_model import Shot
from desktop_agent.ui.widgets.theme import Theme

JPEG_START = b"\xff\xd8\xff"
NEAR = 0.42
READABLE = 0.65


def picture_size(jpeg: bytes) -> QSize:
    """Width and height of a JPEG in pixels; an empty size when it is not one."""
    if not jpeg.startswith(JPEG_START):
        return QSize()
    buffer = QBuffer()
    buffer.setData(QByteArray(jpeg))
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    return QImageReader(buffer, QByteArray(b"jpeg")).size()


def decode(jpeg: bytes, size: QSize, clip: QRect | None = None) -> QImage:
    """Decode a JPEG, or its part `clip` (pixels), scaled to `size`; a null QImage when it cannot be read."""
    if not jpeg.startswith(JPEG_START) or size.isEmpty():
        return QImage()
    buffer = QBuffer()
    buffer.setData(QByteArray(jpeg))
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer, QByteArray(b"jpeg"))
    if clip is not None:
        reader.setClipRect(clip)
    reader.setScaledSize(size)
    return reader.read()


def to_picture_point(region: Rect, at: Point | None, size: QSize) -> QPointF | None:
    """Convert the screen point `at` to a pixel of a picture of `size` that shows `region`; None when outside."""
    if at is None or region.empty or not region.contains(at):
        return None
    return QPointF(
        (at.x - region.x + 0.5) * size.width() / region.width,
        (at.y - region.y + 0.5) * size.height() / region.height,
    )


def crop_around(place: QPointF | None, size: QSize, aspect: float) -> QRect:
    """The rectangle of a picture of `size` around `place`, with this aspect ratio; all of it when place is None."""
    if place is None:
        return QRect(0, 0, size.width(), size.height())
    width = min(size.width(), size.height() * aspect) * NEAR
    height = width / aspect
    left = min(max(0.0, place.x() - width / 2), size.width() - width)
    top = min(max(0.0, place.y() - height / 2), size.height() - height)
    return QRect(round(left), round(top), max(1, round(width)), max(1, round(height)))


def draw_mark(painter: QPainter, theme: Theme, place: QPointF, radius: float, cross: bool) -> None:
    """Draw a ring around `place` in two colours, visible on any background; `cross` adds four ticks outside it."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for color, width in (("on_bubble", radius * 0.13 + 2.2), ("stop", radius * 0.06 + 1.2)):
        painter.setPen(QPen(theme.color(color, 0.9), width))
        painter.drawEllipse(place, radius, radius)
        if cross:
            for way in (QPointF(1, 0), QPointF(-1, 0), QPointF(0, 1), QPointF(0, -1)):
                painter.drawLine(place + way * radius * 1.2, place + way * radius * 1.65)


class Thumbnail(QWidget):
    """Shows the screen before an action, cropped around the point acted on."""

    SIZE = QSize(48, 32)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._shown: tuple[Shot | None, Point | None] = (None, None)
        self._image = QImage()
        self._mark: QPointF | None = None
        self.setFixedSize(self.SIZE)

    def show_shot(self, shot: Shot | None, at: Point | None) -> None:
        """Show a picture with the screen point `at` marked; an empty frame for None."""
        if shot is self._shown[0] and at == self._shown[1]:
            return
        self._shown = (shot, at)
        self._image, self._mark = QImage(), None
        if shot is not None:
            self._load(shot, at)
        self.update()

    def _load(self, shot: Shot, at: Point | None) -> None:
        whole = picture_size(shot.jpeg)
        if whole.isEmpty():
            return
        place = to_picture_point(shot.region, at, whole)
        clip = crop_around(place, whole, self.width() / self.height())
        ratio = self.devicePixelRatioF()
        size = QSize(round(self.width() * ratio), round(self.height() * ratio))
        if place is None:
            size = whole.scaled(size, Qt.AspectRatioMode.KeepAspectRatioByExpanding)
        self._image = decode(shot.jpeg, size, clip)
        if place is not None:
            scale = self.width() / clip.width()
            self._mark = QPointF((place.x() - clip.x()) * scale, (place.y() - clip.y()) * scale)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        area = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        frame = QPainterPath()
        frame.addRoundedRect(area, 4, 4)
        painter.setClipPath(frame)
        painter.fillRect(area, self._theme.color("window"))
        if self._image.isNull():
            icon = self._theme.icon("picture", "soft", 16, self.devicePixelRatioF())
            painter.drawPixmap(self.width() // 2 - 8, self.height() // 2 - 8, icon)
        else:
            painter.drawImage(area, self._image)
        if self._mark is not None:
            draw_mark(painter, self._theme, self._mark, 5, cross=False)
        painter.setClipping(False)
        painter.setPen(QPen(self._theme.color("line"), 1))
        painter.drawPath(frame)
        painter.end()


class ApprovalPicture(QWidget):
    """Shows a picture as large as there is room, with a point of it marked."""

    TALLEST = 190
    ZOOMS = True
    """Whether a picture with a marked point is enlarged until it can be read there."""
    MARK = 28
    """Radius of the mark at most."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._jpeg = b""
        self._at: Point | None = None
        self._whole = QSize()
        self._image = QImage()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Picture of the place"))

    def show_picture(self, jpeg: bytes, at: Point | None) -> None:
        """Show a JPEG with its pixel `at` marked."""
        self._jpeg, self._at = jpeg, at
        self._whole, self._image = picture_size(jpeg), QImage()
        self.update()

    @property
    def empty(self) -> bool:
        """True when there is no picture to show."""
        return self._whole.isEmpty()

    def wanted(self, width: int) -> int:
        """The height in pixels to show all of it at `width`, at most TALLEST."""
        if self.empty:
            return 0
        return min(self.TALLEST, round(width * self._whole.height() / self._whole.width()))

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.empty or self.height() < 8:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        frame = QPainterPath()
        frame.addRoundedRect(area, 6, 6)
        painter.setClipPath(frame)
        painter.fillRect(area, self._theme.color("window"))
        self._paint_image(painter)
        painter.setClipping(False)
        painter.setPen(QPen(self._theme.color("line"), 1))
        painter.drawPath(frame)
        painter.end()

    def _paint_image(self, painter: QPainter) -> None:
        """Paint the picture scaled to fill the area, cropped so that the marked point stays visible."""
        scale = max(self.width() / self._whole.width(), self.height() / self._whole.height())
        if self._at is not None and self.ZOOMS:
            scale = max(scale, READABLE)
        ratio = self.devicePixelRatioF()
        shown = QSize(round(self._whole.width() * scale * ratio), round(self._whole.height() * scale * ratio))
        if self._image.size() != shown:
            self._image = decode(self._jpeg, shown)
            self._image.setDevicePixelRatio(ratio)
        wide, high = self._whole.width() * scale, self._whole.height() * scale
        at = self._at
        x, y = ((at.x + 0.5) * scale, (at.y + 0.5) * scale) if at else (wide / 2, high / 2)
        left = min(max(0.0, x - self.width() / 2), wide - self.width())
        top = min(max(0.0, y - self.height() / 2), high - self.height())
        painter.drawImage(QPointF(-left, -top), self._image)
        if at is not None:
            draw_mark(
                painter,
                self._theme,
                QPointF(x - left, y - top),
                min(self.MARK, self.height() / 5),
                cross=True,
            )
