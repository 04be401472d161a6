"""Reads the monitor layout of an X display (RandR)."""

from __future__ import annotations

from typing import Any

import xcffib
import xcffib.randr

from desktop_agent.platforms.x11.connection import Display
from desktop_agent.protocol.geometry import Geometry, Rect, layout


class Monitors:
    """Queries the monitors of one display."""

    def __init__(self, display: Display) -> None:
        self._display = display
        self._randr = self._newest_randr()

    def _newest_randr(self) -> Any:
        """The RandR extension; None below 1.5, which has no monitors: then the root window is the only one."""
        name = xcffib.randr.key.name
        if not self._display.core.QueryExtension(len(name), name).reply().present:
            return None
        randr = self._display.connection(xcffib.randr.key)
        version = randr.QueryVersion(1, 5).reply()
        return randr if (version.major_version, version.minor_version) >= (1, 5) else None

    def _monitors(self) -> list[Any]:
        return self._randr.GetMonitors(self._display.root, True).reply().monitors if self._randr else []

    def of_wayland(self) -> bool:
        """True when the server is Xwayland (its outputs are called XWAYLAND0, …), which shows X11 programs only."""
        names = (self._display.core.GetAtomName(m.name).reply().name.raw for m in self._monitors())
        return any(name.startswith(b"XWAYLAND") for name in names)

    def geometry(self) -> Geometry:
        """The layout as it is now, the primary monitor first."""
        root = self._display.core.GetGeometry(self._display.root)
        ordered = sorted(self._monitors(), key=lambda m: (not m.primary, m.x, m.y))
        size = root.reply()
        whole = Rect(0, 0, size.width, size.height)
        # A monitor may be set to reach beyond the screen's pixels, and two may show the same part.
        parts = (Rect(m.x, m.y, m.width, m.height).intersection(whole) for m in ordered)
        return layout(tuple(dict.fromkeys(part for part in parts if not part.empty)) or (whole,))
