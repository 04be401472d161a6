"""Pictures that the user gives with a goal: decoded and made anew, so that nothing of the file itself is passed on."""

from __future__ import annotations

import base64
from functools import partial
from pathlib import Path

from PySide6.QtCore import (
    QBuffer,
    QByteArray,
    QFile,
    QIODevice,
    QObject,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QImage, QImageReader, QImageWriter, QPainter

from desktop_agent.protocol.chat_messages import PictureBlock
from desktop_agent.protocol.geometry import Size
from desktop_agent.ui.background_work import BackgroundWork

FORMATS = (b"png", b"jpeg", b"webp", b"gif", b"bmp")
SUFFIXES = frozenset({".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp"})
MOST_BYTES, MOST_PIXELS = 30_000_000, 60_000_000
LONGEST_SIDE = 1_568
"""Pixels: larger pictures are scaled down by providers anyway."""
QUALITY = 88


def picture_of(source: Path | QImage) -> PictureBlock | None:
    """A JPEG of the picture, at most LONGEST_SIDE pixels wide and high; None when it is none, or too large."""
    image = _read(source) if isinstance(source, Path) else source
    if image.isNull():
        return None
    if max(image.width(), image.height()) > LONGEST_SIDE:
        image = image.scaled(
            LONGEST_SIDE,
            LONGEST_SIDE,
            Qt.AspectRatioMode.KeepAspectRatio,
            Qt.TransformationMode.SmoothTransformation,
        )
    data = _jpeg(_on_white(image))
    size = Size(image.width(), image.height())
    return PictureBlock("image/jpeg", size, base64.b64encode(data).decode()) if data else None


def jpeg_of(picture: PictureBlock) -> bytes:
    """The picture's bytes."""
    return base64.b64decode(picture.data)


def _read(path: Path) -> QImage:
    file = QFile(str(path))
    if not path.is_file() or not file.open(QIODevice.OpenModeFlag.ReadOnly):  # a device or a pipe never ends
        return QImage()
    data = file.read(MOST_BYTES + 1)
    if data.size() > MOST_BYTES:
        return QImage()
    buffer = QBuffer()
    buffer.setData(data)
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    kind = QImageReader.imageFormat(buffer)  # by the content: a name may say anything
    if bytes(kind.data()) not in FORMATS:
        return QImage()
    reader = QImageReader(buffer, kind)
    reader.setAutoDetectImageFormat(False)
    reader.setAutoTransform(True)  # the only thing that is taken from EXIF
    size = reader.size()
    if size.width() * size.height() > MOST_PIXELS:
        return QImage()
    if max(size.width(), size.height()) > 2 * LONGEST_SIDE:
        reader.setScaledSize(
            size.scaled(QSize(2 * LONGEST_SIDE, 2 * LONGEST_SIDE), Qt.AspectRatioMode.KeepAspectRatio)
        )
    return reader.read()


def _on_white(image: QImage) -> QImage:
    """The bare pixels: a new picture without texts, colour profile or transparency."""
    plain = QImage(image.size(), QImage.Format.Format_RGB32)
    plain.fill(QColor("#ffffff"))
    painter = QPainter(plain)
    painter.drawImage(plain.rect(), image)
    painter.end()
    return plain


def _jpeg(image: QImage) -> bytes:
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QImageWriter(buffer, QByteArray(b"jpeg"))
    writer.setQuality(QUALITY)
    return bytes(data.data()) if writer.write(image) else b""


class PictureWork(QObject):
    """Makes pictures in the background. Signal: `made(token, picture)`, None for what is no picture."""

    made = Signal(int, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._background = BackgroundWork(self)

    def start(self, token: int, source: Path | QImage) -> None:
        """Begin with one picture; `made` tells the same `token`."""
        tell = partial(self.made.emit, token)
        self._background.run(partial(picture_of, source), tell, lambda *_: tell(None))
