"""Which elements can be seen: those behind other windows are dropped or cut to what is left of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol

import msgspec

from desktop_agent.protocol.geometry import Point, Rect
from desktop_agent.vision.observation import Element

_FRAMES = frozenset(("alert", "color chooser", "dialog", "file chooser", "font chooser", "frame", "window"))
_SHADOW = 120  # pixels: the most that shadows add to a window's width or height
_SMALLEST = 4  # pixels: a sliver narrower than this cannot be aimed at


class WindowBounds(Protocol):
    """What is known of a top-level window; `pid` is 0 when unknown, `bounds` empty when it is minimised."""

    @property
    def title(self) -> str: ...
    @property
    def pid(self) -> int: ...
    @property
    def bounds(self) -> Rect: ...


def visible_elements(elements: Sequence[Element], windows: Sequence[WindowBounds]) -> tuple[Element, ...]:
    """The elements that are not behind another window, front windows first; `windows` from front to back.

    An element belongs to the window of its process that lies where the outermost element around it
    lies, and takes over that window's title. When the middle of an element is covered, its bounds
    become the largest part left free; it is dropped when there is none, or when its window is
    minimised. Elements that belong to no window in the list (popup menus, say) come first, as they are.
    Where a toolkit gives places within its window (GTK 4), they are moved to where the window is.
    """
    by_id = {each.id: each for each in elements}
    homes: dict[str, int | None] = {}
    seen: list[tuple[int, Element]] = []
    for element in elements:
        outermost = _outermost(element, by_id)
        if outermost.id not in homes:
            homes[outermost.id] = _home(outermost, windows)
        home = homes[outermost.id]
        if home is None:
            seen.append((-1, element))
            continue
        place = _on_screen(element.bounds, outermost.bounds, windows[home].bounds)
        if part := _free_part(place, windows[home], windows[:home]):
            whole = place if part != place else None
            changes = {"bounds": part, "window": windows[home].title, "whole": whole}
            seen.append((home, msgspec.structs.replace(element, **changes)))
    return tuple(element for _, element in sorted(seen, key=lambda each: each[0]))


def _on_screen(bounds: Rect, frame: Rect, window: Rect) -> Rect:
    """The place on the screen when a frame claims to be at 0,0 and its window, of about its size, is not there."""
    wider, higher = window.width - frame.width, window.height - frame.height
    within = (frame.x, frame.y) == (0, 0) and max(abs(wider), abs(higher)) <= _SHADOW
    if not within or window.contains(Point(0, 0)):
        return bounds
    # The shadow around the window belongs to it and not to the frame.
    return bounds.moved(window.x + wider // 2, window.y + higher // 2)


def _outermost(element: Element, by_id: Mapping[str, Element]) -> Element:
    passed = {element.id}
    while (parent := by_id.get(element.parent)) is not None and parent.id not in passed:
        passed.add(parent.id)
        element = parent
    return element


def _home(outermost: Element, windows: Sequence[WindowBounds]) -> int | None:
    """Index of the window that an outermost element is, or lies in; None when it cannot be told."""
    if outermost.role not in _FRAMES:
        return None
    own = [i for i, window in enumerate(windows) if window.pid == outermost.pid != 0]
    # In a container (Flatpak) the process on the bus is another one than that of the window.
    named = [i for i in own or range(len(windows)) if windows[i].title == outermost.window != ""]
    return max(named or own, key=lambda i: _overlap(windows[i].bounds, outermost.bounds), default=None)


def _overlap(one: Rect, other: Rect) -> float:
    """Common area as a share of the area of both together."""
    common = one.intersection(other).area
    return common / max(1, one.area + other.area - common)


def _free_part(bounds: Rect, window: WindowBounds, covers: Iterable[WindowBounds]) -> Rect | None:
    if window.bounds.empty:
        return None
    covering = [c.bounds for c in covers if not c.bounds.intersection(bounds).empty]
    if not any(cover.contains(bounds.center) for cover in covering):
        return bounds
    pieces = [bounds]
    for cover in covering:
        pieces = [rest for piece in pieces for rest in _without(piece, cover)]
    pieces = [piece for piece in pieces if min(piece.width, piece.height) >= _SMALLEST]
    return max(pieces, key=lambda piece: piece.area, default=None)


def _without(rect: Rect, cover: Rect) -> Iterator[Rect]:
    """What is left of a rectangle: the parts above, below, left and right of the cover (they may overlap)."""
    common = rect.intersection(cover)
    if common.empty:
        yield rect
        return
    yield Rect(rect.x, rect.y, rect.width, common.y - rect.y)
    yield Rect(rect.x, common.bottom, rect.width, rect.bottom - common.bottom)
    yield Rect(rect.x, rect.y, common.x - rect.x, rect.height)
    yield Rect(common.right, rect.y, rect.right - common.right, rect.height)
