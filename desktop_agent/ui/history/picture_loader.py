"""Reads and decodes pictures of a run in a thread: those that are wanted now, the newest wish first."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QObject, QSize, Qt, QThread, Signal
from PySide6.QtGui import QImage, QImageReader

from desktop_agent.history.run_picture_files import picture_bytes
from desktop_agent.history.run_story import StoryPicture

KEPT = 24
"""Decoded pictures that are kept."""


class PictureLoader(QThread):
    """Signal: `loaded(number, QImage)`; a null image for a picture that is not there or cannot be read."""

    loaded = Signal(int, QImage)

    def __init__(self, run: Path, pictures: Sequence[StoryPicture], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._run, self._pictures = run, pictures
        self._changed = threading.Condition()
        self._wanted: list[int] = []
        self._size = QSize()
        self._kept: OrderedDict[int, QImage] = OrderedDict()
        self._over = False

    def want(self, numbers: Sequence[int], size: QSize) -> QImage | None:
        """Load these, the first one first, no larger than `size`; returns the first where it is there already."""
        first = numbers[0] if numbers else -1
        with self._changed:
            if size != self._size:
                self._size = size
                self._kept.clear()
            self._wanted = [
                each for each in numbers if 0 <= each < len(self._pictures) and each not in self._kept
            ]
            self._changed.notify()
            return self._kept.get(first)

    def close(self) -> None:
        """End the thread; nothing is told afterwards."""
        with self._changed:
            self._over = True
            self._changed.notify()
        self.wait()

    def run(self) -> None:
        while True:
            with self._changed:
                while not (self._wanted or self._over):
                    self._changed.wait()
                if self._over:
                    return
                number, size = self._wanted.pop(0), self._size
            image = decoded(picture_bytes(self._run, self._pictures[number]), size)
            self._keep(number, size, image)
            self.loaded.emit(number, image)

    def _keep(self, number: int, size: QSize, image: QImage) -> None:
        with self._changed:
            if size == self._size:
                self._kept[number] = image
                while len(self._kept) > KEPT:
                    self._kept.popitem(last=False)


def decoded(data: bytes, room: QSize) -> QImage:
    """The picture, no larger than `room`; a null image for bytes that are none."""
    if not data or room.isEmpty():
        return QImage()
    buffer = QBuffer()
    buffer.setData(QByteArray(data))
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer, QByteArray(b"png" if data.startswith(b"\x89PNG") else b"jpeg"))
    whole = reader.size()
    if whole.isEmpty():
        return QImage()
    if whole.width() > room.width() or whole.height() > room.height():
        reader.setScaledSize(whole.scaled(room, Qt.AspectRatioMode.KeepAspectRatio))
    return reader.read()
