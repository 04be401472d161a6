"""The observer's own process: selects raw events, writes each as it comes, and a mark when asked.

First comes one line of JSON, the names of the devices by id, then records of the form FORM. A byte
on standard input asks for a mark: it follows every event the server had processed by then. The
end of standard input ends the process.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import struct
import sys
import time
from typing import Any

import xcffib
import xcffib.xinput
from xcffib.ffi import ffi

FORM = struct.Struct("=QIIHH")
"""monotonic_ns at receipt, X server time in ms, detail, sourceid, kind (XInput2's number, or MARK)."""
MARK = 0
GENERIC_EVENT = 35
# xXIRawEvent of XI2proto.h: type, extension, sequence, length, evtype, deviceid, time, detail, sourceid.
_RAW = struct.Struct("=BBHIHHIIH")
_KINDS = range(13, 18)


class Watch:
    """Raw events of all devices, on a connection of its own."""

    def __init__(self) -> None:
        self._connection: Any = xcffib.Connection()  # type: ignore[no-untyped-call]
        self._xinput = self._connection(xcffib.xinput.key)
        self._xinput.XIQueryVersion(2, 2).reply()
        infos = self._xinput.XIQueryDevice(xcffib.xinput.Device.All).reply().infos
        self.devices = {info.deviceid: info.name.to_string() for info in infos}
        names = ("RawKeyPress", "RawKeyRelease", "RawButtonPress", "RawButtonRelease", "RawMotion")
        xinput: Any = xcffib.xinput
        wanted = sum(getattr(xinput.XIEventMask, name) for name in names)
        mask = xinput.EventMask.synthetic(xinput.Device.AllMaster, 1, [wanted])
        root = self._connection.get_setup().roots[0].root
        self._xinput.XISelectEvents(root, 1, [mask], is_checked=True).check()

    def run(self) -> None:
        """Watch until standard input ends."""
        display = self._connection.get_file_descriptor()
        while True:
            self._drain()
            ready = select.select([display, 0], [], [])[0]
            if 0 in ready:
                asked = os.read(0, 64)
                if not asked:
                    return
                self._connection.core.GetInputFocus().reply()
                self._drain()
                _write(FORM.pack(time.monotonic_ns(), 0, 0, 0, MARK) * len(asked))

    def _drain(self) -> None:
        """Write every event that has come."""
        records = b""
        while (event := self._next()) is not None:
            records += event
        if records:
            _write(records)

    def _next(self) -> bytes | None:
        """The next event as a record; b"" for one of another kind, None when there is none.

        Not through xcffib's own classes: they take the mask of a motion's axes for their number, and read
        beyond the event.
        """
        event = xcffib.lib.xcb_poll_for_event(self._connection._conn)
        self._connection.invalid()
        if event == ffi.NULL:
            return None
        now = time.monotonic_ns()
        head = bytes(ffi.buffer(event, _RAW.size))
        xcffib.c_free(event)
        kind, _, _, _, evtype, _, server_time, detail, sourceid = _RAW.unpack(head)
        if kind & 0x7F != GENERIC_EVENT or evtype not in _KINDS:
            return b""
        return FORM.pack(now, server_time, detail, sourceid, evtype)


def _write(data: bytes) -> None:
    while data:
        data = data[os.write(1, data) :]


def main() -> int:
    with contextlib.suppress(OSError):
        os.nice(-10)  # a clock should not be late on a busy machine
    try:
        watch = Watch()
        _write(json.dumps(watch.devices).encode() + b"\n")
        watch.run()
    except (xcffib.XcffibException, OSError) as error:
        print(f"observer: {type(error).__name__}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
