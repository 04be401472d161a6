"""The pixels of a simulated desktop, drawn when somebody looks."""

from __future__ import annotations

import threading

from desktop_agent.protocol.geometry import Rect
from desktop_agent.simulation.desktop import SimulatedDesktop
from desktop_agent.simulation.painter import Painter


class SceneScreen:
    """Draws what has changed since the last look. `lock` is held by whoever reads or works the desktop."""

    def __init__(self, desktop: SimulatedDesktop) -> None:
        self.desktop = desktop
        self.lock = threading.RLock()
        self._painter = Painter(desktop.size)
        self._drawn = -1

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
        return changed
