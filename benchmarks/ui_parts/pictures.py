"""Made-up pictures of a screen."""

from __future__ import annotations

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QRectF
from PySide6.QtGui import QColor, QImage, QImageWriter, QPainter


def jpeg_of_desktop(width: int = 640, height: int = 360) -> bytes:
    """A JPEG with many small coloured fields."""
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(QColor("#3b6ea5"))
    painter = QPainter(image)
    for n in range(200):
        painter.fillRect(
            QRectF(n * 37 % width, n * 53 % height, 40, 18), QColor.fromHsv(n * 7 % 360, 120, 220)
        )
    painter.end()
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    QImageWriter(buffer, QByteArray(b"jpeg")).write(image)
    return bytes(buffer.data().data())
