"""Reads the scene of an X display (window stacking, focus, pointer) and the pixels of small areas."""

from __future__ import annotations

from xcffib.ffi import ffi
from xcffib.xproto import ImageFormat

from desktop_agent.platforms.x11.connection import Display
from desktop_agent.platforms.x11.hints.pixels_beneath import PixelsBeneath
from desktop_agent.platforms.x11.windows.ewmh import EwmhWindows
from desktop_agent.platforms.x11.windows.stacking import StackingOrder
from desktop_agent.protocol.errors import TargetError
from desktop_agent.protocol.geometry import Point, Rect
from desktop_agent.protocol.scene import Scene

ALL_PLANES = 0xFFFFFFFF
HEADER_BYTES = 32  # of every reply of the X protocol
BYTES = 4


class SceneReader:
    """Queries one display. Windows are children of the root by X id; the root stands for the bare desktop."""

    def __init__(self, display: Display, windows: EwmhWindows) -> None:
        self._display, self._windows = display, windows
        self._arrangement = StackingOrder(display, windows)
        self._beneath = PixelsBeneath(display, windows)

    def read(self) -> Scene:
        """The current stacking of the windows that take clicks, the focus and the pointer."""
        pointer = self._display.core.QueryPointer(self._display.root).reply()
        focus = self.focus_window()
        return Scene(self._arrangement.stack(), focus, Point(pointer.root_x, pointer.root_y))

    def window_at(self, point: Point) -> int:
        """The child of the root under a point; the root itself on the bare desktop."""
        return self._windows.top_at(point) or self._display.root

    def focus_window(self) -> int:
        """The child of the root that has or contains the keyboard focus; 0 for none."""
        return self._windows.top_with_focus()

    def pixels(self, area: Rect, hints_of: int = 0) -> bytes:
        """The pixels of an area, 4 bytes each, beneath the hints of that process. Raises TargetError for a display with fewer bytes a pixel."""
        place = (area.x, area.y, area.width, area.height)
        core = self._display.core
        owner = self._beneath.ask_owner()
        cookie = core.GetImage(ImageFormat.ZPixmap, self._display.root, *place, ALL_PLANES)
        # Read from the raw bytes: xcffib's typed reply would be a list with one number per byte.
        reply = self._display.connection.wait_for_reply(cookie.sequence)
        count = area.width * area.height * BYTES
        raw = bytes(ffi.buffer(reply.cdata, HEADER_BYTES + count))
        if int.from_bytes(raw[4:8], "little") * BYTES != count:
            raise TargetError(
                f"The X display {self._display.name} has few colours.", "Start it with a depth of 24."
            )
        hints = owner.reply().owner
        if hints and self._beneath.belongs_to(hints_of, hints):
            return bytes(self._beneath.read([area], hints)[0])
        return raw[HEADER_BYTES:]
