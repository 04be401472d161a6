"""Removes elements hidden behind other windows and cuts partly covered ones to their visible part (occlusion)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol

import msgspec

from desktop_agent.protocol.geometry import Point, Rect
from desktop_agent.vision.observation import Element

_FRAMES = frozenset(("alert", "color chooser", "dialog", "file chooser", "font chooser", "frame", "window"))
_SHADOW = 120  # pixels: the most that a drop shadow adds to a window's width or height
_SMALLEST = 4  # pixels: a narrower sliver cannot be clicked


class WindowBounds(Protocol):
    """A top-level window; `pid` is 0 when unknown, `bounds` (screen pixels) empty when it is minimised."""

    @property
    def title(self) -> str: ...
    @property
    def pid(self) -> int: ...
    @property
    def bounds(self) -> Rect: ...


def visible_elements(elements: Sequence[Element], windows: Sequence[WindowBounds]) -> tuple[Element, ...]:
    """The elements not covered by another window, those of front windows first; `windows` is from front to back.

    An element belongs to the window of its process whose bounds fit its outermost ancestor best, and takes
    over that window's title. When the centre of an element is covered, its bounds become the largest
    uncovered part; it is dropped when there is none, or when its window is minimised. Elements that belong to
    no window in the list (popup menus, say) come first, unchanged. Where a toolkit gives coordinates relative
    to its window (GTK 4), they are moved to screen coordinates.
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
    """Bounds in screen pixels: moved when they are relative to the window.

    They are when the outermost element (`frame`) claims to be at 0,0 and its window, of about its size, is elsewhere.
    """
    wider, higher = window.width - frame.width, window.height - frame.height
    within = (frame.x, frame.y) == (0, 0) and max(abs(wider), abs(higher)) <= _SHADOW
    if not within or window.contains(Point(0, 0)):
        return bounds
    # The window's bounds include its drop shadow, the frame's do not.
    return bounds.moved(window.x + wider // 2, window.y + higher // 2)


def _outermost(element: Element, by_id: Mapping[str, Element]) -> Element:
    passed = {element.id}
    while (parent := by_id.get(element.parent)) is not None and parent.id not in passed:
        passed.add(parent.id)
        element = parent
    return element


def _home(outermost: Element, windows: Sequence[WindowBounds]) -> int | None:
    """Index of the window that an outermost element is or lies in; None when unknown."""
    if outermost.role not in _FRAMES:
        return None
    own = [i for i, window in enumerate(windows) if window.pid == outermost.pid != 0]
    # In a container (Flatpak) the process id on the bus differs from that of the window.
    named = [i for i in own or range(len(windows)) if windows[i].title == outermost.window != ""]
    return max(named or own, key=lambda i: _overlap(windows[i].bounds, outermost.bounds), default=None)


def _overlap(one: Rect, other: Rect) -> float:
    """Intersection over union of two rectangles, 0 to 1."""
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
    """The parts of a rectangle above, below, left and right of a cover (they may overlap)."""
    common = rect.intersection(cover)
    if common.empty:
        yield rect
        return
    yield Rect(rect.x, rect.y, rect.width, common.y - rect.y)
    yield Rect(rect.x, common.bottom, rect.width, rect.bottom - common.bottom)
    yield Rect(rect.x, rect.y, common.x - rect.x, rect.height)
    yield Rect(common.right, rect.y, rect.right - common.right, rect.height)
