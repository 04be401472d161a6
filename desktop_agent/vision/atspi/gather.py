"""Reads the accessibility tree once: decides which applications are queried and in which way, and corrects the bounds they tell.

Three ways, fastest first: the application's cache in one reply (Cache.GetItems); the paths of all showing nodes
in one reply (Collection.GetMatches), then node by node (Chromium, whose cache lacks every page after the first);
a walk from parent to children (Qt, which keeps no cache, and GTK 4, whose cache is incomplete).
"""

from __future__ import annotations

import struct
import time
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from desktop_agent.protocol.geometry import Rect
from desktop_agent.vision.atspi import constants as names
from desktop_agent.vision.atspi.bus import DBUS, Bus
from desktop_agent.vision.atspi.cache import TreeCache
from desktop_agent.vision.atspi.node_queries import ACCESSIBLE, NodeQueries, property_of
from desktop_agent.vision.atspi.reuse import Reusable
from desktop_agent.vision.atspi.tree import (
    CHROMIUM,
    GTK2,
    GTK4,
    ROOT,
    AccessibleApplication,
    Node,
    correct_node,
    elements_of,
)
from desktop_agent.vision.atspi.walk import MAX_NODES, Remembered, TreeWalker
from desktop_agent.vision.atspi.wire import BusReply, Call, number, references, string, text
from desktop_agent.vision.observation import Element

REGISTRY = ("org.a11y.atspi.Registry", "/org/a11y/atspi/registry", "org.a11y.atspi.Registry")

_CACHE = ("/org/a11y/atspi/cache", "org.a11y.atspi.Cache")
_LATE_SECONDS = 0.05


ITEMS = "a((so)(so)(so)iiassusau)"
"""D-Bus signature of the reply to `org.a11y.atspi.Cache.GetItems`."""
_U32 = struct.Struct("<I")
_TWO = struct.Struct("<ii")


PANE = "root pane"
"""Role of the outermost self-drawn widget; GTK itself never uses it."""


@dataclass
class ApplicationFacts:
    """What does not change about an application while it is on the bus."""

    pid: int = 0
    name: str = ""
    toolkit: str = ""
    nodes: dict[str, Remembered] = field(default_factory=dict)


class TreeGatherer:
    """One read: queries all applications in parallel; an unchanged one comes from the cache after a ping."""

    def __init__(
        self,
        bus: Bus,
        known: dict[str, ApplicationFacts],
        cache: TreeCache,
        ignored: Collection[int] = (),
        only: int = 0,
        pid_here: Callable[[int], int] = int,
    ) -> None:
        """`known` is kept from read to read. `ignored` processes are not queried; with `only`, no other than this one.

        `pid_here` gives the process's number on this computer for one that the bus tells.
        """
        self._pid_here = pid_here
        self._bus = bus
        self._known = known
        self._cache = cache
        self._ignored = ignored
        self._only = only
        self._began = 0.0
        self._elements: dict[str, Sequence[Element]] = {}
        self.applications: dict[str, AccessibleApplication] = {}
        """The applications read this time, by bus name."""

    def run(self, deadline: float, longest: float = 0.0) -> list[Element]:
        """Read until all is answered or the deadline (monotonic seconds) passes; returns the elements by application.

        While answers keep coming it continues until `longest`, if that is later. Raises BusError.
        """
        self._bus.catch_up(_LATE_SECONDS)
        self._cache.poll_damage()
        self._began = time.monotonic()
        self._bus.call(Call(REGISTRY[0], ROOT, ACCESSIBLE, "GetChildren"), self._on_applications)
        self._bus.run(deadline, longest)
        late = self._bus.silent()
        for name, application in self.applications.items():
            application.link()
            correct_extents(application)
            self._elements[name] = elements_of(application)
            if name not in late:
                self._cache.keep(application, self._elements[name], self._began)
        return [element for name in self._known for element in self._elements.get(name, ())]

    def _on_applications(self, reply: BusReply) -> None:
        found = dict.fromkeys(bus_name for bus_name, _ in references(reply))
        for gone in self._known.keys() - found.keys():
            del self._known[gone]
            self._cache.forget((gone,))
            self._bus.disconnect(gone)
        silent = self._bus.silent()
        for bus_name in found:
            if bus_name in silent:
                continue
            if bus_name in self._known and self._known[bus_name].toolkit:
                self._recall(bus_name)
            else:  # also one that was too busy to name its toolkit
                self._meet(bus_name)

    def _meet(self, bus_name: str) -> None:
        """Query a new application's name and toolkit, then read it.

        Its process id comes first, from the bus: it may be our own process, which waits here and cannot answer.
        """
        facts = ApplicationFacts()

        def on_pid(reply: BusReply) -> None:
            facts.pid = self._pid_here(number(reply))
            self._known[bus_name] = facts
            if facts.pid in self._ignored:
                return
            toolkit = property_of(bus_name, ROOT, "org.a11y.atspi.Application", "ToolkitName")
            self._bus.call(property_of(bus_name, ROOT, ACCESSIBLE, "Name"), on_name)
            self._bus.call(toolkit, on_toolkit)
            address = Call(bus_name, ROOT, "org.a11y.atspi.Application", "GetApplicationBusAddress")
            self._bus.call(address, on_address)

        def on_name(reply: BusReply) -> None:
            facts.name = text(reply)

        def on_toolkit(reply: BusReply) -> None:
            facts.toolkit = text(reply)

        def on_address(reply: BusReply) -> None:
            if facts.toolkit and (address := text(reply)):
                self._bus.connect(bus_name, address)
            self._read(bus_name)

        self._bus.call(Call(*DBUS, "GetConnectionUnixProcessID", "s", (bus_name,)), on_pid)

    def _asked_for(self, bus_name: str) -> bool:
        pid = self._known[bus_name].pid
        return pid not in self._ignored and self._only in (0, pid)

    def _recall(self, bus_name: str) -> None:
        """Take an application from the cache if it answers and nothing has changed; else read it."""
        toolkit = self._known[bus_name].toolkit
        if self._cache.unchanged(bus_name, toolkit) is None or not self._asked_for(bus_name):
            self._read(bus_name)
            return

        def on_answer(_: BusReply) -> None:
            # Events that it sent before this answer have arrived by now.
            if kept := self._cache.unchanged(bus_name, toolkit):
                self._elements[bus_name] = kept.elements
            else:
                self._read(bus_name)

        self._bus.call(property_of(bus_name, ROOT, ACCESSIBLE, "ChildCount"), on_answer, over_bus=True)

    def _read(self, bus_name: str) -> None:
        if not self._asked_for(bus_name):
            return
        facts = self._known[bus_name]
        application = self.applications[bus_name] = AccessibleApplication(bus_name, facts.name, facts.pid)
        reusable = self._cache.reusable(bus_name, facts.toolkit)
        visitor = TreeWalker(self._bus, application, facts.toolkit, facts.nodes, reusable)
        if facts.toolkit == CHROMIUM:
            visitor.visit_showing()
        elif facts.toolkit == GTK4:
            visitor.walk()
        else:
            items = Call(bus_name, *_CACHE, "GetItems")
            self._bus.call(items, partial(self._on_items, application, visitor, facts.toolkit, reusable))

    def _on_items(
        self,
        application: AccessibleApplication,
        visitor: TreeWalker,
        toolkit: str,
        reusable: Reusable,
        reply: BusReply,
    ) -> None:
        if reply.signature != ITEMS or len(reply.body) <= 8:  # an error, or an empty array
            visitor.walk()
            return
        questions = NodeQueries(self._bus, application)
        rows, children = decode_items(reply.body, names.VISIBLE if toolkit == GTK2 else names.SHOWING)
        foreign = any(names.role_name(item.role) == PANE for item in rows)
        for item in rows[:MAX_NODES]:
            node = _node(item)
            node.measured = foreign
            correct_node(node, toolkit)
            if node.role != "application" and node.states & names.SHOWING:
                questions.ask(node, reusable.take(node.path))
                # GTK 2's cache lacks later children; lists that manage their own children are never complete.
                incomplete = item.children > children[item.path]
                if incomplete or item.states & names.MANAGES_DESCENDANTS:
                    visitor.look_below(node, 0)
        visitor.bridge({node.parent for node in application.nodes.values()})


def _node(item: Item) -> Node:
    return Node(
        item.path, item.parent, item.index_in_parent, names.role_name(item.role), item.name,
        item.description, item.states, item.interfaces,
    )  # fmt: skip


class Item(NamedTuple):
    """One row of a GetItems reply; `states` is the 64-bit state set, `children` their number (-1 if unknown)."""

    path: str
    parent: str
    index_in_parent: int
    children: int
    interfaces: bytes
    name: str
    role: int
    description: str
    states: int


def decode_items(body: bytes, states: int) -> tuple[list[Item], Counter[str]]:
    """The rows that have all the bits of `states`, and the number of rows per parent path, filtered or not."""
    (size,) = _U32.unpack_from(body)
    position, end = 8, 8 + size
    rows: list[Item] = []
    children: Counter[str] = Counter()
    while position < end:
        position += -position % 8
        row, parent, position = _item(body, position, states)
        children[parent] += 1
        if row is not None:
            rows.append(row)
    return rows, children


def _item(body: bytes, position: int, wanted: int) -> tuple[Item | None, str, int]:
    u32 = _U32.unpack_from
    marks: list[int] = []
    for _ in range(6):  # three references: bus name, path; each is a struct, aligned to 8
        if len(marks) % 2 == 0:
            position += -position % 8
        position += -position % 4
        marks.append(position)
        position += u32(body, position)[0] + 5
    position += -position % 4
    index, children = _TWO.unpack_from(body, position)
    interfaces = position + 12
    position = interfaces + u32(body, position + 8)[0]
    interfaces_end = position
    position += -position % 4
    name = position
    position += u32(body, position)[0] + 5
    position += -position % 4
    (role,) = u32(body, position)
    description = position + 4
    position = description + u32(body, description)[0] + 5
    position += -position % 4
    count = u32(body, position)[0] // 4
    bits = u32(body, position + 4)[0] if count else 0
    if count > 1:
        bits |= u32(body, position + 8)[0] << 32
    position += 4 + 4 * count
    parent = string(body, marks[5])
    if bits & wanted != wanted:
        return None, parent, position
    item = Item(
        string(body, marks[1]), parent, index, children, body[interfaces:interfaces_end],
        string(body, name), role, string(body, description), bits,
    )  # fmt: skip
    return item, parent, position


# LibreOffice measures its own widgets from the top of the window, as if there were no menu bar: all of them are
# too high by the menu bar's height. Its outermost widget, a root pane, has the size of the toolkit's panel that it
# fills, and that panel's bounds are right, like those of the toolkit's widgets inside.
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
