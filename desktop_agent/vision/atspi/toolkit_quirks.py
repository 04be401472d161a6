"""Corrects what toolkits report wrongly about their nodes. Toolkits are identified by their AT-SPI names."""

from __future__ import annotations

import re

from desktop_agent.vision.atspi import constants as names
from desktop_agent.vision.atspi.tree import STRUCTURE, Node

CHROMIUM, GTK2, GTK3, GTK4, QT = "Chromium", "GAIL", "gtk", "GTK", "Qt"
ROOT = "/org/a11y/atspi/accessible/root"

_LISTS = frozenset(("list", "table", "tree", "tree table"))
_CLASS_NAME = re.compile(r"([A-Z][a-z]+){2,}")


def correct_node(node: Node, toolkit: str) -> None:
    """Correct a node's role, states and name, in place. A node that wrongly gets SHOWING here has empty bounds."""
    if toolkit == GTK2 and node.role == "icon":
        _show(node)  # GTK 2 does not update the state when an icon comes into sight
    elif toolkit == GTK4:
        _show(node)  # up to 4.8 only windows have the SHOWING state
        if node.role != "label" and _CLASS_NAME.fullmatch(node.name):
            node.name = ""  # GTK 4 names unnamed widgets by their class, like GtkMenuButton
    elif toolkit == QT:
        _mend_qt(node)


def _mend_qt(node: Node) -> None:
    """Clip what Qt reports as showing although scrolled out of sight; a plain window gets the role "frame"."""
    node.clips = node.role in STRUCTURE or node.role in _LISTS
    if node.role == "filler" and node.parent == ROOT and node.name:
        node.role = "frame"


def _show(node: Node) -> None:
    if node.states & names.VISIBLE:
        node.states |= names.SHOWING
