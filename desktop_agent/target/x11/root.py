"""The root window of an embedded display: its background, and waiting for the window manager."""

from __future__ import annotations

import select
import time

from xcffib.xproto import CW, EventMask

from desktop_agent.protocol.errors import TargetError
from desktop_agent.target.x11.connection import Display, speaking


def paint_background(display: Display, colour: int) -> None:
    """Fill the root window with 0xRRGGBB (Xvfb's visual is 24-bit TrueColor)."""
    with speaking(display.name):
        display.core.ChangeWindowAttributes(display.root, CW.BackPixel, [colour])
        display.core.ClearArea(False, display.root, 0, 0, 0, 0)
        display.sync()


def wait_for_window_manager(display: Display, seconds: float) -> None:
    """Return when a window manager has announced itself (EWMH _NET_SUPPORTING_WM_CHECK)."""
    deadline = time.monotonic() + seconds
    with speaking(display.name):
        display.core.ChangeWindowAttributes(display.root, CW.EventMask, [EventMask.PropertyChange])
        while not display.numbers(display.root, "_NET_SUPPORTING_WM_CHECK"):
            left = deadline - time.monotonic()
            if left <= 0:
                raise TargetError("The window manager did not start.", "Try `openbox` by hand.")
            if not _pending(display):
                select.select([display.connection.get_file_descriptor()], [], [], left)


def _pending(display: Display) -> bool:
    """Take the events that have come; True when there were any."""
    found = False
    while display.connection.poll_for_event() is not None:
        found = True
    return found
