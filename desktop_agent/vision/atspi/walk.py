"""Queries nodes one by one where an application's cache lacks them: matches, a walk downwards, missing ancestors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any, NamedTuple

from desktop_agent.vision.atspi import constants as names
from desktop_agent.vision.atspi.bus import Bus, Then
from desktop_agent.vision.atspi.node_queries import ACCESSIBLE, NodeQueries, property_of
from desktop_agent.vision.atspi.reuse import NOTHING, Reusable
from desktop_agent.vision.atspi.spreadsheet import SheetReader, VirtualCells
from desktop_agent.vision.atspi.tree import MAX_DEPTH, ROOT, AccessibleApplication, Node, correct_node
from desktop_agent.vision.atspi.wire import BusReply, Call, bits, number, reference, references, strings, text

MAX_NODES = 3_000
"""Nodes of one application that are read, at most."""

_NOTHING = "/org/a11y/atspi/null"
_COLLECTION = "org.a11y.atspi.Collection"
_MAX_CHILDREN = 400
_FEW = 60  # children of a list that manages its own: up to this many all are queried, else the visible ones
_ALL, _CANONICAL = 1, 1  # AtspiCollectionMatchType, AtspiCollectionSortOrder
# States (as two words), attributes, roles and interfaces, each with how it is matched; then "inverted".
_SHOWING_RULE: tuple[Any, ...] = ([names.SHOWING, 0], _ALL, {}, _ALL, [], _ALL, [], _ALL, False)
# Chromium is slow to list a node's interfaces; a call to one that is missing just gets an error reply.
_ANY_INTERFACE = b"atspi.Text\0atspi.Value\0atspi.Document\0"
# Their states are not queried: only SHOWING matters for these, and they match because they have it.
_STATELESS = frozenset(("panel", "paragraph", "static"))
_NAMED_AFTER_TEXT = frozenset(("heading", "link", "menu item", "page tab", "push button"))
_PLAINLY_SHOWING = names.SHOWING | names.ENABLED


class Remembered(NamedTuple):
    """What never changes about an object path."""

    parent: str
    role: str


class TreeWalker:
    """Queries the nodes of one application and adds those that are showing to it."""

    def __init__(
        self,
        bus: Bus,
        application: AccessibleApplication,
        toolkit: str,
        remembered: dict[str, Remembered],
        reusable: Reusable = NOTHING,
    ) -> None:
        """`remembered` is kept from read to read; `reusable` holds the nodes of the last read that are still valid."""
        self._bus = bus
        self._application = application
        self._bus_name = application.bus_name
        self._remembered = remembered
        self._reusable = reusable
        self._questions = NodeQueries(bus, application)
        self._toolkit = toolkit

    # ---- all that is showing, in one answer --------------------------------------------------

    def visit_showing(self) -> None:
        """Have the application list all showing nodes, then query each; parents and roles come from `remembered`."""
        signature, rule = "(aiia{ss}iaiiasib)uib", (_SHOWING_RULE, _CANONICAL, MAX_NODES, True)
        self._bus.call(
            Call(self._bus_name, ROOT, _COLLECTION, "GetMatches", signature, rule), self._on_matches
        )

    def _on_matches(self, reply: BusReply) -> None:
        if reply.error:
            self.walk()
            return
        paths = [path for _, path in references(reply)]
        showing = set(paths)
        for gone in self._remembered.keys() - showing:
            del self._remembered[gone]
        for index, path in enumerate(paths):
            if self._only_repeats(path):
                continue
            if node := self._reusable.take(path):
                node.index = index
                self._application.nodes[path] = node
                self.bridge({node.parent} - showing)
            else:
                self._visit_match(Node(path, ROOT, index, "", "", "", _PLAINLY_SHOWING, _ANY_INTERFACE))

    def _only_repeats(self, path: str) -> bool:
        """True for the text inside a link or button, which has it as its name: a third of a page's nodes."""
        known = self._remembered.get(path)
        if known is None or known.role != "static":
            return False
        around = self._remembered.get(known.parent)
        return around is not None and around.role in _NAMED_AFTER_TEXT

    def _visit_match(self, node: Node) -> None:
        known = self._remembered.get(node.path)

        def on_parent(reply: BusReply) -> None:
            node.parent = _parent(reply)

        def on_role(reply: BusReply) -> None:
            node.role = names.role_name(number(reply))
            self._remembered[node.path] = Remembered(node.parent, node.role)

        def on_states(reply: BusReply) -> None:
            node.states = bits(reply)

        def on_name(reply: BusReply) -> None:
            node.name = text(reply)
            if node.role == "application":
                return
            if node.states & names.SHOWING:
                self._questions.ask(node)
            else:  # it was hidden meanwhile, which its descendants may not reflect yet
                self._application.nodes[node.path] = node
            self.bridge((node.parent,))

        # Replies come in the order of the calls, so the name comes last.
        if known is not None:
            node.parent, node.role = known
        else:
            self._ask_property(node, "Parent", on_parent)
            self._bus.call(self._call(node.path, "GetRole"), on_role)
        if node.role not in _STATELESS:
            self._bus.call(self._call(node.path, "GetState"), on_states)
        self._ask_property(node, "Name", on_name)

    # ---- from parent to children -------------------------------------------------------------

    def walk(self) -> None:
        """Query everything showing, from the application's root downwards."""
        self._walk_below(ROOT, 0)

    def look_below(self, node: Node, depth: int) -> None:
        """Query a node's children; of a long list that manages its descendants only the visible ones."""
        if not node.states & names.MANAGES_DESCENDANTS:
            self._walk_below(node.path, depth)
            return
        if self._reusable.take(node.path):
            self._go_on(node.path, self._reusable.children(node.path), depth)
            return

        def on_cell(path: str) -> None:
            self._visit(path, node.path, len(self._application.nodes), depth)

        def on_count(reply: BusReply) -> None:
            if 0 <= number(reply) <= _FEW:
                self._walk_below(node.path, depth)
            elif node.role == "table" and node.can("Table"):
                sheet = (self._bus_name, node.path)
                SheetReader(self._bus, sheet, self._take, look_at_points, self._reusable).look()
            else:
                look_at_points()

        def look_at_points() -> None:
            VirtualCells(self._bus, self._bus_name, node.path, on_cell).look()

        self._ask_property(node, "ChildCount", on_count)

    def _take(self, node: Node) -> None:
        if len(self._application.nodes) < MAX_NODES:
            self._application.nodes[node.path] = node

    def _walk_below(self, path: str, depth: int) -> None:
        if depth < MAX_DEPTH:
            self._bus.call(self._call(path, "GetChildren"), partial(self._on_children, path, depth))

    def _on_children(self, parent: str, depth: int, reply: BusReply) -> None:
        found = references(reply)[:_MAX_CHILDREN]
        self._go_on(parent, [path if name == self._bus_name else "" for name, path in found], depth)

    def _go_on(self, parent: str, children: Sequence[str], depth: int) -> None:
        for index, path in enumerate(children):
            if path:
                self._visit(path, parent, index, depth)

    def _visit(self, path: str, parent: str, index: int, depth: int) -> None:
        """Query a node; the last reply decides whether its details and children are queried too."""
        nodes = self._application.nodes
        if path in nodes or len(nodes) >= MAX_NODES:
            return
        if known := self._reusable.take(path):
            known.parent, known.index = parent, index
            nodes[path] = known
            self._go_on(path, self._reusable.children(path), depth + 1)
            return
        node = nodes[path] = Node(path, parent, index, "", "", "", 0, b"")

        def on_role(reply: BusReply) -> None:
            node.role = names.role_name(number(reply))

        def on_name(reply: BusReply) -> None:
            node.name = text(reply)

        def on_interfaces(reply: BusReply) -> None:
            node.interfaces = b"".join(each.encode() + b"\0" for each in strings(reply))

        def on_states(reply: BusReply) -> None:
            node.states = bits(reply)
            correct_node(node, self._toolkit)
            if node.states & names.SHOWING:
                self._questions.ask(node)
                self.look_below(node, depth + 1)

        # Replies come in the order of the calls, so the states come last.
        self._ask_property(node, "Name", on_name)
        self._bus.call(self._call(path, "GetRole"), on_role)
        self._bus.call(self._call(path, "GetInterfaces"), on_interfaces)
        self._bus.call(self._call(path, "GetState"), on_states)

    # ---- upwards -----------------------------------------------------------------------------

    def bridge(self, paths: Iterable[str]) -> None:
        """Add missing ancestors up to known nodes, as of options whose closed list is not showing."""
        for path in paths:
            nodes = self._application.nodes
            if path not in nodes and path not in (ROOT, _NOTHING) and len(nodes) < MAX_NODES:
                if known := self._reusable.take(path):
                    nodes[path] = known
                    self.bridge((known.parent,))
                    continue
                nodes[path] = node = Node(path, ROOT, 0, "invalid", "", "", 0, b"")
                self._ask_property(node, "Parent", partial(self._on_parent, node))

    def _on_parent(self, node: Node, reply: BusReply) -> None:
        node.parent = _parent(reply)
        self.bridge((node.parent,))

    def _call(self, path: str, member: str) -> Call:
        return Call(self._bus_name, path, ACCESSIBLE, member)

    def _ask_property(self, node: Node, name: str, then: Then) -> None:
        self._bus.call(property_of(self._bus_name, node.path, ACCESSIBLE, name), then)


def _parent(reply: BusReply) -> str:
    return reference(reply) or ROOT
