"""The pixels of a simulated desktop, drawn when somebody looks."""

from __future__ import annotations

import threading
from collections import deque

from desktop_agent.protocol.geometry import Rect, Size
from desktop_agent.simulation.painting.painter import Painter
from desktop_agent.simulation.simulated_desktop import SimulatedDesktop

_KEPT = 64
"""Pictures back that somebody may have looked last, and still be told what has changed."""


class SceneScreen:
    """Draws what has changed since the last look. `lock` is held by whoever reads or works the desktop.

    `desktop` is what it shows now: another one after `show`. A human sees the pointer in it; what captures a screen does
    not, as on real ones, where the pointer lies over the picture.
    """

    def __init__(self, desktop: SimulatedDesktop) -> None:
        self.desktop = desktop
        self.lock = threading.RLock()
        self._painter = Painter(desktop.size)
        self._drawn = -1
        self._bare = Painter(desktop.size)
        self._bare_drawn = -1
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
        self._painter, self._bare = Painter(desktop.size), Painter(desktop.size)
        self._drawn = self._bare_drawn = -1

    def captured(self, area: Rect) -> bytes:
        """As `pixels`, but without the pointer; call with the lock held."""
        if self._bare_drawn != self.desktop.version:
            pieces = [each for each in self.desktop.pieces() if each.kind != "pointer"]
            self._bare.paint(pieces, self.desktop.theme)
            self._bare_drawn = self.desktop.version
        return self._bare.pixels(area)

    def pixels(self, area: Rect) -> bytes:
        """B, G, R, unused of an area, rows without padding; call with the lock held."""
        self.paint()
        return self._painter.pixels(area)

    def paint(self) -> list[Rect]:
        """Bring the picture up to date; what has changed in it. Call with the lock held."""
        if self._drawn == self.desktop.version:
            return []
        pieces = self.desktop.pieces()
        changed = self._painter.paint(pieces, self.desktop.theme)
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
