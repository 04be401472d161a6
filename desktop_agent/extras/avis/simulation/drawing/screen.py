"""The pixels of a simulated desktop, drawn when somebody looks."""

from __future__ import annotations

import threading
from collections import deque

from desktop_agent.extras.avis.simulation.drawing.pieces import ScreenPiece
from desktop_agent.extras.avis.simulation.painting.drawers import reach
from desktop_agent.extras.avis.simulation.painting.painter import Painter
from desktop_agent.extras.avis.simulation.simulated_desktop import SimulatedDesktop
from desktop_agent.protocol.geometry import Rect, Size

_KEPT = 64
"""Pictures back that somebody may have looked last, and still be told what has changed."""


class SceneScreen:
    """Draws what has changed since the last look. `lock` is held by whoever reads or works the desktop.

    `desktop` is what it shows now: another one after `show`. The pointer is drawn for people alone, as it is on a
    display: what is read of one is without it, so that a thing looks the same before and after the pointer comes to it.
    """

    def __init__(self, desktop: SimulatedDesktop) -> None:
        self.desktop = desktop
        self.lock = threading.RLock()
        self._painter = Painter(desktop.size)
        self._pointer: ScreenPiece | None = None
        self._drawn = -1
        self._picture = 0
        self._changes: deque[list[Rect]] = deque(maxlen=_KEPT)

    @property
    def size(self) -> Size:
        return self.desktop.size

    def newer_than(self, number: int) -> bool:
        """Is there, or may there be, another picture than the one with this number? Needs no lock."""
        return self._picture != number or self._drawn != self.desktop.version or self.desktop.waiting

    def show(self, desktop: SimulatedDesktop) -> None:
        """Show another desktop from now on; call with the lock held."""
        self.desktop = desktop
        self._painter = Painter(desktop.size)
        self._drawn = -1

    def pixels(self, area: Rect) -> bytes:
        """B, G, R, unused of an area without the pointer, rows without padding; call with the lock held."""
        self.paint()
        return self._painter.pixels(area)

    def pixels_with_pointer(self, area: Rect) -> bytes:
        """As `pixels`, with the pointer over them."""
        self.paint()
        pointer = self._pointer
        return self._painter.pixels(area) if pointer is None else self._painter.pixels_under(pointer, area)

    def paint(self) -> list[Rect]:
        """Bring the picture up to date; what has changed in it. Call with the lock held."""
        if self._drawn == self.desktop.version:
            return []
        pieces = self.desktop.pieces()
        pointer = next((each for each in pieces if each.kind == "pointer"), None)
        changed = self._painter.paint([each for each in pieces if each.kind != "pointer"], self.desktop.theme)
        if pointer != self._pointer:
            changed = [*changed, *(reach(each) for each in (self._pointer, pointer) if each is not None)]
            self._pointer = pointer
        self._drawn = self.desktop.version
        if changed:
            self._picture += 1
            self._changes.append(changed)
        return changed

    def changes(self, since: int) -> tuple[int, list[Rect]]:
        """Bring the picture up to date; its number, and what in it is other than in the picture with number `since`.

        Each who looks keeps a number of their own, 0 at first. Call with the lock held.
        """
        self.paint()
        behind = self._picture - since
        if not 0 <= behind <= len(self._changes):
            return self._picture, [Rect(0, 0, self.size.width, self.size.height)]
        recent = list(self._changes)[len(self._changes) - behind :]
        return self._picture, [each for rects in recent for each in rects]
