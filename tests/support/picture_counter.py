"""Counts every picture that anybody takes of a display, from outside: the X server tells each request (RECORD extension).

A process of its own: one line on standard output is a number for each line on standard input, how many requests
GetImage and ShmGetImage (of any client) it has seen by then; its end is that of standard input.
"""

from __future__ import annotations

import struct
import sys
import threading
from typing import Any

import xcffib
import xcffib.record
import xcffib.shm
from xcffib.ffi import ffi

GET_IMAGE = 73
SHM_GET_IMAGE = 4
_ALL_CLIENTS = 3
_FROM_CLIENT, _BEGINS = 1, 4


class PictureCounter:
    """Watches on two connections: RECORD wants one that does nothing else."""

    def __init__(self) -> None:
        self._control: Any
        self._data: Any
        self._control = xcffib.Connection()  # type: ignore[no-untyped-call]
        self._data = xcffib.Connection()  # type: ignore[no-untyped-call]
        shm = xcffib.shm.key
        major = self._control.core.QueryExtension(len(shm.name), shm.name).reply().major_opcode
        record = self._control(xcffib.record.key)
        record.QueryVersion(1, 13).reply()
        self._context = self._control.generate_id()
        record.CreateContext(
            self._context, 0, 1, 1, [_ALL_CLIENTS], [_ranges(major)], is_checked=True
        ).check()
        self.count = 0
        self._shm = major
        self._begun = threading.Event()
        threading.Thread(target=self._run, name="record", daemon=True).start()
        self._begun.wait()

    def _run(self) -> None:
        cookie = self._data(xcffib.record.key).EnableContext(self._context)
        while True:
            reply = self._data.wait_for_reply(cookie.sequence)
            raw = bytes(ffi.buffer(reply.cdata, 32))
            category, length = raw[1], struct.unpack_from("=I", raw, 4)[0]
            data = bytes(ffi.buffer(reply.cdata, 32 + 4 * length))[32:]
            if category == _BEGINS:
                self._begun.set()
            elif category == _FROM_CLIENT:
                self._take(data)

    def _take(self, data: bytes) -> None:
        """Requests one after the other, each with its length in words in its head."""
        while len(data) >= 4:
            major, minor, words = struct.unpack_from("=BBH", data)
            self.count += major == GET_IMAGE or (major == self._shm and minor == SHM_GET_IMAGE)
            data = data[max(words, 1) * 4 :]

    def synced(self) -> int:
        """The count once everything that the server had taken before is in it: a picture of our own marks the place."""
        before = self.count
        root = self._control.get_setup().roots[0].root
        self._control.core.GetImage(2, root, 0, 0, 1, 1, 0xFFFFFFFF).reply()
        while self.count == before:
            threading.Event().wait(0.001)
        return self.count


def _ranges(shm: int) -> Any:
    """What is recorded: the two kinds of requests, and nothing else."""
    make: Any = xcffib.record.Range.synthetic
    none, no_minor = (0, 0), (0, 0)
    images = ((shm, shm), (SHM_GET_IMAGE, SHM_GET_IMAGE))
    return make((GET_IMAGE, GET_IMAGE), none, images, ((0, 0), no_minor), none, none, none, False, False)


def main() -> int:
    counter = PictureCounter()
    for own, _ in enumerate(sys.stdin, start=1):
        print(counter.synced() - own, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
