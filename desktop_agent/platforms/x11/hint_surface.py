"""Shows hints on an X display without a compositor, in one window shaped like what is drawn."""

from __future__ import annotations

import os
import struct
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from io import BytesIO
from itertools import pairwise
from typing import Any

import xcffib
import xcffib.composite
import xcffib.shape
from xcffib.composite import Redirect
from xcffib.xproto import CW, ConfigWindow, ImageFormat, PropMode, WindowClass

from desktop_agent.platforms.base import HintPicture, HintSurface
from desktop_agent.platforms.x11.connection import Display, display_errors
from desktop_agent.platforms.x11.pixels_beneath import HINTS, PixelsBeneath
from desktop_agent.platforms.x11.windows.ewmh import EwmhWindows
from desktop_agent.platforms.x11.xsettings import animated
from desktop_agent.protocol.errors import TargetError
from desktop_agent.protocol.geometry import Rect

COMPOSITED = "A compositor draws this screen, and whatever it draws would be in the agent's pictures."
FOREIGN = "This X server does not tell which process a window is of."
OLD = "This X server has no Composite extension."
SET, BOUNDING, INPUT = 0, 0, 2  # of the Shape extension: operation Set, kinds Bounding and Input
UNSORTED = 0
PARENT_RELATIVE, NO_PIXMAP = 1, 0
PUT_IMAGE = 72  # its number in the core X protocol
_PUT_IMAGE = struct.Struct("=xB2xIIHHhhBB2x")
DRAWN = 128  # from this alpha on


class X11HintSurface(HintSurface):
    """One window over the whole screen, with a child for each picture; its input shape is empty.

    It is mapped once: what is shown is told by its bounding shape, so no window seems to come or go. `without` takes
    pictures of the screen that have none of it.
    """

    translucent = False

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment
        self._lock = threading.RLock()
        self._display: Display | None = None
        self._hints = self._floor = self._graphics = 0
        self._depth = 24
        self._children: dict[str, int] = {}
        self._pictures: dict[str, HintPicture] = {}
        self._rows: dict[str, list[Rect]] = {}
        self._sent = False
        """False while the server may still show what was shown before."""

    def open(self) -> str:
        with self._lock:
            if self._display is not None:
                return ""
            try:
                return self._open(Display(self._environment))
            except TargetError as error:
                self.close()
                return error.message

    def _open(self, display: Display) -> str:
        self._display = display
        with display_errors(display.name):
            why = self._hindrance(display)
            if why:
                self.close()
                return why
            windows = EwmhWindows(display)
            self._beneath, self.animated = PixelsBeneath(display, windows), animated(display)
            self._make_windows(display)
            if not self._beneath.belongs_to(os.getpid(), self._hints):
                self.close()
                return FOREIGN
        return ""

    def _hindrance(self, display: Display) -> str:
        """Why there can be no hints here, "" when nothing is in the way."""
        selection = display.atom(f"_NET_WM_CM_S{display.connection.pref_screen}")
        if display.core.GetSelectionOwner(selection).reply().owner:
            return COMPOSITED
        try:
            self._composite: Any = display.extension(xcffib.composite.key)
        except TargetError:
            return OLD
        version = self._composite.QueryVersion(0, 4).reply()
        return "" if (version.major_version, version.minor_version) >= (0, 2) else OLD

    def _make_windows(self, display: Display) -> None:
        import numpy  # noqa: F401 - loaded now rather than while a picture is shown

        self._shape: Any = display.extension(xcffib.shape.key)
        self._composite.RedirectSubwindowsChecked(display.root, Redirect.Automatic).check()
        size = display.core.GetGeometry(display.root).reply()
        self._depth = size.depth
        place = Rect(0, 0, size.width, size.height)
        new = display.connection.generate_id
        self._floor, self._hints, self._graphics = new(), new(), new()
        # Painted by the server with the picture of the bare desktop, and drawn nowhere: read alone.
        self._create(self._floor, display.root, place, PARENT_RELATIVE)
        self._composite.RedirectWindow(self._floor, Redirect.Manual)
        self._create(self._hints, display.root, place, NO_PIXMAP)
        for window in (self._floor, self._hints):
            self._shape.Rectangles(SET, INPUT, UNSORTED, window, 0, 0, 0, [])
        self._set_shape(self._floor, [place])  # what is shaped is not taken for covering anything
        self._set_shape(self._hints, [])
        display.core.CreateGC(self._graphics, self._hints, 0, [])
        self._name(display)
        display.core.ConfigureWindow(self._floor, ConfigWindow.StackMode, [1])  # Below
        for window in (self._floor, self._hints):
            display.core.MapWindow(window)
        display.sync()

    def _create(self, window: int, parent: int, place: Rect, background: int) -> None:
        assert self._display is not None  # noqa: S101 - for mypy: it is open
        rect = (place.x, place.y, place.width, place.height)
        self._display.core.CreateWindow(
            0, window, parent, *rect, 0, WindowClass.InputOutput, 0, CW.BackPixmap | CW.OverrideRedirect, [background, 1]
        )  # fmt: skip

    def _name(self, display: Display) -> None:
        """Lets the hand find it, and whoever lists windows know whose it is."""
        for window in (self._hints, self._floor):
            self._put(display, window, "_NET_WM_PID", "CARDINAL", 32, struct.pack("=I", os.getpid()))
            self._put(display, window, "WM_CLASS", "STRING", 8, b"hints\0Desktop-agent\0")
        self._put(display, self._hints, HINTS, "WINDOW", 32, struct.pack("=I", self._floor))
        display.core.SetSelectionOwner(self._hints, display.atom(HINTS), xcffib.CurrentTime)

    @staticmethod
    def _put(display: Display, window: int, name: str, kind: str, bits: int, data: bytes) -> None:
        atom, of = display.atom(name), display.atom(kind)
        count = len(data) * 8 // bits
        display.core.ChangeProperty(PropMode.Replace, window, atom, of, bits, count, data)

    # ---- what is shown -----------------------------------------------------------------------

    def show(self, pictures: Mapping[str, HintPicture]) -> None:
        with self._lock:
            if self._display is None or pictures == self._pictures:
                return
            try:
                with display_errors(self._display.name):
                    self._show(self._display, pictures)
            except TargetError:  # the display has gone: the agent, which acts on it, tells of it
                self.close()

    def _show(self, display: Display, pictures: Mapping[str, HintPicture]) -> None:
        self._sent = False
        for name in [each for each in self._children if each not in pictures]:
            display.core.DestroyWindow(self._children.pop(name))
        shape: list[Any] = []
        for name, picture in pictures.items():
            if picture != self._pictures.get(name):
                self._rows[name] = rects = drawn_rows(picture)
                self._draw(display, name, picture, rects)
            shape += [each.moved(picture.place.x, picture.place.y) for each in self._rows[name]]
        self._set_shape(self._hints, shape)
        self._pictures = dict(pictures)
        display.flush()

    def _draw(self, display: Display, name: str, picture: HintPicture, rects: Sequence[Rect]) -> None:
        """The picture becomes its window's background, so that the server paints it whenever it is needed."""
        core, place = display.core, picture.place
        if name not in self._children:
            self._children[name] = display.connection.generate_id()
            self._create(self._children[name], self._hints, place, NO_PIXMAP)
        window, pixmap = self._children[name], display.connection.generate_id()
        core.CreatePixmap(self._depth, pixmap, window, place.width, place.height)
        size = (place.width, place.height)
        self._put_image(pixmap, picture)
        core.ChangeWindowAttributes(window, CW.BackPixmap, [pixmap])
        core.FreePixmap(pixmap)
        mask = ConfigWindow.X | ConfigWindow.Y | ConfigWindow.Width | ConfigWindow.Height
        core.ConfigureWindow(window, mask, [place.x, place.y, *size])
        self._set_shape(window, rects)
        core.MapWindow(window)
        core.ClearArea(False, window, 0, 0, 0, 0)

    def _put_image(self, pixmap: int, picture: HintPicture) -> None:
        """PutImage; xcffib's own packs the pixels one by one."""
        size = (picture.place.width, picture.place.height)
        head = _PUT_IMAGE.pack(ImageFormat.ZPixmap, pixmap, self._graphics, *size, 0, 0, 0, self._depth)
        assert self._display is not None  # noqa: S101 - for mypy: it is open
        self._display.core.send_request(PUT_IMAGE, BytesIO(head + picture.pixels))

    def _set_shape(self, window: int, rects: Sequence[Rect]) -> None:
        make: Any = xcffib.xproto.RECTANGLE.synthetic
        packed = [make(each.x, each.y, each.width, each.height) for each in rects]
        self._shape.Rectangles(SET, BOUNDING, UNSORTED, window, 0, 0, len(packed), packed)

    # ---- pictures without it -----------------------------------------------------------------

    def without(self, grab: Callable[[Rect], bytearray], region: Rect) -> bytearray:
        """What `grab` takes of the region, with what is beneath the hints in their place. Raises TargetError."""
        with self._held() as places:
            pixels = grab(region)
            parts = [part for each in places if not (part := each.intersection(region)).empty]
            if parts and self._display is not None:
                with display_errors(self._display.name):
                    self._mend(pixels, region, parts)
        return pixels

    @contextmanager
    def _held(self) -> Iterator[Sequence[Rect]]:
        """Nothing is shown anew meanwhile; gives the places of what is shown."""
        with self._lock:
            if self._display is not None and not self._sent:
                with suppress(xcffib.XcffibException):  # gone: then so are the hints
                    self._display.sync()
                self._sent = True
            yield [each.place for each in self._pictures.values()]

    def _mend(self, pixels: bytearray, region: Rect, parts: Sequence[Rect]) -> None:
        import numpy as np

        found = self._beneath.read(parts, self._hints)
        grid = np.frombuffer(pixels, np.uint32).reshape(region.height, region.width)
        for part, beneath in zip(parts, found, strict=True):
            rows = np.frombuffer(beneath, np.uint32).reshape(part.height, part.width)
            x, y = part.x - region.x, part.y - region.y
            grid[y : y + part.height, x : x + part.width] = rows

    def close(self) -> None:
        with self._lock:
            display, self._display = self._display, None
            self._children, self._pictures = {}, {}
            if display is not None:
                with suppress(xcffib.XcffibException):  # the server removes all of it with the connection
                    display.close()


def drawn_rows(picture: HintPicture) -> list[Rect]:
    """The runs of drawn pixels of a picture, as rectangles in it; rows that are alike are one."""
    import numpy as np

    width, height = picture.place.width, picture.place.height
    alpha = np.frombuffer(picture.pixels, np.uint8)[3::4].reshape(height, width) >= DRAWN
    starts = [0, *(np.flatnonzero((alpha[1:] != alpha[:-1]).any(axis=1)) + 1), height]
    return [
        Rect(left, int(top), right - left, int(bottom - top))
        for top, bottom in pairwise(starts)
        for left, right in _runs(alpha[top])
    ]


def _runs(row: Any) -> list[tuple[int, int]]:
    import numpy as np

    edges = np.flatnonzero(np.diff(np.concatenate(([0], row.view(np.int8), [0]))))
    return [(int(a), int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True)]
