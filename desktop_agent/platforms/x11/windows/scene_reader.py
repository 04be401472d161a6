"""Reads the scene of an X display (window stacking, kept current by events, focus, pointer) and the pixels of small areas."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import xcffib
import xcffib.shape
import xcffib.xproto
from xcffib.ffi import ffi
from xcffib.xproto import CW, EventMask, ImageFormat, MapState

from desktop_agent.platforms.x11.connection import Display, reply_or_none
from desktop_agent.platforms.x11.pixels_beneath import PixelsBeneath
from desktop_agent.platforms.x11.windows.ewmh import INPUT_SHAPE, EwmhWindows
from desktop_agent.protocol.errors import TargetError
from desktop_agent.protocol.geometry import Point, Rect
from desktop_agent.protocol.scene import Scene, TopWindow

ALL_PLANES = 0xFFFFFFFF
HEADER_BYTES = 32  # of every reply of the X protocol
BYTES = 4


BOUNDING = 0  # ShapeBounding (X Nonrectangular Window Shape Extension)
_KINDS = (BOUNDING, INPUT_SHAPE)
_LISTS = ("_NET_CLIENT_LIST", "_NET_CLIENT_LIST_STACKING")


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


class StackingOrder:
    """The stacking order, kept up to date by the events of one connection; nothing else may read events there.

    The server sends an event before the reply to any later request, so the order is correct as of the last
    reply on this connection.
    """

    def __init__(self, display: Display, windows: EwmhWindows) -> None:
        self._display, self._windows = display, windows
        self._shape: Any = display.extension(xcffib.shape.key)
        self._stack: tuple[TopWindow, ...] = ()
        self._known = False
        self._click_through: frozenset[int] = frozenset()
        self._listening = False

    def stack(self) -> tuple[TopWindow, ...]:
        """The windows that take clicks, from front to back, the root last. Call it right after a reply (see above)."""
        if not self._listening:
            self._listen()
        if self._changed() or not self._known:
            self._stack = self._read()
            self._known = not self._changed()  # changed while it was read: read it again the next time
        return self._stack

    def _listen(self) -> None:
        mask = EventMask.SubstructureNotify | EventMask.StructureNotify | EventMask.PropertyChange
        self._display.core.ChangeWindowAttributes(self._display.root, CW.EventMask, [mask])
        self._listening = True

    def _changed(self) -> bool:
        """Take all events; True when one of them may change the stacking."""
        lists = [self._display.atom(name) for name in _LISTS]
        changed = False
        while (event := self._display.next_event()) is not None:
            if isinstance(event, xcffib.xproto.PropertyNotifyEvent):
                changed = changed or event.atom in lists
            elif isinstance(event, xcffib.shape.NotifyEvent):
                changed = changed or self._matters(event)
            else:
                changed = changed or not isinstance(event, xcffib.xproto.MappingNotifyEvent)
        return changed

    def _matters(self, event: Any) -> bool:
        """False for another outline of a window that no click reaches anyway, as of one that shows hints."""
        inside = event.affected_window in self._click_through
        return not (inside and event.shape_kind == BOUNDING)

    def _read(self) -> tuple[TopWindow, ...]:
        root, shown = self._display.root, list(self._viewable())
        clients = self._windows.clients()
        owners = self._windows.owners([clients.get(window, window) for window, _ in shown])
        return tuple(
            TopWindow(window, 0 if window == root else owner, areas)
            for (window, areas), owner in zip(shown, owners, strict=True)
        )

    def _viewable(self) -> Iterator[tuple[int, tuple[Rect, ...]]]:
        """The viewable children of the root and the root itself, each with the areas where it takes clicks.

        All requests are sent before the first reply is read: a desktop has many windows.
        """
        core, root = self._display.core, self._display.root
        children = list(reversed(core.QueryTree(root).reply().children))
        for window in children:  # every time: ids are reused after their window is gone
            self._shape.SelectInput(window, 1)
        asked = [(w, core.GetWindowAttributes(w), core.GetGeometry(w)) for w in children]
        answered = [(w, reply_or_none(attributes), reply_or_none(place)) for w, attributes, place in asked]
        shown = [(w, p) for w, a, p in answered if a and p and a.map_state == MapState.Viewable]
        shapes = [(w, p, *(self._shape.GetRectangles(w, kind) for kind in _KINDS)) for w, p in shown]
        told = [(w, p, reply_or_none(bounding), reply_or_none(input_)) for w, p, bounding, input_ in shapes]
        self._click_through = frozenset(w for w, _, _, input_ in told if input_ and not input_.rectangles)
        for window, place, bounding, input_ in told:
            areas = _areas(place, bounding, input_)
            if areas:
                yield window, areas
        size = core.GetGeometry(root).reply()
        yield root, (Rect(0, 0, size.width, size.height),)


def _areas(place: Any, bounding: Any, input_: Any) -> tuple[Rect, ...]:
    """Where a window takes clicks, in screen pixels: inside both its bounding and its input shape, border included."""
    if bounding is None or input_ is None:
        return ()
    x, y = place.x + place.border_width, place.y + place.border_width
    outer, inner = (
        [Rect(x + r.x, y + r.y, r.width, r.height) for r in each.rectangles] for each in (bounding, input_)
    )
    return tuple(part for a in outer for b in inner if not (part := a.intersection(b)).empty)
