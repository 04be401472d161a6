"""Selects the cached nodes of an application that no event named and nothing was drawn over since they were read."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from desktop_agent.protocol.geometry import Rect
from desktop_agent.vision.atspi.tree import MAX_DEPTH, Node

Places = tuple[Rect, ...]
ANYWHERE = Rect(-32_768, -32_768, 65_536, 65_536)  # X11 coordinates are 16-bit


class Reusable:
    """The nodes of an earlier read that are still valid.

    Drawing is only noticed where something is visible. So a node that is, or may be, out of sight (clipped or
    covered) counts as lying anywhere within its ancestors: it may have come into sight there.
    """

    def __init__(
        self,
        roots: Sequence[Node],
        named: Collection[str] = (),
        drawn: Sequence[Rect] = (),
        hidden: Sequence[Rect] = (),
    ) -> None:
        """`named` are paths of objects that sent events, `drawn` the screen rectangles drawn in.

        `hidden` are the screen rectangles in which nothing of the application is visible.
        """
        self._nodes: dict[str, Node] = {}
        self._children: dict[str, list[str]] = {}
        for node, places in _placed(roots, hidden):
            self._children[node.path] = [child.path for child in node.children]
            if node.path not in named and not _meet(places, drawn):
                self._nodes[node.path] = node

    def take(self, path: str) -> Node | None:
        """A copy of a valid node as the application gave it, without its children; None when it has to be queried."""
        node = self._nodes.get(path)
        if node is None:
            return None
        (x, y), bounds = node.shift, node.bounds
        told = bounds.moved(-x, -y) if bounds else None
        return replace(node, children=[], bounds=told, shift=(0, 0))

    def children(self, path: str) -> Sequence[str]:
        """The paths of a node's children in the earlier read, in order."""
        return self._children.get(path, ())


def _placed(roots: Sequence[Node], hidden: Sequence[Rect]) -> Iterator[tuple[Node, Places]]:
    """Every node with the rectangles in which a change of it would be drawn."""
    level = [(root, _Around(ANYWHERE, (ANYWHERE,)).place(root, hidden)) for root in roots]
    for _ in range(MAX_DEPTH + 1):
        yield from ((node, around.places) for node, around in level)
        level = [(child, around.place(child, hidden)) for node, around in level for child in node.children]


class _Around(NamedTuple):
    """A node's surroundings: the rectangle that clips it, and the rectangles in which it may come into sight."""

    sight: Rect
    places: Places

    def place(self, node: Node, hidden: Sequence[Rect]) -> _Around:
        """The surroundings of a node's children."""
        bounds = node.bounds
        if bounds is None or bounds.empty:
            return self
        sight = bounds.intersection(self.sight)
        whole = sight == bounds and not _meet((bounds,), hidden)
        return _Around(sight, (bounds,) if whole else (bounds, *self.places))


def _meet(some: Sequence[Rect], others: Sequence[Rect]) -> bool:
    return any(not one.intersection(other).empty for one in some for other in others)


NOTHING = Reusable(())
