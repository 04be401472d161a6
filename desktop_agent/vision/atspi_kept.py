"""What was read of each application before, and whether it may be told again without being asked for.

An application's elements are told again only while it shows no sign of life: no accessibility event,
nothing drawn where its elements are, no window that came, went or moved. Toolkits do not send events
for everything that changes (none for most changes of place), but nothing changes that a person sees
without being drawn.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from desktop_agent.protocol.geometry import Rect
from desktop_agent.vision.atspi_quirks import GTK2, GTK3, GTK4, QT
from desktop_agent.vision.atspi_tree import Application, Node
from desktop_agent.vision.atspi_wire import Signal
from desktop_agent.vision.drawn import Drawn, DrawnError
from desktop_agent.vision.observation import Element

LAG_SECONDS = 1.0
"""So long a tree may take to follow what is drawn, where another process draws (browsers, office programs)."""

_AT_ONCE = frozenset((GTK2, GTK3, QT))  # the tree of these is the widgets themselves


@dataclass(frozen=True)
class Kept:
    """The elements of one application, where they are, and when (monotonic) their reading began."""

    elements: Sequence[Element]
    areas: tuple[Rect, ...]
    began: float


@dataclass
class Keeping:
    """The accounts of all applications of one session, by bus name."""

    environment: Mapping[str, str]
    _drawn: Drawn | None = None
    _tried: bool = False
    _kept: dict[str, Kept] = field(default_factory=dict)
    _alive: dict[str, float] = field(default_factory=dict)

    def hear(self, signal: Signal) -> None:
        """An application said that something has changed."""
        self._alive[signal.sender] = time.monotonic()

    def look(self) -> None:
        """Find out where something was drawn since the last time."""
        if not self._tried:
            self._tried = True
            self._open()
        if self._drawn is None:
            return
        try:
            areas, moved = self._drawn.since()
        except DrawnError:
            self.close()
            self._tried = True  # it will not come back
            return
        now = time.monotonic()
        for name, kept in self._kept.items():
            if moved or _touched(kept.areas, areas):
                self._alive[name] = now

    def _open(self) -> None:
        try:
            self._drawn = Drawn(self.environment)
        except DrawnError:
            self._drawn = None  # everything is read anew each time

    def still(self, bus_name: str, toolkit: str) -> Kept | None:
        """What was read of an application, when it has not moved since; None when it is to be read."""
        kept = self._kept.get(bus_name)
        if kept is None or self._drawn is None:
            return None
        lag = 0.0 if toolkit in _AT_ONCE else LAG_SECONDS
        return kept if kept.began >= self._alive.get(bus_name, 0.0) + lag else None

    def keep(self, application: Application, toolkit: str, elements: Sequence[Element], began: float) -> None:
        """Elements of an application that answered everything, read from `began` on."""
        if toolkit != GTK4:  # its places are not those on the screen
            areas = tuple(area for root in application.roots if not (area := _area(root)).empty)
            self._kept[application.bus_name] = Kept(elements, areas, began)

    def forget(self, bus_names: Iterable[str]) -> None:
        """These have gone, or did not answer."""
        for name in bus_names:
            self._kept.pop(name, None)
            self._alive.pop(name, None)

    def close(self) -> None:
        """Forget all, and let go of the display."""
        self._kept.clear()
        self._alive.clear()
        self._tried = False
        if self._drawn is not None:
            self._drawn.close()
            self._drawn = None


def _touched(areas: Iterable[Rect], drawn: Sequence[Rect]) -> bool:
    return any(not area.intersection(each).empty for area in areas for each in drawn)


def _area(root: Node) -> Rect:
    """The box around a node and all below it: the list of a combo box may reach beyond its window."""
    boxes, left = [], [root]
    while left:
        node = left.pop()
        left += node.children
        if node.bounds is not None and not node.bounds.empty:
            boxes.append(node.bounds)
    if not boxes:
        return Rect(0, 0, 0, 0)
    x, y = min(box.x for box in boxes), min(box.y for box in boxes)
    return Rect(x, y, max(box.right for box in boxes) - x, max(box.bottom for box in boxes) - y)
