"""Caches the tree of each application and decides which part of it is still valid.

Two sources say what may have changed: the application's accessibility events, and where on the screen
something was drawn (X Damage). Toolkits do not send events for everything (most send none for a change of
place), but nothing visible changes without being drawn.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from desktop_agent.platforms.x11.damage_account import DamageAccount, DamageError
from desktop_agent.protocol.geometry import Rect, bounding_box
from desktop_agent.vision.atspi.reuse import ANYWHERE, NOTHING, Reusable
from desktop_agent.vision.atspi.tree import GTK2, GTK3, GTK4, QT, AccessibleApplication, Node
from desktop_agent.vision.atspi.wire import Signal
from desktop_agent.vision.elements.occlusion import WindowBounds
from desktop_agent.vision.observation import Element

LAG_SECONDS = 1.0
"""Longest delay of a tree behind what is drawn, where another process or thread draws (browsers, office programs)."""

_AT_ONCE = frozenset((GTK2, GTK3, QT))  # their tree is the widgets themselves, so it never lags
_MAX_SIGNS = 500


@dataclass(frozen=True)
class CachedApplication:
    """One application as last read: its nodes and elements, when that read began (monotonic), and its screen areas."""

    application: AccessibleApplication
    elements: Sequence[Element]
    began: float
    areas: tuple[Rect, ...]


@dataclass
class _Changes:
    """What may have changed in one application since it was read, each with the time it was noticed (monotonic).

    `named` are paths of objects that sent events, `drawn` screen rectangles drawn in.
    """

    named: dict[str, float] = field(default_factory=dict)
    drawn: dict[Rect, float] = field(default_factory=dict)
    whole: float = 0.0
    """When all of it may have changed last (windows moved, too many changes to list)."""

    @property
    def last(self) -> float:
        return max(self.whole, *self.named.values(), *self.drawn.values(), 0.0)

    def name(self, path: str, now: float) -> None:
        """Record an event of the object at this path."""
        self.named[path] = now
        self._bound(now)

    def draw(self, areas: Iterable[Rect], moved: bool, now: float) -> None:
        """Record drawing in these screen areas; with `moved` windows anything may have changed."""
        self.drawn |= dict.fromkeys(areas, now)
        if moved:
            self.whole = now
        self._bound(now)

    def _bound(self, now: float) -> None:
        if len(self.named) + len(self.drawn) > _MAX_SIGNS:
            self.named, self.drawn, self.whole = {}, {}, now

    def drop(self, before: float) -> None:
        """Forget changes older than this time."""
        self.named = {path: at for path, at in self.named.items() if at >= before}
        self.drawn = {area: at for area, at in self.drawn.items() if at >= before}


@dataclass
class TreeCache:
    """The cached trees of all applications of one session, by bus name, with what changed since."""

    environment: Mapping[str, str]
    _damage: DamageAccount | None = None
    _tried: bool = False
    _screen: Rect = ANYWHERE
    _windows: Sequence[WindowBounds] = ()
    _kept: dict[str, CachedApplication] = field(default_factory=dict)
    _signs: dict[str, _Changes] = field(default_factory=dict)

    def record_event(self, signal: Signal) -> None:
        """Record an accessibility event."""
        self._signs.setdefault(signal.sender, _Changes()).name(signal.path, time.monotonic())

    def told(self, bus_name: str, since: float) -> bool:
        """Has this application sent an event since that time (monotonic)?"""
        signs = self._signs.get(bus_name)
        return signs is not None and any(at >= since for at in signs.named.values())

    def set_windows(self, windows: Sequence[WindowBounds]) -> None:
        """Set the windows on the screen, from front to back."""
        self._windows = tuple(windows)

    def poll_damage(self) -> None:
        """Record where something was drawn since the last call."""
        if not self._tried:
            self._tried = True
            self._open()
        if self._damage is None:
            return
        try:
            areas, moved, screen = self._damage.since()
        except DamageError:
            self.close()
            self._tried = True  # a lost display does not come back
            return
        moved, self._screen = moved or screen != self._screen, screen
        now = time.monotonic()
        for name, kept in self._kept.items():
            self._signs[name].draw((each for each in areas if _touched(kept.areas, each)), moved, now)

    def _open(self) -> None:
        try:
            self._damage = DamageAccount(self.environment)
        except DamageError:
            self._damage = None  # then nothing is ever taken from the cache

    def unchanged(self, bus_name: str, toolkit: str) -> CachedApplication | None:
        """The cached application when nothing in it can have changed since it was read; else None."""
        kept = self._usable(bus_name, toolkit)
        return kept if kept and kept.began > self._signs[bus_name].last + _lag(toolkit) else None

    def reusable(self, bus_name: str, toolkit: str) -> Reusable:
        """The nodes of a changed application that are still valid."""
        kept, signs = self._usable(bus_name, toolkit), self._signs.get(bus_name)
        if kept is None or signs is None or kept.began <= signs.whole + _lag(toolkit):
            return NOTHING
        # Changes before the last read are in it, but for those the tree may have lagged behind.
        signs.drop(kept.began - _lag(toolkit))
        hidden = (*_outside(self._screen), *self._covering(kept.application.pid))
        return Reusable(kept.application.roots, signs.named, tuple(signs.drawn), hidden)

    def _covering(self, pid: int) -> Iterator[Rect]:
        """Bounds of the windows in front of this process's rearmost window."""
        own = [index for index, window in enumerate(self._windows) if window.pid == pid]
        # In a container the process id on the bus differs from that of the window.
        return (window.bounds for window in self._windows[: max(own, default=len(self._windows))])

    def _usable(self, bus_name: str, toolkit: str) -> CachedApplication | None:
        # GTK 4 gives coordinates relative to its window, which cannot be compared with what is drawn.
        return self._kept.get(bus_name) if self._damage is not None and toolkit != GTK4 else None

    def keep(self, application: AccessibleApplication, elements: Sequence[Element], began: float) -> None:
        """Cache an application that answered everything; `began` is when its read began (monotonic)."""
        areas = tuple(area for root in application.roots if not (area := _area(root)).empty)
        self._kept[application.bus_name] = CachedApplication(application, elements, began, areas)
        self._signs.setdefault(application.bus_name, _Changes())

    def forget(self, bus_names: Iterable[str]) -> None:
        """Drop applications that have gone or did not answer."""
        for name in bus_names:
            self._kept.pop(name, None)
            self._signs.pop(name, None)

    def close(self) -> None:
        """Drop everything and disconnect from the display."""
        self._kept.clear()
        self._signs.clear()
        self._tried = False
        if self._damage is not None:
            self._damage.close()
            self._damage = None


def _outside(screen: Rect) -> tuple[Rect, ...]:
    """Four rectangles that cover everything outside a screen."""
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
    """The bounding box of a node and all its descendants: the list of a combo box may reach beyond its window."""
    boxes, left = [], [root]
    while left:
        node = left.pop()
        left += node.children
        if node.bounds is not None and not node.bounds.empty:
            boxes.append(node.bounds)
    if not boxes:
        return Rect(0, 0, 0, 0)
    return bounding_box(boxes)
