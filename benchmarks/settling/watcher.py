"""Says when pixels of a display changed: a process of its own, so that it does not slow down what is measured.

Prints a line `seconds x y width height` (monotonic clock) for each change; `ready` first.
"""

from __future__ import annotations

import os
import select
import sys
import time
from typing import Any

import xcffib
import xcffib.damage
from xcffib.ffi import ffi
from xcffib.xproto import ImageFormat

HEADER, BYTES = 32, 4


class Picture:
    """The display's pixels, kept up to date."""

    def __init__(self, connection: Any, root: int, width: int, height: int) -> None:
        import numpy as np

        self._connection, self._root, self._limits = connection, root, (width, height)
        self._pixels = np.zeros((height, width), dtype=np.uint32)
        self.differs(0, 0, width, height)

    def differs(self, x: int, y: int, width: int, height: int) -> tuple[int, int, int, int] | None:
        """The rectangle within which pixels differ from the last time."""
        import numpy as np

        right, bottom = min(x + width, self._limits[0]), min(y + height, self._limits[1])
        x, y = max(x, 0), max(y, 0)
        if right <= x or bottom <= y:
            return None
        core = self._connection.core
        cookie = core.GetImage(ImageFormat.ZPixmap, self._root, x, y, right - x, bottom - y, 0xFFFFFFFF)
        reply = self._connection.wait_for_reply(cookie.sequence)
        raw = bytes(ffi.buffer(reply.cdata, HEADER + (right - x) * (bottom - y) * BYTES))[HEADER:]
        new = np.frombuffer(raw, dtype=np.uint32).reshape(bottom - y, right - x)
        place = np.s_[y:bottom, x:right]
        different = self._pixels[place] != new
        if not different.any():
            return None
        self._pixels[place] = new
        rows, columns = np.flatnonzero(different.any(axis=1)), np.flatnonzero(different.any(axis=0))
        first, last = int(columns[0]), int(columns[-1])
        return x + first, y + int(rows[0]), last - first + 1, int(rows[-1] - rows[0]) + 1


def main() -> None:
    """Until its parent has ended."""
    connection: Any = xcffib.Connection(display=os.environ["DISPLAY"])  # type: ignore[no-untyped-call]
    screen = connection.get_setup().roots[0]
    damages = connection(xcffib.damage.key)
    damages.QueryVersion(1, 1).reply()
    damages.Create(connection.generate_id(), screen.root, xcffib.damage.ReportLevel.RawRectangles)
    picture = Picture(connection, screen.root, screen.width_in_pixels, screen.height_in_pixels)
    print("ready", flush=True)
    parent = os.getppid()
    while os.getppid() == parent:
        event = connection.poll_for_event()
        if event is None:
            connection.flush()
            select.select([connection.get_file_descriptor()], [], [], 0.5)
            continue
        if not isinstance(event, xcffib.damage.NotifyEvent):  # a change of the key map, say
            continue
        now, area = time.monotonic(), event.area
        found = picture.differs(area.x, area.y, area.width, area.height)
        if found is not None:
            print(f"{now:.6f}", *found, flush=True)


if __name__ == "__main__":
    try:
        main()
    except xcffib.XcffibException:  # the display has ended
        sys.exit(0)
