"""Captures frames of a display, with given rectangles painted grey."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Protocol

import mss
from mss.exception import ScreenShotError

from desktop_agent.protocol.errors import OutOfBounds, TargetError
from desktop_agent.protocol.geometry import Geometry, Rect
from desktop_agent.vision.capture.frame import Frame

BYTES = 4
NEUTRAL = b"\x80\x80\x80\x00"


class Camera(Protocol):
    """A connection that grabs pixels of one display."""

    def grab(self, region: Rect) -> bytearray:
        """The region's pixels, 4 bytes each (B, G, R, unused), rows without padding. Raises TargetError."""

    def close(self) -> None: ...


class Capture:
    """Takes frames of one display; opens the camera again when the display's layout has changed."""

    def __init__(self, open_camera: Callable[[], Camera], *, per_thread: bool = False) -> None:
        """`open_camera` connects to the display and raises TargetError when it cannot.

        With `per_thread` a camera is used only on the thread that opened it (Windows: its device context
        ends with the thread, see ReleaseDC in winuser.h).
        """
        self._open_camera, self._per_thread = open_camera, per_thread
        self._camera: Camera | None = None
        self._epoch = self._thread = 0
        self._last: Frame | None = None

    def frame(self, geometry: Geometry, region: Rect | None, hidden: Sequence[Rect]) -> Frame:
        """A frame of the region, or of the whole desktop for None, with `hidden` rectangles (screen pixels) in grey.

        Raises OutOfBounds when the region is not wholly on the desktop, TargetError when the display
        cannot be captured.
        """
        region = region or geometry.bounds
        if region.empty or region.intersection(geometry.bounds) != region:
            raise OutOfBounds(f"The region {region} is not on the screen.", "Take one that is.")
        try:
            pixels = self._ready(geometry.epoch).grab(region)
        except TargetError:
            self.close()
            raise
        taken = time.monotonic()
        frame = Frame(self._shared(paint_over(pixels, region, hidden), region), region, geometry.epoch, taken)
        self._last = frame
        return frame

    def _shared(self, pixels: bytearray, region: Rect) -> bytes:
        """The pixels as bytes; the very object of the last frame when they are equal.

        Comparing or encoding the same object again costs nothing.
        """
        last = self._last
        return last.pixels if last and last.region == region and last.pixels == pixels else bytes(pixels)

    def _ready(self, epoch: int) -> Camera:
        # A camera's buffer has the size that the screen had when it connected.
        thread = threading.get_ident() if self._per_thread else 0
        if self._camera is None or (self._epoch, self._thread) != (epoch, thread):
            self.close()
            self._camera = self._open_camera()
            self._epoch, self._thread = epoch, thread
        return self._camera

    def close(self) -> None:
        if self._camera is not None:
            self._camera.close()
            self._camera = None


class MssCamera:
    """Grabs with mss: the X display of that name, or the desktop of this session. Raises TargetError when it cannot."""

    def __init__(self, display: str | None = None) -> None:
        try:
            self._mss = mss.MSS() if display is None else mss.MSS(display=display)
        except ScreenShotError as error:
            raise TargetError("The screen could not be captured.", "Unlock it, then try again.") from error

    def grab(self, region: Rect) -> bytearray:
        place = {"left": region.x, "top": region.y, "width": region.width, "height": region.height}
        try:
            return self._mss.grab(place).raw
        except ScreenShotError as error:
            raise TargetError("The screen could not be captured.", "Is the display still there?") from error

    def close(self) -> None:
        with suppress(ScreenShotError):  # opened on another thread, Windows may have released it already
            self._mss.close()


def paint_over(pixels: bytearray, region: Rect, hidden: Sequence[Rect]) -> bytearray:
    """Paint hidden rectangles (screen pixels) grey, in place; `pixels` are those of `region`. Returns `pixels`."""
    for rect in hidden:
        part = rect.intersection(region)
        row = NEUTRAL * part.width
        for y in range(part.y - region.y, part.bottom - region.y):
            start = (y * region.width + part.x - region.x) * BYTES
            pixels[start : start + len(row)] = row
    return pixels
