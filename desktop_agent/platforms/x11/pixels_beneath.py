"""Reads what is beneath the hints on an X display, without taking them away.

While hints are shown every top-level window draws into a pixmap of its own (Composite, automatic redirection), which
GetImage reads whatever lies above. Taking the hints away for each picture instead would make the applications, or the
server, draw again, and that would look as if something had changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import xcffib.shape
from xcffib.ffi import ffi
from xcffib.xproto import ImageFormat, MapState, WindowClass

from desktop_agent.platforms.x11.connection import Display, reply_or_none
from desktop_agent.platforms.x11.windows.ewmh import EwmhWindows
from desktop_agent.protocol.geometry import Rect, uncovered

HINTS = "_DESKTOP_AGENT_HINTS"
"""The selection whose owner is the window of the hints; its property of that name has the window of the bare desktop."""
ALL_PLANES = 0xFFFFFFFF
HEADER_BYTES = 32  # of every reply of the X protocol
BYTES = 4
CHUNK = 12  # windows asked about at once: what is looked for is mostly one of those in front
TRIES = 3
UNTOLD = b"\x80\x80\x80\x00"  # what windows that fly about leave untold is grey
BOUNDING = 0  # ShapeBounding


class _Layer(NamedTuple):
    """A window with its origin (border left out) and the parts of the screen it covers."""

    window: int
    x: int
    y: int
    covers: tuple[Rect, ...]


class PixelsBeneath:
    """Reads the screen without the windows of the hints; usable by every process, over its own connection."""

    def __init__(self, display: Display, windows: EwmhWindows) -> None:
        self._display, self._windows = display, windows
        self._shape: Any = display.extension(xcffib.shape.key)
        self._selection = display.atom(HINTS)
        self._hints = self._floor = 0

    def ask_owner(self) -> Any:
        """Ask for the window of the hints; the reply's `owner` goes to `read`, 0 is for none. To be asked with other questions."""
        return self._display.core.GetSelectionOwner(self._selection)

    def belongs_to(self, pid: int, hints: int) -> bool:
        """Is what is taken for hints of that process, and so is what stands for the bare desktop?

        Every program can own the selection and write the property: with them it would be in no picture.
        """
        self._hints, self._floor = hints, self._floor_of(hints)
        return bool(pid and self._floor) and self._windows.proven_owners([hints, self._floor]) == [pid, pid]

    def _floor_of(self, hints: int) -> int:
        return next(iter(self._display.numbers(hints, HINTS)), 0)

    def read(self, areas: Sequence[Rect], hints: int) -> list[bytearray]:
        """The pixels of each area as if the window of the hints were not there, 4 bytes each."""
        if hints != self._hints:
            self._hints, self._floor = hints, self._floor_of(hints)
        for _ in range(TRIES):
            found = self._composed(areas)
            if found is not None:
                return found
        return [bytearray(UNTOLD * (area.width * area.height)) for area in areas]

    def _composed(self, areas: Sequence[Rect]) -> list[bytearray] | None:
        """The areas put together from their windows; None when these changed meanwhile."""
        tops = self._tops()
        layers = self._layers(areas, tops)
        asked = [
            (area, part, self._ask_pixels(layer, part))
            for area in areas
            for layer, part in _parts(area, layers, self._floor)
        ]
        again = self._display.core.QueryTree(self._display.root)
        read = [(area, part, self._pixels(cookie, part)) for area, part, cookie in asked]
        if self._without_ours(again.reply()) != tops or any(found is None for _, _, found in read):
            return None
        composed = {area: bytearray(area.width * area.height * BYTES) for area in areas}
        for area, part, found in read:
            _paste(found or b"", part, composed[area], area)
        return [composed[area] for area in areas]

    def _tops(self) -> tuple[int, ...]:
        return self._without_ours(self._display.core.QueryTree(self._display.root).reply())

    def _without_ours(self, tree: Any) -> tuple[int, ...]:
        """The children of the root from front to back, without those of the hints."""
        return tuple(each for each in reversed(list(tree.children)) if each not in (self._hints, self._floor))

    def _layers(self, areas: Sequence[Rect], tops: Sequence[int]) -> list[_Layer]:
        """The windows that show in the areas, from front to back, down to where nothing further can be seen."""
        found: list[_Layer] = []
        open_ = list(areas)
        for start in range(0, len(tops), CHUNK):
            new = self._described(open_, tops[start : start + CHUNK])
            found += new
            covers = [cover for layer in new for cover in layer.covers]
            open_ = [rest for each in open_ for rest in uncovered(each, covers)]
            if not open_:
                break
        return found

    def _described(self, areas: Sequence[Rect], windows: Sequence[int]) -> list[_Layer]:
        core = self._display.core
        asked = [(w, core.GetWindowAttributes(w), core.GetGeometry(w)) for w in windows]
        told = [(w, reply_or_none(attributes), reply_or_none(place)) for w, attributes, place in asked]
        shown = [(w, p) for w, a, p in told if a and p and _draws(a) and _touches(p, areas)]
        shapes = [(w, p, self._shape.GetRectangles(w, BOUNDING)) for w, p in shown]
        return [_layer(w, p, reply_or_none(shape)) for w, p, shape in shapes]

    def _ask_pixels(self, layer: _Layer, part: Rect) -> Any:
        place = (part.x - layer.x, part.y - layer.y, part.width, part.height)
        return self._display.core.GetImage(ImageFormat.ZPixmap, layer.window, *place, ALL_PLANES)

    def _pixels(self, cookie: Any, part: Rect) -> bytes | None:
        """None for a window that is gone, or has pixels of another size."""
        try:
            # Read from the raw bytes: xcffib's typed reply would be a list with one number per byte.
            reply = self._display.connection.wait_for_reply(cookie.sequence)
        except xcffib.Error:
            return None
        count = part.width * part.height * BYTES
        raw = bytes(ffi.buffer(reply.cdata, HEADER_BYTES))
        if int.from_bytes(raw[4:8], "little") * 4 != count:
            return None
        return bytes(ffi.buffer(reply.cdata, HEADER_BYTES + count))[HEADER_BYTES:]


def _draws(attributes: Any) -> bool:
    return bool(attributes.map_state == MapState.Viewable and attributes._class != WindowClass.InputOnly)


def _touches(place: Any, areas: Sequence[Rect]) -> bool:
    border = 2 * place.border_width
    bounds = Rect(place.x, place.y, place.width + border, place.height + border)
    return any(not bounds.intersection(area).empty for area in areas)


def _layer(window: int, place: Any, shape: Any) -> _Layer:
    x, y = place.x + place.border_width, place.y + place.border_width
    parts = shape.rectangles if shape else ()
    return _Layer(window, x, y, tuple(Rect(x + r.x, y + r.y, r.width, r.height) for r in parts))


def _parts(area: Rect, layers: Sequence[_Layer], floor: int) -> list[tuple[_Layer, Rect]]:
    """Which part of the area is to be read from which window; of the bare desktop from `floor`."""
    found: list[tuple[_Layer, Rect]] = []
    rest = [area]
    for layer in (*layers, _Layer(floor, 0, 0, (area,))):
        for cover in layer.covers:
            found += [(layer, part) for each in rest if not (part := each.intersection(cover)).empty]
            rest = _rest(rest, cover)
        if not rest:
            break
    return found


def _rest(rects: Sequence[Rect], cover: Rect) -> list[Rect]:
    """The rectangles minus one cover, in parts."""
    return [part for each in rects for part in uncovered(each, (cover,))]


def _paste(source: bytes | bytearray, part: Rect, pixels: bytearray, area: Rect) -> None:
    """Put the pixels of `part` into those of `area`, which it lies in."""
    row = part.width * BYTES
    if (part.x, part.width) == (area.x, area.width):
        start = (part.y - area.y) * row
        pixels[start : start + len(source)] = source
        return
    for index in range(part.height):
        start = ((part.y - area.y + index) * area.width + part.x - area.x) * BYTES
        pixels[start : start + row] = source[index * row : (index + 1) * row]
