"""Places of what a program draws by itself inside a window of a toolkit, moved to where it is on the screen.

LibreOffice (GTK 3) counts the places of its own widgets from the top of the window, as if there were no
menu bar: all of them are as much too high as the menu bar is. Its outermost widget, a root pane, has
the size of the toolkit's panel that it fills, whose place is right, like that of the toolkit's widgets in it.
"""

from __future__ import annotations

from desktop_agent.protocol.geometry import Rect
from desktop_agent.vision.atspi import constants as names
from desktop_agent.vision.atspi.tree import AccessibleApplication, Node

PANE = "root pane"
"""Role of the outermost widget of what is drawn without the toolkit; GTK itself has none of it."""


def correct_extents(application: AccessibleApplication) -> None:
    """Move each pane, with all in it, into the panel of its size, if there is just one place for it."""
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
    """A menu bar without a size has given its place to one of the toolkit, but goes on telling its menus."""
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
