"""Encodes a series of frames for a model, encoding only the bands that changed since the last one (JPEG with restart markers)."""

from __future__ import annotations

import re
import struct
import threading
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

from desktop_agent.protocol.geometry import Size
from desktop_agent.vision.capture.frame import BYTES, Frame, changed_rows
from desktop_agent.vision.encoding.encode import encode, jpeg, rgbx_pixels

BLOCK = 16  # rows of a row of blocks, with colours sampled at every second row and column
_START_OF_FRAME, _START_OF_SCAN = 0xC0, 0xDA
_RESTART, _END = 0xD0, b"\xff\xd9"
_ANY_RESTART = re.compile(rb"\xff[\xd0-\xd7]")  # within the data of an interval a zero follows each 0xff


BAND = 4 * BLOCK  # rows of the picture that are encoded together
WORTH_SPLITTING = 4  # bands


@dataclass(frozen=True)
class _Made:
    """The last picture and its source: the frame, the scaled pixels, and the encoded data of each band."""

    frame: Frame
    size: Size
    form: str
    data: bytes
    pixels: bytes = b""
    bands: tuple[bytes, ...] = ()


class IncrementalEncoder:
    """Encodes frame after frame and reuses the unchanged bands of the last one. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._made: _Made | None = None

    def encode(self, frame: Frame, size: Size, form: str = "jpeg") -> bytes:
        """The same bytes as `encode.encode`; the very object of the last call when nothing has changed."""
        with self._lock:
            before = self._made
            if before is not None and (before.size, before.form) != (size, form):
                before = None
            if before is not None and _equal(before.frame, frame):
                return before.data
            if form == "jpeg":
                self._made = _in_bands(frame, size, before)
            else:
                self._made = _Made(frame, size, form, encode(frame, size, form))
            return self._made.data


def _equal(one: Frame, other: Frame) -> bool:
    return one.size == other.size and one.pixels == other.pixels


def _in_bands(frame: Frame, size: Size, before: _Made | None) -> _Made:
    pixels = rgbx_pixels(frame, size)
    head = b""
    new: dict[int, bytes] = {}
    pieces = [piece for run in _new(pixels, size, before) for piece in _cut(*run)]
    for (first, _), piece in zip(pieces, _encoded(pixels, size, pieces), strict=True):
        head, intervals = split(piece)
        new.update(enumerate(intervals, first))
    if before is not None and not new:  # the change is lost at this size
        return _Made(frame, size, "jpeg", before.data, pixels, before.bands)
    old = before.bands if before is not None else ()
    bands = tuple(new[i] if i in new else old[i] for i in range(-(-size.height // BAND)))
    return _Made(frame, size, "jpeg", joined(head, bands, size.height), pixels, bands)


def _new(pixels: bytes, size: Size, before: _Made | None) -> Iterator[tuple[int, int]]:
    """The bands that changed, as runs of neighbours (first, end exclusive)."""
    count = -(-size.height // BAND)
    if before is None:
        yield 0, count
        return
    rows = changed_rows(before.pixels, pixels, size.width)
    changed = [i for i in range(count) if rows[i * BAND : (i + 1) * BAND].any()]
    for _, run in groupby(enumerate(changed), lambda each: each[1] - each[0]):
        neighbours = [band for _, band in run]
        yield neighbours[0], neighbours[-1] + 1


def _cut(first: int, end: int) -> Iterator[tuple[int, int]]:
    """The run of bands in one piece, or in two when that is worth a second processor core."""
    middle = (first + end) // 2 if end - first >= WORTH_SPLITTING else end
    yield first, middle
    if middle < end:
        yield middle, end


def _encoded(pixels: bytes, size: Size, pieces: Sequence[tuple[int, int]]) -> list[bytes]:
    """Each piece of bands (first, end exclusive) encoded as a JPEG of its own."""

    def encoded(piece: tuple[int, int]) -> bytes:
        top, bottom = piece[0] * BAND, min(piece[1] * BAND, size.height)
        stride = size.width * BYTES
        part = memoryview(pixels)[top * stride : bottom * stride]
        return jpeg(part, Size(size.width, bottom - top), BAND // BLOCK)

    if len(pieces) < 2:
        return [encoded(piece) for piece in pieces]
    return list(_workers().map(encoded, pieces))


@lru_cache(maxsize=1)
def _workers() -> ThreadPoolExecutor:
    """Two threads, which encode in parallel: Pillow releases the GIL while it encodes."""
    return ThreadPoolExecutor(2, "encode")


# Restart markers (ITU-T T.81, B.2.4.4 and E.1.4) cut the data of a baseline JPEG into intervals that do
# not depend on one another: here one for each band of rows.
def split(picture: bytes) -> tuple[bytes, list[bytes]]:
    """The header of a JPEG (up to and including start of scan), and the data of each restart interval."""
    at = 2
    while True:
        kind, length = struct.unpack_from(">xBH", picture, at)
        at += 2 + length
        if kind == _START_OF_SCAN:
            return picture[:at], _ANY_RESTART.split(picture[at : -len(_END)])


def joined(head: bytes, intervals: Iterable[bytes], height: int) -> bytes:
    """A JPEG of `height` rows made of intervals; all come from pictures whose headers differ in the height alone."""
    parts = [_with_height(head, height)]
    for number, interval in enumerate(intervals):
        if number:
            parts.append(bytes((0xFF, _RESTART + (number - 1) % 8)))
        parts.append(interval)
    return b"".join((*parts, _END))


def _with_height(head: bytes, height: int) -> bytes:
    """The header with another height: in the frame header it follows marker, length and precision (T.81, B.2.2)."""
    at = 2
    while True:
        kind, length = struct.unpack_from(">xBH", head, at)
        if kind == _START_OF_FRAME:
            return head[: at + 5] + struct.pack(">H", height) + head[at + 7 :]
        at += 2 + length
