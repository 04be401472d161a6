"""Turns the nodes of one application's accessibility tree into the elements worth listing, in reading order."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from desktop_agent.protocol.geometry import Rect
from desktop_agent.vision.atspi import constants as names
from desktop_agent.vision.elements.reader import in_rows
from desktop_agent.vision.observation import Element

MAX_DEPTH = 120
MAX_NAME = 500
"""Characters of a name that are kept."""
MAX_MARKUP = 200
"""Characters of a field's class and id that are kept."""
MAX_VALUE = 2_000
"""Characters of a text that are kept; one more is queried to know whether it was cut."""

_BULLETS = frozenset("•◦▪‣·–■□○●")
_SCREEN = Rect(-32_768, -32_768, 65_536, 65_536)  # X11 coordinates are 16-bit

# Listed even without a name: they can be acted on, or say where one is.
_LISTED_UNNAMED = frozenset((
    "check box", "check menu item", "combo box", "dial", "document frame", "document spreadsheet",
    "document text", "document web", "entry", "editbar", "link", "list box", "menu item", "page tab",
    "password text", "progress bar", "push button", "push button menu", "radio button",
    "radio menu item", "slider", "spin button", "switch", "table", "terminal", "text", "toggle button",
    "tree", "tree table",
))  # fmt: skip
_NEVER_LISTED = frozenset(("application", "redundant object", "scroll bar", "separator"))
_DOCUMENTS = frozenset(name for name in names.ROLES if name.startswith("document "))
_CLIPPING = _DOCUMENTS | {"scroll pane", "viewport"}
_WITH_TEXT = frozenset(("document text", "entry", "editbar", "spin button", "terminal", "text"))
_WITH_NUMBER = frozenset(("dial", "level bar", "progress bar", "rating", "slider", "spin button"))
_NAMED_BY_TEXT = frozenset(("icon", "label", "static"))
_NAMED_BY_CONTENT = frozenset((
    "link", "list item", "menu item", "page tab", "push button", "table cell", "toggle button", "tree item",
))  # fmt: skip
_LISTS = frozenset(("list", "list box", "menu", "table", "tree"))
_ITEMS = frozenset(("icon", "list item", "table cell", "tree item"))
_PLAIN_TEXT = frozenset(("label", "static"))
# Toolkits give these internal names; on a web page a name there is a heading.
STRUCTURE = frozenset((
    "filler", "layered pane", "panel", "root pane", "scroll pane", "split pane", "viewport",
))  # fmt: skip
# What these open is drawn above everything, so it is not clipped by their ancestors.
_OPENING = frozenset(("combo box", "menu", "popup menu"))
_LABELLED = _WITH_TEXT | _WITH_NUMBER | {"combo box", "list box", "password text", "table", "tree"}
# A missing name is replaced by a hint (see name_hints); of images only icons are listed by their hint.
_HINTED = frozenset(("image", "link", "push button", "toggle button"))
_ICON_EDGE = 64

CHROMIUM, GTK2, GTK3, GTK4, QT = "Chromium", "GAIL", "gtk", "GTK", "Qt"
ROOT = "/org/a11y/atspi/accessible/root"

_QT_LISTS = frozenset(("list", "table", "tree", "tree table"))
_CLASS_NAME = re.compile(r"([A-Z][a-z]+){2,}")


@dataclass(slots=True)
class Node:
    """One accessible object. `bounds` (screen pixels) is None until the application has answered.

    `states` is the 64-bit state set and `interfaces` their names, each ended by a zero byte. `clips` says that
    its descendants are not visible outside of it, `measured` that its bounds and attributes are always queried,
    `native` that it is a widget of the toolkit itself (not self-drawn), `shift` by how much `bounds` were corrected.
    `hint` is a replacement for a missing name, `labels` are paths of the objects that label it, `url` is the
    address of a document, `markup` the class and id of a page's text field.
    """

    path: str
    parent: str
    index: int
    role: str
    name: str
    description: str
    states: int
    interfaces: bytes
    bounds: Rect | None = None
    text: str = ""
    labels: tuple[str, ...] = ()
    clips: bool = False
    measured: bool = False
    native: bool = False
    shift: tuple[int, int] = (0, 0)
    hint: str = ""
    url: str = ""
    markup: str = ""
    children: list[Node] = field(default_factory=list)

    def can(self, interface: str) -> bool:
        """True when it has the interface `org.a11y.atspi.INTERFACE`."""
        return b"atspi.%b\0" % interface.encode() in self.interfaces

    @property
    def wants_bounds(self) -> bool:
        """True when its bounds are needed: for an element, or to clip what is below it."""
        return (
            self.clips or self.measured or self.role in _CLIPPING or self.wants_hint or may_be_element(self)
        )

    @property
    def wants_text(self) -> bool:
        """True when its text is needed: as its value, or as its name when it has none."""
        if self.role == "password text" or not self.can("Text"):
            return False
        unnamed = not self.name.strip() and self.role in _NAMED_BY_TEXT
        return unnamed or self.role in _WITH_TEXT or bool(self.states & names.EDITABLE)

    @property
    def wants_number(self) -> bool:
        """True when its numeric value is needed (sliders, progress bars)."""
        return self.role in _WITH_NUMBER and self.can("Value")

    @property
    def wants_url(self) -> bool:
        """True when its address is needed: it is a document, perhaps a page."""
        return self.role in _DOCUMENTS and self.can("Document")

    @property
    def wants_hint(self) -> bool:
        """True when it needs a hint in place of the missing name."""
        return self.role in _HINTED and not self.name.strip() and bool(self.states & names.SHOWING)

    @property
    def wants_markup(self) -> bool:
        """True when its class is needed: it is a text field, perhaps of a page."""
        return bool(self.states & names.EDITABLE) and self.role != "password text"

    @property
    def wants_labels(self) -> bool:
        """True when its label is needed; always for a combo box, which is often named after its choice."""
        return self.role in _LABELLED and (not self.name.strip() or self.role == "combo box")


@dataclass
class AccessibleApplication:
    """One program on the accessibility bus: its nodes by path and, after `link`, its roots."""

    bus_name: str
    name: str = ""
    pid: int = 0
    nodes: dict[str, Node] = field(default_factory=dict)
    roots: list[Node] = field(default_factory=list)

    def link(self) -> None:
        """Link every node to its parent; nodes with an unknown parent become roots. Cuts the tree at MAX_DEPTH."""
        for node in self.nodes.values():
            parent = self.nodes.get(node.parent)
            siblings = self.roots if parent is None or parent is node else parent.children
            siblings.append(node)
        level = self.roots
        for _ in range(MAX_DEPTH):
            for node in level:
                node.children.sort(key=lambda child: child.index)
            level = [child for node in level for child in node.children]
        for node in level:
            node.children = []


def plain_name(text: str) -> str:
    """The text on one line, without a list's bullet in front, cut at MAX_NAME characters."""
    words = text[: 2 * MAX_NAME].split()
    return " ".join(words[1:] if words and words[0] in _BULLETS else words)[:MAX_NAME]


def may_be_element(node: Node) -> bool:
    """True when this node may become an element; its name and text decide once they are known."""
    if node.role in _NEVER_LISTED or not node.states & names.SHOWING:
        return False
    if node.role == "image" and not plain_name(node.name):
        return _is_icon(node)
    if node.url:  # what is in a page must be told apart from what is around it
        return True
    likely = (
        bool(plain_name(node.name)) or node.role in _LISTED_UNNAMED | _NAMED_BY_CONTENT or node.wants_text
    )
    return likely or _focusable(node)


def _is_icon(node: Node) -> bool:
    """True for a small image that has a name hint."""
    edges = (node.bounds.width, node.bounds.height) if node.bounds is not None else (0, 0)
    return bool(node.hint) and max(edges) <= _ICON_EDGE


def _focusable(node: Node) -> bool:
    """True for a list or a leaf that can have the focus."""
    return bool(node.states & names.FOCUSABLE) and (node.role == "list" or not node.children)


def elements_of(application: AccessibleApplication) -> list[Element]:
    """The application's elements in reading order, with bus name and path as their ids (and parents' ids)."""
    builder = _ElementBuilder(application)
    for number, root in enumerate(visual_order(application.roots)):
        if not root.states & names.ICONIFIED:
            builder.visit(root, _Context(_title(root, application), trail=(number,)))
    return builder.elements


def _title(root: Node, application: AccessibleApplication) -> str:
    """The window title of a root; a popup has none, so it gets that of the active, else the first, named window."""
    named = [each for each in application.roots if each.name.strip()]
    named.sort(key=lambda each: not each.states & names.ACTIVE)
    return root.name or (named[0].name if named else "")


@dataclass(frozen=True)
class _Context:
    """What a node inherits: window title, clipping rectangle, nearest listed ancestor, whether in a document."""

    window: str
    clip: Rect = _SCREEN
    parent: str = ""
    parent_name: str = ""
    parent_role: str = ""
    in_document: bool = False
    trail: tuple[int, ...] = ()


class _ElementBuilder:
    """Walks the linked tree of one application and collects `elements`."""

    def __init__(self, application: AccessibleApplication) -> None:
        self._application = application
        self.elements: list[Element] = []

    def visit(self, node: Node, context: _Context) -> None:
        """Add the node as an element if it is worth listing, then visit its children."""
        visible = (node.bounds or Rect(0, 0, 0, 0)).intersection(context.clip)
        told = (context.parent, context.parent_name, context.parent_role)
        name = self._name(node)
        if may_be_element(node) and not visible.empty and _says_something(node, name, context):
            self.elements.append(self._element(node, name, visible, context))
            told = (self._id(node), name, node.role)
        clip = _SCREEN if node.role in _OPENING else context.clip
        if (node.clips or node.role in _CLIPPING) and node.bounds is not None:
            clip = visible
        below = _Context(
            context.window, clip, *told,
            context.in_document or node.role in _DOCUMENTS,
        )  # fmt: skip
        if not _closed(node):
            children = node.children if below.in_document else visual_order(node.children)
            for number, child in enumerate(children):
                self.visit(child, replace(below, trail=(*context.trail, number)))

    def _id(self, node: Node) -> str:
        return self._application.bus_name + node.path

    def _name(self, node: Node) -> str:
        nodes = self._application.nodes
        labels = (nodes[path].name for path in node.labels if path in nodes)
        by_text = node.text if node.role in _NAMED_BY_TEXT else ""
        if label := plain_name(" ".join(labels)):
            return label.removesuffix(":")
        known = (node.name, by_text, _content(node), node.description, node.hint)
        return next((name for each in known if (name := plain_name(each))), "")

    def _element(self, node: Node, name: str, bounds: Rect, context: _Context) -> Element:
        states = names.state_names(node.states)
        if node.role == "password text":
            states |= {"password"}
        return Element(
            id=self._id(node),
            role=node.role,
            name=name,
            bounds=bounds,
            value=_value(node),
            states=states,
            window=context.window,
            application=self._application.name,
            parent=context.parent,
            pid=self._application.pid,
            trail=context.trail,
            url=node.url,
            markup=node.markup,
            handle=f"{self._application.bus_name} {node.path}",
        )


def _value(node: Node) -> str:
    if node.role == "combo box" and not node.text:
        chosen = (each.name for each in _below(node) if each.states & names.SELECTED)
        return next(chosen, node.name if node.labels else "")
    return "" if node.role in _NAMED_BY_TEXT else node.text


def _below(node: Node) -> Iterator[Node]:
    for child in node.children:
        yield child
        yield from _below(child)


def _closed(node: Node) -> bool:
    """True for a closed combo box, whose options Chromium reports as showing."""
    return node.role == "combo box" and not node.states & names.EXPANDED


def _content(node: Node) -> str:
    """The texts inside an unnamed button or row, joined to a name."""
    if node.role not in _NAMED_BY_CONTENT:
        return ""
    return " ".join(dict.fromkeys(_texts(node)))[:MAX_VALUE]


def _texts(node: Node) -> Iterator[str]:
    """The texts below a node, without those of focusable parts and of nested lists."""
    for child in (each for each in node.children if each.role not in _LISTS):
        if child.role in _PLAIN_TEXT or child.role == node.role:
            yield child.name
        if not child.states & names.FOCUSABLE or child.role == node.role:
            yield from _texts(child)


def _says_something(node: Node, name: str, context: _Context) -> bool:
    """False for an unnamed text, and for one that only repeats the name of the element around it."""
    if node.url or node.role == "document web":
        return True
    if node.role in STRUCTURE:
        return bool(name) and context.in_document
    repeats = name in context.parent_name
    if node.role in _PLAIN_TEXT or (node.role == context.parent_role and repeats):
        return bool(name) and not repeats
    return bool(name) or (node.role not in _ITEMS and (node.role in _LISTED_UNNAMED or _focusable(node)))


def visual_order(nodes: list[Node]) -> list[Node]:
    """The nodes in reading order by their bounds; toolkits often list children in another order."""
    return in_rows((_extent(node), node) for node in nodes)


def _extent(node: Node) -> Rect:
    """A node's bounds; when they were not queried, the bounding box of its descendants."""
    if node.bounds is not None:
        return node.bounds
    boxes = [box for child in node.children if not (box := _extent(child)).empty]
    if not boxes:
        return Rect(0, 0, 0, 0)
    left, top = min(box.x for box in boxes), min(box.y for box in boxes)
    right, bottom = max(box.right for box in boxes), max(box.bottom for box in boxes)
    return Rect(left, top, right - left, bottom - top)


# ---- what toolkits, known by their AT-SPI names, report wrongly -------------------------------------


def correct_node(node: Node, toolkit: str) -> None:
    """Correct a node's role, states and name, in place. A node that wrongly gets SHOWING here has empty bounds."""
    if toolkit == GTK2 and node.role == "icon":
        _show(node)  # GTK 2 does not update the state when an icon comes into sight
    elif toolkit == GTK4:
        _show(node)  # up to 4.8 only windows have the SHOWING state
        if node.role != "label" and _CLASS_NAME.fullmatch(node.name):
            node.name = ""  # GTK 4 names unnamed widgets by their class, like GtkMenuButton
    elif toolkit == QT:
        _mend_qt(node)


def _mend_qt(node: Node) -> None:
    """Clip what Qt reports as showing although scrolled out of sight; a plain window gets the role "frame"."""
    node.clips = node.role in STRUCTURE or node.role in _QT_LISTS
    if node.role == "filler" and node.parent == ROOT and node.name:
        node.role = "frame"


def _show(node: Node) -> None:
    if node.states & names.VISIBLE:
        node.states |= names.SHOWING
