"""XInput2: selects raw events, reads them with the axes that moved, and knows the devices that XTEST injects with.

Raw events come also while another client has grabbed the device (protocol 2.1 and later). They are read
straight from libxcb, not through xcffib's own classes: those take the mask of an event's axes for their
number, and read beyond the event.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from enum import IntEnum
from typing import Any, NamedTuple

import xcffib
import xcffib.xinput
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


class Devices(IntEnum):
    """Numbers that stand for many devices in a selection."""

    ALL = 0
    ALL_MASTERS = 1


class XInputMissing(xcffib.XcffibException):
    """The server's XInput is too old to tell raw events."""


class XInput:
    """The extension's requests on a connection. Raises XInputMissing where it is older than 2.`minor`."""

    def __init__(self, connection: Any, minor: int) -> None:
        self._requests: Any = connection(xcffib.xinput.key)
        version = self._requests.XIQueryVersion(2, 2).reply()
        if (version.major_version, version.minor_version) < (2, minor):
            raise XInputMissing(f"XInput 2.{minor} is needed")
        self._root = connection.get_setup().roots[connection.pref_screen].root

    def select(self, wanted: Mapping[Devices, tuple[Kind, ...]]) -> None:
        """Have these events of these devices come on this connection."""
        event_mask: Any = xcffib.xinput.EventMask
        masks = [
            event_mask.synthetic(devices, 1, [sum(1 << kind for kind in kinds)])
            for devices, kinds in wanted.items()
        ]
        self._requests.XISelectEvents(self._root, len(masks), masks, is_checked=True).check()

    def devices(self) -> list[Any]:
        """Every device as XIQueryDevice tells of it."""
        return list(self._requests.XIQueryDevice(Devices.ALL).reply().infos)


def injecting(devices: list[Any]) -> frozenset[int]:
    """The numbers of those devices that XTEST injects with."""
    return frozenset(info.deviceid for info in devices if "XTEST" in info.name.to_string())


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
        return read_event(event)
    finally:
        xcffib.c_free(event)


def head(event: Any) -> tuple[int, int, int, int]:
    """Extension, kind, detail and source of an event (a pointer to xcb_generic_event_t); zeros of one of the core's."""
    if event.response_type & 0x7F != _GENERIC:
        return 0, 0, 0, 0
    _, opcode, _, _, number, _, _, detail, source, _, _ = _HEAD.unpack(ffi.buffer(event, _HEAD.size))
    return opcode, number, detail, source


def read_event(event: Any) -> Raw:
    """All of an event (a pointer to xcb_generic_event_t); the kind is 0 of one of the core's."""
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
