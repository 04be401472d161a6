"""Splits and joins a JPEG at its restart markers, so that unchanged bands are reused instead of encoded again.

Restart markers (ITU-T T.81, B.2.4.4 and E.1.4) cut the data of a baseline JPEG into intervals that do
not depend on one another: here one for each band of rows.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable

BLOCK = 16  # rows of a row of blocks, with colours sampled at every second row and column
_START_OF_FRAME, _START_OF_SCAN = 0xC0, 0xDA
_RESTART, _END = 0xD0, b"\xff\xd9"
_ANY_RESTART = re.compile(rb"\xff[\xd0-\xd7]")  # within the data of an interval a zero follows each 0xff


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
