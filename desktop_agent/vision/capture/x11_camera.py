"""Opens a camera on an X display: mss where it can, else plain GetImage requests.

mss's XCB backends refuse some servers (Xvnc). Its Xlib backend would take them, but Xlib ends the whole process when
its display vanishes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import xcffib
import xcffib.xproto
from xcffib.ffi import ffi
from xcffib.xproto import ImageFormat

from desktop_agent.platforms.x11.connection import authority
from desktop_agent.platforms.x11.hint_surface import X11HintSurface
from desktop_agent.protocol.errors import TargetError
from desktop_agent.protocol.geometry import Rect
from desktop_agent.vision.capture.capture import Camera, MssCamera

ALL_PLANES = 0xFFFFFFFF
HEADER_BYTES = 32  # of every reply of the X protocol
BYTES = 4


def x11_camera(environment: Mapping[str, str]) -> Camera:
    """A camera on the display that `environment` names. Raises TargetError when the display cannot be captured."""
    try:
        with authority(environment) as display:
            return MssCamera(display)
    except TargetError:
        return XcbCamera(environment)


class CameraWithoutHints:
    """Grabs the screen as it is beneath the hints of this process. Raises TargetError."""

    def __init__(self, camera: Camera, hints: X11HintSurface) -> None:
        self._camera, self._hints = camera, hints

    def grab(self, region: Rect) -> bytearray:
        return self._hints.without(self._camera.grab, region)

    def close(self) -> None:
        self._camera.close()


class XcbCamera:
    """Grabs with GetImage on a connection of its own. Raises TargetError for a display that is gone or not 32-bit."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        with authority(environment) as display:
            try:
                self._connection: Any = xcffib.Connection(display=display)  # type: ignore[no-untyped-call]
            except xcffib.XcffibException as error:
                raise TargetError(f"The X display {display} cannot be reached.") from error
        setup = self._connection.get_setup()
        screen = setup.roots[self._connection.pref_screen]
        depths = {form.depth: form.bits_per_pixel for form in setup.pixmap_formats}
        if depths[screen.root_depth] != BYTES * 8:
            self.close()
            raise TargetError(
                f"The X display {display} has only {screen.root_depth} bits of colour.",
                "Start it with a depth of 24.",
            )
        self._root: int = screen.root

    def grab(self, region: Rect) -> bytearray:
        """The pixels of a region, 4 bytes each, rows without padding. Raises TargetError."""
        place = (region.x, region.y, region.width, region.height)
        try:
            cookie = self._connection.core.GetImage(ImageFormat.ZPixmap, self._root, *place, ALL_PLANES)
            # The typed reply would make a list of one number per byte.
            reply = self._connection.wait_for_reply(cookie.sequence)
        except xcffib.XcffibException as error:
            raise TargetError(f"The screen could not be captured: {error!r}") from error
        count = region.width * region.height * BYTES
        raw = ffi.buffer(reply.cdata, HEADER_BYTES + count)
        return bytearray(raw[HEADER_BYTES:])

    def close(self) -> None:
        self._connection.disconnect()
