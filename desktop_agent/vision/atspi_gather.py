"""One read of the accessibility tree: which questions are asked, and where the answers go."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import partial

from desktop_agent.protocol.geometry import Rect
from desktop_agent.vision import atspi_names as names
from desktop_agent.vision.atspi_bus import DBUS, PROPERTIES, Bus
from desktop_agent.vision.atspi_cells import Cells
from desktop_agent.vision.atspi_tree import MAX_DEPTH, MAX_VALUE, Application, Node
from desktop_agent.vision.atspi_wire import (
    ITEMS,
    Call,
    Reply,
    bits,
    decode_items,
    number,
    references,
    strings,
    text,
)  # fmt: skip

REGISTRY = ("org.a11y.atspi.Registry", "/org/a11y/atspi/registry", "org.a11y.atspi.Registry")
MAX_NODES = 3_000
"""Nodes of one application that are looked at."""

_ROOT = "/org/a11y/atspi/accessible/root"
_NOTHING = "/org/a11y/atspi/null"
_CACHE = "/org/a11y/atspi/cache"
_ACCESSIBLE = "org.a11y.atspi.Accessible"
_TEXT = "org.a11y.atspi.Text"
_COMPONENT = "org.a11y.atspi.Component"
_SCREEN = 0  # AtspiCoordType: relative to the screen
_LABELLED_BY = 2  # AtspiRelationType
_MAX_CHILDREN = 400
_FEW = 60
_LATE_SECONDS = 0.05


@dataclass
class Facts:
    """What stays true of an application as long as it is on the bus."""

    name: str = ""
    pid: int = 0


class Gathering:
    """Asks all applications at once; `applications` holds what was answered when `run` returns."""

    def __init__(self, bus: Bus, known: dict[str, Facts], ignored: Collection[int]) -> None:
        self._bus = bus
        self._known = known
        self._ignored = ignored
        self.applications: list[Application] = []

    def run(self, deadline: float) -> None:
        """Ask until all is answered or the monotonic deadline. Raises BusError."""
        self._bus.catch_up(_LATE_SECONDS)
        self._bus.call(Call(REGISTRY[0], _ROOT, _ACCESSIBLE, "GetChildren"), self._on_applications)
        self._bus.run(deadline)
        for application in self.applications:
            application.link()

    # ---- applications ------------------------------------------------------------------------

    def _on_applications(self, reply: Reply) -> None:
        found = {bus_name for bus_name, _ in references(reply)}
        for gone in self._known.keys() - found:
            del self._known[gone]
        for bus_name, path in references(reply):
            if bus_name not in self._bus.silent():
                self._begin(bus_name, path)

    def _begin(self, bus_name: str, path: str) -> None:
        if bus_name in self._known:
            self._ask_for_items(bus_name)
            return
        facts = Facts()

        def on_name(reply: Reply) -> None:
            facts.name = text(reply)
            self._known[bus_name] = facts

        def on_pid(reply: Reply) -> None:
            facts.pid = number(reply)
            self._known.setdefault(bus_name, facts)
            self._ask_for_items(bus_name)

        # Our own process may be on the bus and may be the one that waits here: ask it nothing.
        self._bus.call(Call(*DBUS, "GetConnectionUnixProcessID", "s", (bus_name,)), on_pid)
        self._bus.call(_property(bus_name, path, _ACCESSIBLE, "Name"), on_name)

    def _ask_for_items(self, bus_name: str) -> None:
        facts = self._known[bus_name]
        if facts.pid in self._ignored:
            return
        application = Application(bus_name, facts.name, facts.pid)
        self.applications.append(application)
        call = Call(bus_name, _CACHE, "org.a11y.atspi.Cache", "GetItems")
        self._bus.call(call, partial(self._on_items, application))

    def _on_items(self, application: Application, reply: Reply) -> None:
        if reply.signature != ITEMS or len(reply.body) <= 8:  # an empty array: Qt keeps no cache
            self._walk_below(application, _ROOT, 0)
            return
        items, children = decode_items(reply.body, names.SHOWING)
        for item in items[:MAX_NODES]:
            role = names.role_name(item.role)
            if role != "application":
                self._accept(application, Node(
                    item.path, item.parent[1], item.index_in_parent, role, item.name, item.description,
                    item.states, item.interfaces,
                ))  # fmt: skip
        parents = {node.parent for node in application.nodes.values()}
        for node in list(application.nodes.values()):
            if node.states & names.MANAGES_DESCENDANTS and node.path not in parents:
                self._look_below(application, node, 0)
        # A cache may lack what was added after it was made: Chromium's page, if the reader came first.
        for item in items[:MAX_NODES]:
            if item.children > children[item.path] and not item.states & names.MANAGES_DESCENDANTS:
                self._walk_below(application, item.path, 0)
        for parent in parents:
            self._bridge(application, parent)

    def _bridge(self, application: Application, path: str) -> None:
        """Find the way from a parent that is not showing up to a known node (options of a closed list)."""
        if path in application.nodes or path in (_ROOT, _NOTHING) or len(application.nodes) > MAX_NODES:
            return
        node = application.nodes[path] = Node(path, _ROOT, 0, "invalid", "", "", 0, b"")

        def on_parent(reply: Reply) -> None:
            match reply.values():
                case (("(so)", (_, str(parent))),):
                    node.parent = parent
                    self._bridge(application, parent)

        self._bus.call(_property(application.bus_name, path, _ACCESSIBLE, "Parent"), on_parent)

    # ---- nodes -------------------------------------------------------------------------------

    def _accept(self, application: Application, node: Node) -> None:
        application.nodes[node.path] = node
        call, bus_name, path = self._bus.call, application.bus_name, node.path
        if node.wants_bounds:
            extents = Call(bus_name, path, _COMPONENT, "GetExtents", "u", (_SCREEN,))
            call(extents, partial(_set_bounds, node))
        if node.wants_text:
            count = _property(bus_name, path, _TEXT, "CharacterCount")
            call(count, partial(self._on_count, bus_name, node))
        elif node.wants_number:
            value = _property(bus_name, path, "org.a11y.atspi.Value", "CurrentValue")
            call(value, partial(_set_number, node))
        if node.wants_labels:
            call(Call(bus_name, path, _ACCESSIBLE, "GetRelationSet"), partial(_set_labels, node))

    def _on_count(self, bus_name: str, node: Node, reply: Reply) -> None:
        """Ask for the part of a text that is kept: its start, but the end of what a terminal says."""
        if count := number(reply):
            start = max(0, count - MAX_VALUE) if node.role == "terminal" else 0
            part = (start, min(count, start + MAX_VALUE + 1))
            self._bus.call(Call(bus_name, node.path, _TEXT, "GetText", "ii", part), partial(_set_text, node))

    # ---- walking, where there is no cache ----------------------------------------------------

    def _look_below(self, application: Application, node: Node, depth: int) -> None:
        """All children of an ordinary node; of a list that manages its cells only those in sight, if they are many."""
        if not node.states & names.MANAGES_DESCENDANTS:
            self._walk_below(application, node.path, depth)
            return

        def on_cell(path: str) -> None:
            if path not in application.nodes and len(application.nodes) < MAX_NODES:
                self._visit(
                    application, Node(path, node.path, len(application.nodes), "", "", "", 0, b""), depth
                )

        def on_child_count(reply: Reply) -> None:
            if number(reply) <= _FEW:
                self._walk_below(application, node.path, depth)
            else:
                Cells(self._bus, application.bus_name, node.path, on_cell).look()

        count = _property(application.bus_name, node.path, _ACCESSIBLE, "ChildCount")
        self._bus.call(count, on_child_count)

    def _walk_below(self, application: Application, path: str, depth: int) -> None:
        call = Call(application.bus_name, path, _ACCESSIBLE, "GetChildren")
        self._bus.call(call, partial(self._on_children, application, path, depth))

    def _on_children(self, application: Application, parent: str, depth: int, reply: Reply) -> None:
        if depth > MAX_DEPTH:
            return
        for index, (bus_name, path) in enumerate(references(reply)[:_MAX_CHILDREN]):
            known = application.nodes
            if bus_name == application.bus_name and path not in known and len(known) < MAX_NODES:
                self._visit(application, Node(path, parent, index, "", "", "", 0, b""), depth)

    def _visit(self, application: Application, node: Node, depth: int) -> None:
        """Ask what the node is; the last answer decides whether it is taken and what is below it."""
        application.nodes[node.path] = node

        def on_role(reply: Reply) -> None:
            node.role = names.role_name(number(reply))

        def on_name(reply: Reply) -> None:
            node.name = text(reply)

        def on_interfaces(reply: Reply) -> None:
            node.interfaces = b"".join(each.encode() + b"\0" for each in strings(reply))

        def on_states(reply: Reply) -> None:
            node.states = bits(reply)
            if not node.states & names.SHOWING:
                del application.nodes[node.path]
                return
            self._accept(application, node)
            self._look_below(application, node, depth + 1)

        # Answers come in the order of the questions, so the states come last.
        bus_name = application.bus_name
        self._bus.call(_property(bus_name, node.path, _ACCESSIBLE, "Name"), on_name)
        self._bus.call(Call(bus_name, node.path, _ACCESSIBLE, "GetRole"), on_role)
        self._bus.call(Call(bus_name, node.path, _ACCESSIBLE, "GetInterfaces"), on_interfaces)
        self._bus.call(Call(bus_name, node.path, _ACCESSIBLE, "GetState"), on_states)


def _property(bus_name: str, path: str, interface: str, name: str) -> Call:
    return Call(bus_name, path, PROPERTIES, "Get", "ss", (interface, name))


def _set_bounds(node: Node, reply: Reply) -> None:
    extents = reply.extents()
    if extents is not None and extents[2] > 0 and extents[3] > 0:
        node.bounds = Rect(*extents)


def _set_text(node: Node, reply: Reply) -> None:
    said = text(reply).replace("\N{OBJECT REPLACEMENT CHARACTER}", "")
    node.text = said if len(said) <= MAX_VALUE else said[:MAX_VALUE] + "…"


def _set_number(node: Node, reply: Reply) -> None:
    match reply.values():
        case (("d", float(number)),):
            node.text = f"{number:g}"


def _set_labels(node: Node, reply: Reply) -> None:
    match reply.values():
        case ([*relations],):
            targets = [target for kind, targets in relations if kind == _LABELLED_BY for target in targets]
            node.labels = tuple(path for _, path in targets)
