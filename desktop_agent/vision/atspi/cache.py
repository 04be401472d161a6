"""What was read of each application before, and how much of it may be told again without being asked for.

Two witnesses say what may have changed: the accessibility events of the application, and where on the
screen something was drawn. Toolkits do not send events for everything (a change of place has none in
most of them), but nothing changes that a person sees without being drawn.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from desktop_agent.platforms.x11.damage_account import DamageAccount, DamageError
from desktop_agent.protocol.geometry import Rect, bounding_box
from desktop_agent.vision.atspi.reuse import ANYWHERE, NOTHING, Reusable
from desktop_agent.vision.atspi.toolkit_quirks import GTK2, GTK3, GTK4, QT
from desktop_agent.vision.atspi.tree import AccessibleApplication, Node
from desktop_agent.vision.atspi.wire import Signal
from desktop_agent.vision.elements.occlusion import WindowBounds
from desktop_agent.vision.observation import Element

LAG_SECONDS = 1.0
"""So long a tree may take to follow what is drawn, where another process draws (browsers, office programs)."""

_AT_ONCE = frozenset((GTK2, GTK3, QT))  # the tree of these is the widgets themselves
_MAX_SIGNS = 500


@dataclass(frozen=True)
class CachedApplication:
    """One application as it was read: when its reading began (monotonic), its nodes, and where they are."""

    application: AccessibleApplication
    elements: Sequence[Element]
    began: float
    areas: tuple[Rect, ...]


@dataclass
class _Changes:
    """The signs of life of one application, each with the time when it was noticed."""

    named: dict[str, float] = field(default_factory=dict)
    drawn: dict[Rect, float] = field(default_factory=dict)
    whole: float = 0.0
    """When last anything may have changed."""

    @property
    def last(self) -> float:
        return max(self.whole, *self.named.values(), *self.drawn.values(), 0.0)

    def name(self, path: str, now: float) -> None:
        """The object at this path sent an event."""
        self.named[path] = now
        self._bound(now)

    def draw(self, areas: Iterable[Rect], moved: bool, now: float) -> None:
        """Something was drawn there; windows have `moved`."""
        self.drawn |= dict.fromkeys(areas, now)
        if moved:
            self.whole = now
        self._bound(now)

    def _bound(self, now: float) -> None:
        if len(self.named) + len(self.drawn) > _MAX_SIGNS:
            self.named, self.drawn, self.whole = {}, {}, now

    def drop(self, before: float) -> None:
        """Forget what is older."""
        self.named = {path: at for path, at in self.named.items() if at >= before}
        self.drawn = {area: at for area, at in self.drawn.items() if at >= before}


@dataclass
class TreeCache:
    """The accounts of all applications of one session, by bus name."""

    environment: Mapping[str, str]
    _drawn: DamageAccount | None = None
    _tried: bool = False
    _screen: Rect = ANYWHERE
    _windows: Sequence[WindowBounds] = ()
    _kept: dict[str, CachedApplication] = field(default_factory=dict)
    _signs: dict[str, _Changes] = field(default_factory=dict)

    def hear(self, signal: Signal) -> None:
        """An application said that something has changed."""
        self._signs.setdefault(signal.sender, _Changes()).name(signal.path, time.monotonic())

    def arrange(self, windows: Sequence[WindowBounds]) -> None:
        """Which windows there are, from front to back."""
        self._windows = tuple(windows)

    def look(self) -> None:
        """Find out where something was drawn since the last time."""
        if not self._tried:
            self._tried = True
            self._open()
        if self._drawn is None:
            return
        try:
            areas, moved, screen = self._drawn.since()
        except DamageError:
            self.close()
            self._tried = True  # it will not come back
            return
        moved, self._screen = moved or screen != self._screen, screen
        now = time.monotonic()
        for name, kept in self._kept.items():
            self._signs[name].draw((each for each in areas if _touched(kept.areas, each)), moved, now)

    def _open(self) -> None:
        try:
            self._drawn = DamageAccount(self.environment)
        except DamageError:
            self._drawn = None  # everything is read anew each time

    def still(self, bus_name: str, toolkit: str) -> CachedApplication | None:
        """An application that has not moved since it was read; None when it is to be read."""
        kept = self._usable(bus_name, toolkit)
        return kept if kept and kept.began > self._signs[bus_name].last + _lag(toolkit) else None

    def reusable(self, bus_name: str, toolkit: str) -> Reusable:
        """What of an application that has moved need not be asked again."""
        kept, signs = self._usable(bus_name, toolkit), self._signs.get(bus_name)
        if kept is None or signs is None or kept.began <= signs.whole + _lag(toolkit):
            return NOTHING
        # What came before the last read is in it, but for what the tree may have been late with.
        signs.drop(kept.began - _lag(toolkit))
        hidden = (*_outside(self._screen), *self._covering(kept.application.pid))
        return Reusable(kept.application.roots, signs.named, tuple(signs.drawn), hidden)

    def _covering(self, pid: int) -> Iterator[Rect]:
        """What lies in front of a window of this process."""
        own = [index for index, window in enumerate(self._windows) if window.pid == pid]
        # In a container the process on the bus is another one than that of the window.
        return (window.bounds for window in self._windows[: max(own, default=len(self._windows))])

    def _usable(self, bus_name: str, toolkit: str) -> CachedApplication | None:
        # The places of GTK 4 are not those on the screen.
        return self._kept.get(bus_name) if self._drawn is not None and toolkit != GTK4 else None

    def keep(self, application: AccessibleApplication, elements: Sequence[Element], began: float) -> None:
        """Keep an application that answered everything, read from `began` on."""
        areas = tuple(area for root in application.roots if not (area := _area(root)).empty)
        self._kept[application.bus_name] = CachedApplication(application, elements, began, areas)
        self._signs.setdefault(application.bus_name, _Changes())

    def forget(self, bus_names: Iterable[str]) -> None:
        """These have gone, or did not answer."""
        for name in bus_names:
            self._kept.pop(name, None)
            self._signs.pop(name, None)

    def close(self) -> None:
        """Forget all, and let go of the display."""
        self._kept.clear()
        self._signs.clear()
        self._tried = False
        if self._drawn is not None:
            self._drawn.close()
            self._drawn = None


def _outside(screen: Rect) -> tuple[Rect, ...]:
    """All around a screen."""
    return (
        Rect(ANYWHERE.x, ANYWHERE.y, ANYWHERE.width, screen.y - ANYWHERE.y),
        Rect(ANYWHERE.x, screen.bottom, ANYWHERE.width, ANYWHERE.bottom - screen.bottom),
        Rect(ANYWHERE.x, ANYWHERE.y, screen.x - ANYWHERE.x, ANYWHERE.height),
        Rect(screen.right, ANYWHERE.y, ANYWHERE.right - screen.right, ANYWHERE.height),
    )


def _lag(toolkit: str) -> float:
    return 0.0 if toolkit in _AT_ONCE else LAG_SECONDS


def _touched(areas: Iterable[Rect], drawn: Rect) -> bool:
    return any(not area.intersection(drawn).empty for area in areas)


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
    return bounding_box(boxes)
