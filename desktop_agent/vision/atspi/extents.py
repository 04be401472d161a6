"""Corrects the bounds of widgets that a program draws itself inside a toolkit's window (LibreOffice on GTK 3).

LibreOffice measures its own widgets from the top of the window, as if there were no menu bar: all of them are
too high by the menu bar's height. Its outermost widget, a root pane, has the size of the toolkit's panel that it
fills, and that panel's bounds are right, like those of the toolkit's widgets inside.
"""

from __future__ import annotations

from desktop_agent.protocol.geometry import Rect
from desktop_agent.vision.atspi import constants as names
from desktop_agent.vision.atspi.tree import AccessibleApplication, Node

PANE = "root pane"
"""Role of the outermost self-drawn widget; GTK itself never uses it."""


def correct_extents(application: AccessibleApplication) -> None:
    """Move each root pane, with its descendants, onto the panel of the same size, if there is exactly one such place."""
    for pane in [node for node in application.nodes.values() if node.role == PANE]:
        inside = _below(pane)
        own = {node.path for node in inside}
        _hide_menus(inside)
        panels = {
            node.bounds
            for node in application.nodes.values()
            if node.role == "panel" and node.path not in own and _fits(node.bounds, pane.bounds)
        }
        if len(panels) == 1 and pane.bounds is not None:
            (place,) = panels
            if place is not None:
                _move(inside, place.x - pane.bounds.x, place.y - pane.bounds.y)


def _hide_menus(inside: list[Node]) -> None:
    """Mark the menus of a menu bar without a size as not showing: the toolkit draws a menu bar in its place."""
    for bar in inside:
        if bar.role == "menu bar" and bar.bounds is None:
            for node in _below(bar):
                node.states &= ~names.SHOWING


def _fits(panel: Rect | None, pane: Rect | None) -> bool:
    return panel is not None and pane is not None and not pane.empty and panel.size == pane.size


def _below(pane: Node) -> list[Node]:
    found = [pane]
    for node in found:
        found += node.children
    return found


def _move(nodes: list[Node], x: int, y: int) -> None:
    for node in nodes:
        if (bounds := node.bounds) is not None and not node.native:
            node.bounds = bounds.moved(x, y)
            node.shift = (x, y)
