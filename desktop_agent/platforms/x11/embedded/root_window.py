"""Sets up a new embedded display: background, free keycodes, waiting for the window manager."""

from __future__ import annotations

import select
import time

from xcffib.xproto import CW, EventMask, WindowClass

from desktop_agent.platforms.x11.connection import Display, display_errors
from desktop_agent.platforms.x11.windows.ewmh import client_message
from desktop_agent.protocol.errors import TargetError

FREE_FIRST, FREE_COUNT = 208, 48
ASK_AGAIN_SECONDS = 0.004


def paint_background(display: Display, colour: int) -> None:
    """Fill the root window with 0xRRGGBB (Xvfb's visual is 24-bit TrueColor)."""
    with display_errors(display.name):
        display.core.ChangeWindowAttributes(display.root, CW.BackPixel, [colour])
        display.core.ClearArea(False, display.root, 0, 0, 0, 0)
        display.sync()


def free_key_codes(display: Display) -> None:
    """Unmap keycodes 208 to 255, so that typing can map characters of no key onto them (see input/spare_keycodes).

    In the evdev key map (xkeyboard-config, keycodes/evdev) they are launch and media buttons that no keyboard here
    has. They are adjacent, so that many new characters take one change of the map.
    """
    with display_errors(display.name):
        display.core.ChangeKeyboardMapping(FREE_COUNT, FREE_FIRST, 1, [0] * FREE_COUNT)
        display.sync()


def wait_for_window_manager(display: Display, seconds: float) -> None:
    """Wait until a window manager answers a request (EWMH _NET_REQUEST_FRAME_EXTENTS). Raises TargetError in vain.

    It announces itself earlier, but may still lose requests then: xterm would wait 5 s for it.
    """
    deadline = time.monotonic() + seconds
    with display_errors(display.name):
        window = display.connection.generate_id()
        mask, values = CW.EventMask, [EventMask.PropertyChange]
        display.core.CreateWindow(
            0, window, display.root, 0, 0, 1, 1, 0, WindowClass.InputOutput, 0, mask, values
        )
        while not display.numbers(window, "_NET_FRAME_EXTENTS"):
            if time.monotonic() > deadline:
                raise TargetError("The window manager did not start.", "Try `openbox` by hand.")
            _ask_for_frame(display, window)
            _wait_for_events(display, ASK_AGAIN_SECONDS)
        display.core.DestroyWindow(window)
        display.sync()


def _ask_for_frame(display: Display, window: int) -> None:
    mask = EventMask.SubstructureNotify | EventMask.SubstructureRedirect
    message = client_message(window, display.atom("_NET_REQUEST_FRAME_EXTENTS"))
    display.core.SendEvent(False, display.root, mask, message)
    display.flush()


def _wait_for_events(display: Display, seconds: float) -> None:
    """Wait at most so many seconds for an event, then discard all that have arrived."""
    if display.connection.poll_for_event() is None:
        select.select([display.connection.get_file_descriptor()], [], [], seconds)
    while display.connection.poll_for_event() is not None:
        pass
