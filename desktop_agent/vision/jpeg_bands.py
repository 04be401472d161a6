"""A JPEG made of bands that were encoded apart: of a changed picture only what changed is encoded again.

Restart markers (ITU-T T.81, B.2.4.4 and E.1.4) cut a scan into intervals that do not depend on one
another. Each band is one interval: its scan is taken out of a picture of its own and joined with the
others under one header. The bands must share size, tables and sampling, and be 8 rows high or a
multiple of it (but the last).
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

BLOCK = 8  # rows of one row of blocks without chroma subsampling
_START_OF_FRAME, _START_OF_SCAN = 0xC0, 0xDA
_RESTART, _END = 0xD0, b"\xff\xd9"


def joined(bands: Sequence[bytes], height: int) -> bytes:
    """One baseline JPEG of `height` rows out of JPEGs that stand below one another, each with one restart interval."""
    head = _split(bands[0])[0]
    parts = [_with_height(head, height)]
    for number, band in enumerate(bands):
        if number:
            parts.append(bytes((0xFF, _RESTART + (number - 1) % 8)))
        parts.append(_split(band)[1])
    return b"".join((*parts, _END))


def _split(picture: bytes) -> tuple[bytes, bytes]:
    """Everything up to the scan's data, and the data."""
    at = 2
    while True:
        kind, length = struct.unpack_from(">xBH", picture, at)
        at += 2 + length
        if kind == _START_OF_SCAN:
            return picture[:at], picture[at : -len(_END)]


def _with_height(head: bytes, height: int) -> bytes:
    """Marker, length, precision, then the height (T.81, B.2.2)."""
    at = 2
    while True:
        kind, length = struct.unpack_from(">xBH", head, at)
        if kind == _START_OF_FRAME:
            return head[: at + 5] + struct.pack(">H", height) + head[at + 7 :]
        at += 2 + length
