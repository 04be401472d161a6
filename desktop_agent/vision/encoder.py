"""Pictures for a model, made anew only where the screen has changed since the last one.

A JPEG is made in bands (vision/jpeg_bands.py), each scaled and encoded on its own, several at a time
and only where a row of it is new; a picture of the same pixels is the same bytes object.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache

from desktop_agent.protocol.geometry import Size
from desktop_agent.vision.encode import encode, jpeg_interval
from desktop_agent.vision.frame import Frame
from desktop_agent.vision.jpeg_bands import BLOCK, joined
from desktop_agent.vision.rows import BYTES, changed_rows

BAND = 64  # rows of the picture: a whole number of blocks


@dataclass(frozen=True)
class _Made:
    """The last picture and what it was made of."""

    frame: Frame
    size: Size
    form: str
    data: bytes
    bands: tuple[bytes, ...] = ()

    def fits(self, frame: Frame, size: Size, form: str) -> bool:
        return (self.frame.size, self.size, self.form) == (frame.size, size, form)


class Encoder:
    """Encodes the pictures of one series of looks; remembers the last. For several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._made: _Made | None = None

    def encode(self, frame: Frame, size: Size, form: str = "jpeg") -> bytes:
        """As `encode.encode`; the same object as last time when nothing has changed."""
        with self._lock:
            made = self._made
        before = made if made is not None and made.fits(frame, size, form) else None
        if before is not None and before.frame.pixels == frame.pixels:
            return before.data
        now = (
            _banded(frame, size, before)
            if form == "jpeg"
            else _Made(frame, size, form, encode(frame, size, form))
        )
        with self._lock:
            self._made = now
        return now.data


def _banded(frame: Frame, size: Size, before: _Made | None) -> _Made:
    rows = list(_rows(frame.size.height, size.height))
    old = before.bands if before is not None else ()
    new = changed_rows(before.frame.pixels, frame.pixels, frame.size.width) if before is not None else None
    wanted = [i for i, (top, end, _) in enumerate(rows) if new is None or new[top:end].any()]
    made = dict(
        zip(wanted, _workers().map(lambda i: _band(frame, size.width, *rows[i]), wanted), strict=True)
    )
    bands = tuple(made[i] if i in made else old[i] for i in range(len(rows)))
    return _Made(frame, size, "jpeg", joined(bands, size.height), bands)


def _rows(source: int, target: int) -> Iterator[tuple[int, int, int]]:
    """For each band the rows of the frame it shows (first, end) and its own height.

    Bands begin at whole rows of the frame, so that each row is in one band: a line of the picture is
    then at most half a row of the frame from where it would be without bands.
    """
    for top in range(0, target, BAND):
        end = min(top + BAND, target)
        yield (
            (2 * top * source + target) // (2 * target),
            (2 * end * source + target) // (2 * target),
            end - top,
        )


def _band(frame: Frame, width: int, top: int, end: int, height: int) -> bytes:
    stride = frame.size.width * BYTES
    pixels = memoryview(frame.pixels)[top * stride : end * stride]
    source, size = Size(frame.size.width, end - top), Size(width, height)
    return jpeg_interval(pixels, source, size, BAND // BLOCK)


@lru_cache(maxsize=1)
def _workers() -> ThreadPoolExecutor:
    """Scaling and encoding let other threads run meanwhile."""
    return ThreadPoolExecutor(min(4, os.cpu_count() or 1), "encode")
