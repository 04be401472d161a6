"""The scene of a screen: stacking of its windows, keyboard focus, pointer."""

from __future__ import annotations

import msgspec

from desktop_agent.protocol.geometry import Point, Rect


class TopWindow(msgspec.Struct, frozen=True):
    """A top-level window: its system id, process id (0 when unknown), and the screen areas where it takes clicks."""

    id: int
    pid: int
    areas: tuple[Rect, ...]


class Scene(msgspec.Struct, frozen=True):
    """The windows at one moment: `stack` is from front to back, the desktop's own window included.

    `focus` is the id of the window with the keyboard focus, 0 when unknown; `pointer` is in screen pixels.
    """

    stack: tuple[TopWindow, ...]
    focus: int
    pointer: Point

    def at(self, point: Point) -> TopWindow | None:
        """The frontmost window that takes clicks at a point; None when there is none."""
        return next((w for w in self.stack if any(area.contains(point) for area in w.areas)), None)

    def owner(self, id: int) -> int:
        """Process id of a window by its id; 0 when unknown."""
        return next((w.pid for w in self.stack if w.id == id), 0)
