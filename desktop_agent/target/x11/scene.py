"""Which window is where on an X display, and what shows in a small part of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import xcffib
import xcffib.shape
import xcffib.xproto
from xcffib.ffi import ffi
from xcffib.xproto import ImageFormat, MapState

from desktop_agent.protocol.errors import TargetError
from desktop_agent.protocol.geometry import Point, Rect
from desktop_agent.target.x11.connection import Display, answer
from desktop_agent.target.x11.windows import Windows
from desktop_agent.vision.observation import Scene, TopWindow

ALL_PLANES = 0xFFFFFFFF
HEADER_BYTES = 32  # of every reply of the X protocol
BYTES = 4


class Scenes:
    """Questions about one display; a window stands for itself by its id, the root window among them."""

    def __init__(self, display: Display, windows: Windows) -> None:
        self._display, self._windows = display, windows
        self._shape: Any = display.extension(xcffib.shape.key)
        self._focus = (0, 0)

    def read(self) -> Scene:
        """The windows that take clicks, from front to back, the focus and the pointer."""
        pointer = self._display.core.QueryPointer(self._display.root).reply()
        clients = self._windows.clients()
        owner, root = self._windows.owner, self._display.root
        stack = tuple(
            TopWindow(window, 0 if window == root else owner(clients.get(window, window)), areas)
            for window, areas in self._viewable()
        )
        return Scene(stack, self.focus_window(), Point(pointer.root_x, pointer.root_y))

    def window_at(self, point: Point) -> int:
        return self._windows.top_at(point) or self._display.root

    def focus_window(self) -> int:
        """Asked for before every few characters, so the way up to the top is gone once for each focus."""
        focus = self._windows.focus()
        if focus != self._focus[0]:
            self._focus = (focus, self._windows.top_of(focus) if focus else 0)
        return self._focus[1]

    def pixels(self, area: Rect) -> bytes:
        """Raises TargetError for a display whose pixels do not have four bytes."""
        place = (area.x, area.y, area.width, area.height)
        core = self._display.core
        cookie = core.GetImage(ImageFormat.ZPixmap, self._display.root, *place, ALL_PLANES)
        # The typed reply would make a list of one number per byte.
        reply = self._display.connection.wait_for_reply(cookie.sequence)
        count = area.width * area.height * BYTES
        raw = bytes(ffi.buffer(reply.cdata, HEADER_BYTES + count))
        if int.from_bytes(raw[4:8], "little") * BYTES != count:
            raise TargetError(
                f"The X display {self._display.name} has few colours.", "Start it with a depth of 24."
            )
        return raw[HEADER_BYTES:]

    def _viewable(self) -> Iterator[tuple[int, tuple[Rect, ...]]]:
        """All that is asked goes out before the first answer is taken: a desktop has many windows."""
        core, root = self._display.core, self._display.root
        children = list(reversed(core.QueryTree(root).reply().children))
        asked = [(w, core.GetWindowAttributes(w), core.GetGeometry(w)) for w in children]
        answered = [(w, answer(attributes), answer(place)) for w, attributes, place in asked]
        shown = [(w, p) for w, a, p in answered if a and p and a.map_state == MapState.Viewable]
        shapes = [(w, p, *(self._shape.GetRectangles(w, kind) for kind in _KINDS)) for w, p in shown]
        for window, place, bounding, input_ in shapes:
            areas = _areas(place, answer(bounding), answer(input_))
            if areas:
                yield window, areas
        size = core.GetGeometry(root).reply()
        yield root, (Rect(0, 0, size.width, size.height),)


_KINDS = (0, 2)  # ShapeBounding, ShapeInput (X Nonrectangular Window Shape Extension)


def _areas(place: Any, bounding: Any, input_: Any) -> tuple[Rect, ...]:
    """Where a window takes clicks, in screen pixels: in both of its shapes (the server counts the border in)."""
    if bounding is None or input_ is None:
        return ()
    x, y = place.x + place.border_width, place.y + place.border_width
    outer, inner = (
        [Rect(x + r.x, y + r.y, r.width, r.height) for r in each.rectangles] for each in (bounding, input_)
    )
    return tuple(part for a in outer for b in inner if not (part := a.intersection(b)).empty)
