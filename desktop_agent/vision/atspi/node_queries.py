"""Queries the details of a showing node: bounds, text, value, labels, target of its link; and guesses a name for a nameless one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from functools import partial

from desktop_agent.protocol.geometry import Rect
from desktop_agent.vision.atspi.bus import PROPERTIES, Bus, BusError
from desktop_agent.vision.atspi.bus_session import find_bus
from desktop_agent.vision.atspi.tree import MAX_MARKUP, MAX_VALUE, AccessibleApplication, Node
from desktop_agent.vision.atspi.wire import BusReply, Call, decimal, number, text

ACCESSIBLE = "org.a11y.atspi.Accessible"
COMPONENT = "org.a11y.atspi.Component"
SCREEN = 0
"""AtspiCoordType: relative to the screen."""

_DOCUMENT = "org.a11y.atspi.Document"
_TEXT = "org.a11y.atspi.Text"
_VALUE = "org.a11y.atspi.Value"
_URL = ("DocURL", "URI")  # Firefox and LibreOffice, Chromium and WebKit
_LABELLED_BY = 2  # AtspiRelationType


MAX_WORDS = 4
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]{2,}(?![a-z])")
# Words about layout, state and frameworks: they do not say what an element does.
_MEANINGLESS = frozenset((
    "active", "anchor", "bg", "block", "box", "btn", "button", "clickable", "clicked", "col", "color", "container", "content",
    "control", "css", "dark", "default", "disabled", "div", "elem", "element", "enabled", "fas", "far", "fab", "flex", "float",
    "focus", "formats", "glyphicon", "grid", "hidden", "hide", "hover", "ico", "icon", "icons", "image", "images", "img", "inline",
    "inner", "item", "large", "layout", "left", "light", "lg", "link", "main", "material", "mdi", "medium", "outer", "pic", "picture",
    "png", "primary", "pull", "right", "root", "row", "secondary", "selected", "shadow", "show", "shown", "small", "span",
    "style", "styled", "svg", "text", "thumbnail", "toggle", "visible", "widget", "wrap", "wrapper",
))  # fmt: skip


_SECONDS = 0.3
_LINK = "org.a11y.atspi.Hyperlink"


def property_of(bus_name: str, path: str, interface: str, name: str) -> Call:
    """The D-Bus call that gets a property of an object."""
    return Call(bus_name, path, PROPERTIES, "Get", "ss", (interface, name))


class NodeQueries:
    """Adds nodes to one application and queries their details."""

    def __init__(self, bus: Bus, application: AccessibleApplication) -> None:
        self._bus = bus
        self._application = application

    def ask(self, node: Node, before: Node | None = None) -> None:
        """Add the node to the application, and queue the queries that its role and interfaces call for.

        `before` is the node from the cache: when role, name and states are still the same, its details are copied.
        """
        self._application.nodes[node.path] = node
        if (
            node.wants_url
        ):  # also of a known node: a page may be replaced by one that looks and is called the same
            where = Call(self._application.bus_name, node.path, _DOCUMENT, "GetAttributes")
            self._bus.call(where, partial(_set_url, node))
        if before is not None and (before.role, before.name, before.states) == (
            node.role,
            node.name,
            node.states,
        ):
            node.bounds, node.text, node.labels, node.hint = (
                before.bounds,
                before.text,
                before.labels,
                before.hint,
            )
            node.native, node.markup = before.native, before.markup
            return
        call, bus_name, path = self._bus.call, self._application.bus_name, node.path
        if node.measured:
            call(Call(bus_name, path, ACCESSIBLE, "GetAttributes"), partial(_set_native, node))
        if node.wants_bounds:
            call(Call(bus_name, path, COMPONENT, "GetExtents", "u", (SCREEN,)), partial(_set_bounds, node))
        if node.wants_text:
            call(property_of(bus_name, path, _TEXT, "CharacterCount"), partial(self._on_count, node))
        elif node.wants_number:
            call(property_of(bus_name, path, _VALUE, "CurrentValue"), partial(_set_number, node))
        if node.wants_hint:
            call(Call(bus_name, path, ACCESSIBLE, "GetAttributes"), partial(_set_hint, node))
        if node.wants_markup:
            call(Call(bus_name, path, ACCESSIBLE, "GetAttributes"), partial(_set_markup, node))
        if node.wants_labels:
            call(Call(bus_name, path, ACCESSIBLE, "GetRelationSet"), partial(_set_labels, node))

    def _on_count(self, node: Node, reply: BusReply) -> None:
        """Query the part of a text that is kept: the beginning, of a terminal the end."""
        if count := number(reply):
            start = max(0, count - MAX_VALUE) if node.role == "terminal" else 0
            part = (start, min(count, start + MAX_VALUE + 1))
            get_text = Call(self._application.bus_name, node.path, _TEXT, "GetText", "ii", part)
            self._bus.call(get_text, partial(_set_text, node))


def _set_bounds(node: Node, reply: BusReply) -> None:
    extents = reply.extents()
    if extents is not None and extents[2] > 0 and extents[3] > 0:
        node.bounds = Rect(*extents)


def _set_url(node: Node, reply: BusReply) -> None:
    if reply.signature == "a{ss}":
        attributes = dict(reply.values()[0])
        node.url = next((str(attributes[name]) for name in _URL if attributes.get(name)), "")


def _set_native(node: Node, reply: BusReply) -> None:
    node.native = reply.signature == "a{ss}" and "toolkit" in reply.values()[0]


def _set_text(node: Node, reply: BusReply) -> None:
    said = text(reply).replace("\N{OBJECT REPLACEMENT CHARACTER}", "")
    node.text = said if len(said) <= MAX_VALUE else said[:MAX_VALUE] + "…"


def _set_number(node: Node, reply: BusReply) -> None:
    value = decimal(reply)
    if value is not None:
        node.text = f"{value:g}"


def _set_hint(node: Node, reply: BusReply) -> None:
    if reply.signature == "a{ss}":
        (attributes,) = reply.values()
        node.hint = name_hint(dict(attributes))


def _set_markup(node: Node, reply: BusReply) -> None:
    """Browsers give class and id as object attributes (Core Accessibility API mappings)."""
    if reply.signature == "a{ss}":
        attributes = dict(reply.values()[0])
        node.markup = " ".join(filter(None, map(attributes.get, ("class", "id"))))[:MAX_MARKUP]


def _set_labels(node: Node, reply: BusReply) -> None:
    if reply.signature == "a(ua(so))":
        (relations,) = reply.values()
        targets = [target for kind, targets in relations if kind == _LABELLED_BY for target in targets]
        node.labels = tuple(path for _, path in targets)


# Browsers give these as object attributes (Core Accessibility API mappings; Chromium: "id", "class", "src").
# An icon without alternative text is often called `trash` or `open-search` in the page's source.
def name_hint(attributes: Mapping[str, str]) -> str:
    """At most MAX_WORDS words from an object's id, else its class, else its image's file name; "" for none."""
    picture = attributes.get("src", "").partition("?")[0].rpartition("/")[2].partition(".")[0]
    for told in (attributes.get("id", ""), attributes.get("class", ""), picture):
        if words := _words(told):
            return " ".join(words[:MAX_WORDS])
    return ""


def _words(told: str) -> list[str]:
    found = (each[0].lower() for each in _WORD.finditer(told[:200]))
    return list(dict.fromkeys(word for word in found if len(word) > 2 and word not in _MEANINGLESS))


class LinkReader:
    """One connection to the accessibility bus, kept between questions. Not for several threads."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = dict(environment)
        self._bus: Bus | None = None

    def address(self, handle: str) -> str:
        """The address behind the link with this handle (as in `Element`), "" when it is not told."""
        sender, _, path = handle.partition(" ")
        with suppress(BusError):
            bus = self._bus = self._bus or find_bus(self._environment)
            reply = bus.ask(Call(sender, path, _LINK, "GetURI", "i", (0,)), _SECONDS)
            return str(reply.values()[0]) if not reply.error and reply.signature == "s" else ""
        self.close()
        return ""

    def close(self) -> None:
        bus, self._bus = self._bus, None
        if bus is not None:
            bus.close()
