"""Reads XInput2's raw events, with the axes that moved, straight from libxcb.

Not through xcffib's own classes: they take the mask of an event's axes for their number, and read
beyond the event.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from enum import IntEnum
from typing import Any, NamedTuple

import xcffib
from xcffib.ffi import ffi

# xXIRawEvent of XI2proto.h: type, extension, sequence, length, evtype, deviceid, time, detail,
# sourceid, valuators_len, flags, padding; behind the first 32 bytes libxcb puts four of its own.
_HEAD = struct.Struct("=BBHIHHIIHHI4x4x")
_FIXED = struct.Struct("=iI")
_GENERIC = 35


class Kind(IntEnum):
    """The events' numbers in XInput2."""

    HIERARCHY = 11
    KEY_PRESS = 13
    BUTTON_PRESS = 15
    MOTION = 17
    TOUCH_BEGIN = 22


class Raw(NamedTuple):
    """One event: keycode or button in `detail`, the device it came from, the axes that changed."""

    kind: int
    detail: int
    source: int
    axes: dict[int, float]


def next_event(connection: Any) -> Raw | None:
    """The next event that came, None when there is none. Raises ConnectionException when the display is gone."""
    event = xcffib.lib.xcb_poll_for_event(connection._conn)
    connection.invalid()
    if event == ffi.NULL:
        return None
    try:
        return _read(event)
    finally:
        xcffib.c_free(event)


def _read(event: Any) -> Raw:
    kind, _, _, length, number, _, _, detail, source, words, _ = _HEAD.unpack(ffi.buffer(event, _HEAD.size))
    if kind & 0x7F != _GENERIC:
        return Raw(0, 0, 0, {})
    if number == Kind.HIERARCHY or not words:
        return Raw(number, detail, source, {})
    body = bytes(ffi.buffer(event, _HEAD.size + 4 * length))[_HEAD.size :]
    return Raw(number, detail, source, dict(_axes(body, words)))


def _axes(body: bytes, words: int) -> Iterator[tuple[int, float]]:
    """Numbers and values of the axes: a mask, then an FP3232 for each bit of it."""
    mask = int.from_bytes(body[: 4 * words], "little")
    numbers = (bit for bit in range(32 * words) if mask >> bit & 1)
    for place, number in enumerate(numbers):
        whole, fraction = _FIXED.unpack_from(body, 4 * words + _FIXED.size * place)
        yield number, whole + fraction / 2**32
