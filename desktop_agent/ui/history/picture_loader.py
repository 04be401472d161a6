"""Reads and decodes pictures of a run in the background: those that are wanted now, the newest wish first."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QObject, QSize, Qt, Signal
from PySide6.QtGui import QImage, QImageReader

from desktop_agent.history.run_picture_files import picture_bytes
from desktop_agent.history.run_story import StoryPicture
from desktop_agent.ui.background_work import BackgroundWork

KEPT = 24
"""Decoded pictures that are kept."""


class PictureLoader(QObject):
    """Signal: `loaded(number, QImage)`; a null image for a picture that is not there or cannot be read."""

    loaded = Signal(int, QImage)

    def __init__(self, run: Path, pictures: Sequence[StoryPicture], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._run, self._pictures = run, pictures
        self._background = BackgroundWork(self, threads=1)
        self._wanted: list[int] = []
        self._coming = -1
        self._size = QSize()
        self._kept: OrderedDict[int, QImage] = OrderedDict()

    def want(self, numbers: Sequence[int], size: QSize) -> QImage | None:
        """Load these, the first one first, no larger than `size`; returns the first where it is there already."""
        if size != self._size:
            self._size, self._coming = size, -1
            self._kept.clear()
        self._wanted = [
            each for each in numbers if 0 <= each < len(self._pictures) and each not in self._kept
        ]
        if self._coming < 0:
            self._load_next()
        return self._kept.get(numbers[0]) if numbers else None

    def close(self) -> None:
        """Nothing is told afterwards."""
        self._background.close()

    def _load_next(self) -> None:
        self._coming = self._wanted.pop(0) if self._wanted else -1
        if self._coming >= 0:
            load = partial(_load, self._run, self._pictures[self._coming], self._size)
            keep = partial(self._keep, self._coming, self._size)
            self._background.run(load, keep, lambda *_: keep(QImage()))

    def _keep(self, number: int, size: QSize, image: QImage) -> None:
        if size != self._size:
            return
        self._kept[number] = image
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        if number in self._wanted:
            self._wanted.remove(number)
        self._load_next()
        self.loaded.emit(number, image)


def _load(run: Path, picture: StoryPicture, size: QSize) -> QImage:
    return decoded(picture_bytes(run, picture), size)


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
