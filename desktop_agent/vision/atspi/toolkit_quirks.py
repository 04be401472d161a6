"""What toolkits say wrongly of their nodes, put right. Toolkits are called by their AT-SPI names."""

from __future__ import annotations

import re

from desktop_agent.vision.atspi import constants as names
from desktop_agent.vision.atspi.tree import STRUCTURE, Node

CHROMIUM, GTK2, GTK3, GTK4, QT = "Chromium", "GAIL", "gtk", "GTK", "Qt"
ROOT = "/org/a11y/atspi/accessible/root"

_LISTS = frozenset(("list", "table", "tree", "tree table"))
_CLASS_NAME = re.compile(r"([A-Z][a-z]+){2,}")


def correct_node(node: Node, toolkit: str) -> None:
    """Correct role, states and name; what then claims to be showing and is not has no size."""
    if toolkit == GTK2 and node.role == "icon":
        _show(node)  # it is not noted when an icon comes into sight
    elif toolkit == GTK4:
        _show(node)  # up to 4.8 only windows say that they are showing
        if node.role != "label" and _CLASS_NAME.fullmatch(node.name):
            node.name = ""  # what has no name is called by its class, like GtkMenuButton
    elif toolkit == QT:
        _mend_qt(node)


def _mend_qt(node: Node) -> None:
    """What is scrolled out of sight says that it is showing; a plain window does not say that it is one."""
    node.clips = node.role in STRUCTURE or node.role in _LISTS
    if node.role == "filler" and node.parent == ROOT and node.name:
        node.role = "frame"


def _show(node: Node) -> None:
    if node.states & names.VISIBLE:
        node.states |= names.SHOWING
