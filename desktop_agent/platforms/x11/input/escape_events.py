"""Receives ESC key presses on the injecting connection, ordered with the injected events.

X sends the replies and events of a connection in the order in which they occurred. So after any round
trip of this connection every ESC pressed before has arrived, however late this process is scheduled.
Raw events (XInput 2.1) arrive even while another client has grabbed the keyboard.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Collection
from typing import Any

import xcffib
import xcffib.xinput
from xcffib.ffi import ffi

from desktop_agent.platforms.x11.connection import Display

GENERIC_EVENT = 35
RAW_KEY_PRESS = 13
# xXIRawEvent of XI2proto.h: type, extension, sequence, length, evtype, deviceid, time, detail, sourceid.
_RAW = struct.Struct("=BBHIHHIIH")


class EscapePresses:
    """Collects the presses of the keycodes that `codes()` returns; without XInput 2.1 always none."""

    def __init__(self, display: Display, codes: Callable[[], Collection[int]]) -> None:
        self._display, self._codes = display, codes
        self._seen: list[bool] = []
        self._opcode = 0
        self._own_devices: frozenset[int] = frozenset()
        name = xcffib.xinput.key.name
        extension = display.core.QueryExtension(len(name), name).reply()
        if extension.present:
            self._select(extension.major_opcode)

    def _select(self, opcode: int) -> None:
        xinput: Any = xcffib.xinput
        requests = self._display.connection(xinput.key)
        version = requests.XIQueryVersion(2, 2).reply()
        if (version.major_version, version.minor_version) < (2, 1):
            return
        infos = requests.XIQueryDevice(xinput.Device.All).reply().infos
        self._own_devices = frozenset(info.deviceid for info in infos if "XTEST" in info.name.to_string())
        mask = xinput.EventMask.synthetic(xinput.Device.AllMaster, 1, [xinput.XIEventMask.RawKeyPress])
        requests.XISelectEvents(self._display.root, 1, [mask], is_checked=True).check()
        self._opcode = opcode
        self._display.divert = self._divert

    def taken(self) -> list[bool]:
        """The presses since the last call, in order: true for each injected through XTEST."""
        self._display.gather()
        seen, self._seen = self._seen, []
        return seen

    def _divert(self, event: Any) -> bool:
        """Consume raw key presses. Works on the raw bytes for speed: every typed key passes here, too."""
        if event.response_type & 0x7F != GENERIC_EVENT:
            return False
        _, opcode, _, _, evtype, _, _, detail, source = _RAW.unpack(ffi.buffer(event, _RAW.size))
        if opcode != self._opcode or evtype != RAW_KEY_PRESS:
            return False
        if detail in self._codes():
            self._seen.append(source in self._own_devices)
        return True
