"""Which window is where on a screen, and which of them has the keyboard."""

from __future__ import annotations

import msgspec

from desktop_agent.protocol.geometry import Point, Rect


class TopWindow(msgspec.Struct, frozen=True):
    """A window on the screen: its id on this display, its process (0 when unknown) and where it takes clicks."""

    id: int
    pid: int
    areas: tuple[Rect, ...]


class Scene(msgspec.Struct, frozen=True):
    """Which window is where: `stack` from front to back, the one behind all included.

    `focus` is the id of the window with the keyboard, 0 when unknown; `pointer` is where the pointer is.
    """

    stack: tuple[TopWindow, ...]
    focus: int
    pointer: Point

    def at(self, point: Point) -> TopWindow | None:
        """The window under a point."""
        return next((w for w in self.stack if any(area.contains(point) for area in w.areas)), None)

    def owner(self, id: int) -> int:
        """Process of a window, 0 when unknown."""
        return next((w.pid for w in self.stack if w.id == id), 0)
