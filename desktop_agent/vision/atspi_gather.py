"""One read of the accessibility tree: which applications are asked, and how.

Three ways, from the fastest: the application's cache in one answer; the paths of all that is showing
in one answer and then node by node (Chromium, whose cache misses every page that came after the
first); from parent to children (Qt, which keeps no cache, and GTK 4, whose cache has a part only).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from functools import partial

from desktop_agent.vision import atspi_names as names
from desktop_agent.vision.atspi_bus import DBUS, Bus
from desktop_agent.vision.atspi_questions import ACCESSIBLE, ROOT, Questions, property_of
from desktop_agent.vision.atspi_quirks import CHROMIUM, GTK2, GTK4, mend
from desktop_agent.vision.atspi_tree import Application, Node
from desktop_agent.vision.atspi_visit import MAX_NODES, Remembered, Visitor
from desktop_agent.vision.atspi_wire import ITEMS, Call, Item, Reply, decode_items, number, references, text

REGISTRY = ("org.a11y.atspi.Registry", "/org/a11y/atspi/registry", "org.a11y.atspi.Registry")

_CACHE = ("/org/a11y/atspi/cache", "org.a11y.atspi.Cache")
_LATE_SECONDS = 0.05


@dataclass
class Facts:
    """What stays true of an application as long as it is on the bus."""

    pid: int = 0
    name: str = ""
    toolkit: str = ""
    nodes: dict[str, Remembered] = field(default_factory=dict)


class Gathering:
    """Asks all applications at once; `applications` holds what was answered when `run` returns."""

    def __init__(self, bus: Bus, known: dict[str, Facts], ignored: Collection[int], only: int = 0) -> None:
        """`ignored` processes are not asked; with `only`, no other than this one."""
        self._bus = bus
        self._known = known
        self._ignored = ignored
        self._only = only
        self.applications: list[Application] = []

    def run(self, deadline: float) -> None:
        """Ask until all is answered or the monotonic deadline. Raises BusError."""
        self._bus.catch_up(_LATE_SECONDS)
        self._bus.call(Call(REGISTRY[0], ROOT, ACCESSIBLE, "GetChildren"), self._on_applications)
        self._bus.run(deadline)
        for application in self.applications:
            application.link()

    def _on_applications(self, reply: Reply) -> None:
        found = dict.fromkeys(bus_name for bus_name, _ in references(reply))
        for gone in self._known.keys() - found.keys():
            del self._known[gone]
        silent = self._bus.silent()
        for bus_name in found:
            if bus_name in silent:
                continue
            if bus_name in self._known and self._known[bus_name].toolkit:
                self._read(bus_name)
            else:  # also one that was too busy to say what it is
                self._meet(bus_name)

    def _meet(self, bus_name: str) -> None:
        """Ask a new application who it is; its process first, as it may be our own and busy waiting here."""
        facts = Facts()

        def on_pid(reply: Reply) -> None:
            facts.pid = number(reply)
            self._known[bus_name] = facts
            if facts.pid in self._ignored:
                return
            toolkit = property_of(bus_name, ROOT, "org.a11y.atspi.Application", "ToolkitName")
            self._bus.call(property_of(bus_name, ROOT, ACCESSIBLE, "Name"), on_name)
            self._bus.call(toolkit, on_toolkit)

        def on_name(reply: Reply) -> None:
            facts.name = text(reply)

        def on_toolkit(reply: Reply) -> None:
            facts.toolkit = text(reply)
            self._read(bus_name)

        self._bus.call(Call(*DBUS, "GetConnectionUnixProcessID", "s", (bus_name,)), on_pid)

    def _read(self, bus_name: str) -> None:
        facts = self._known[bus_name]
        if facts.pid in self._ignored or (self._only and facts.pid != self._only):
            return
        application = Application(bus_name, facts.name, facts.pid)
        self.applications.append(application)
        visitor = Visitor(self._bus, application, facts.toolkit, facts.nodes)
        if facts.toolkit == CHROMIUM:
            visitor.visit_showing()
        elif facts.toolkit == GTK4:
            visitor.walk()
        else:
            items = Call(bus_name, *_CACHE, "GetItems")
            self._bus.call(items, partial(self._on_items, application, visitor, facts.toolkit))

    def _on_items(self, application: Application, visitor: Visitor, toolkit: str, reply: Reply) -> None:
        if reply.signature != ITEMS or len(reply.body) <= 8:  # an error, or an empty array
            visitor.walk()
            return
        questions = Questions(self._bus, application)
        rows, children = decode_items(reply.body, names.VISIBLE if toolkit == GTK2 else names.SHOWING)
        for item in rows[:MAX_NODES]:
            node = _node(item)
            mend(node, toolkit)
            if node.role != "application" and node.states & names.SHOWING:
                questions.ask(node)
                # GTK 2 misses what came later; lists that manage their own are never complete.
                incomplete = item.children > children[item.path]
                if incomplete or item.states & names.MANAGES_DESCENDANTS:
                    visitor.look_below(node, 0)
        visitor.bridge({node.parent for node in application.nodes.values()})


def _node(item: Item) -> Node:
    return Node(
        item.path, item.parent, item.index_in_parent, names.role_name(item.role), item.name,
        item.description, item.states, item.interfaces,
    )  # fmt: skip
