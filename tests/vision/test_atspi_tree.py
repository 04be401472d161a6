"""Which nodes of an accessibility tree become elements, and in which order."""

from __future__ import annotations

import pytest

from desktop_agent.protocol.geometry import Rect
from desktop_agent.vision.atspi import constants as names
from desktop_agent.vision.atspi.tree import (
    GTK2,
    GTK4,
    MAX_NAME,
    AccessibleApplication,
    Node,
    correct_node,
    elements_of,
)
from desktop_agent.vision.observation import Element

STATES = names.SHOWING | names.ENABLED


class Tree:
    """Builds an application's tree: `add` below a parent's path, in the order of calls."""

    def __init__(self) -> None:
        self.application = AccessibleApplication(":1.1", "app", 77)
        self.add("window", "", "frame", "Window", (0, 0, 800, 600))

    def add(
        self,
        path: str,
        parent: str,
        role: str,
        name: str = "",
        bounds: tuple[int, int, int, int] | None = None,
        states: int = STATES,
    ) -> Node:
        nodes = self.application.nodes
        place = Rect(*bounds) if bounds else None
        nodes[path] = Node(path, parent, len(nodes), role, name, "", states, b"", place)
        return nodes[path]

    def told(self) -> list[Element]:
        self.application.link()
        return elements_of(self.application)[1:]


def test_rows_are_read_from_left_to_right_whatever_the_order_of_children() -> None:
    tree = Tree()
    for name, x, y in (("4", 10, 50), ("3", 50, 12), ("2", 30, 8), ("1", 10, 10)):
        tree.add(name, "window", "push button", name, (x, y, 15, 20))
    assert [e.name for e in tree.told()] == ["1", "2", "3", "4"]


def test_a_document_is_read_in_its_own_order() -> None:
    tree = Tree()
    tree.add("page", "window", "document web", "Page", (0, 0, 800, 600))
    tree.add("first", "page", "static", "spans two lines", (0, 10, 300, 40))
    tree.add("second", "page", "link", "at the end of the second", (100, 30, 100, 20))
    tree.add("third", "page", "static", "begins there too", (0, 30, 300, 40))
    assert [e.id for e in tree.told()[1:]] == [":1.1first", ":1.1second", ":1.1third"]


def test_what_has_been_scrolled_out_of_sight_is_cut_off_or_left_out() -> None:
    tree = Tree()
    tree.add("pane", "window", "scroll pane", "", (0, 0, 100, 100))
    tree.add("in", "pane", "push button", "In", (10, 10, 50, 20))
    tree.add("half", "pane", "push button", "Half", (10, 90, 50, 20))
    tree.add("out", "pane", "push button", "Out", (10, 110, 50, 20))
    tree.add("long", "pane", "list box", "Long", (0, 0, 100, 5000))
    bounds = {e.name: e.bounds for e in tree.told()}
    assert bounds == {
        "In": Rect(10, 10, 50, 20),
        "Half": Rect(10, 90, 50, 10),
        "Long": Rect(0, 0, 100, 100),
    }


def test_texts_that_repeat_what_is_around_them_are_left_out() -> None:
    tree = Tree()
    tree.add("link", "window", "link", "the terms of use", (0, 0, 80, 20))
    tree.add("a", "link", "static", "the terms", (0, 0, 50, 20))
    tree.add("b", "window", "static", "the terms", (100, 0, 50, 20))
    tree.add("bullet", "window", "static", "• ", (200, 0, 5, 20))
    assert [e.id for e in tree.told()] == [":1.1link", ":1.1b"]


def test_a_nameless_row_is_named_after_what_is_written_in_it() -> None:
    tree = Tree()
    tree.add("row", "window", "list item", "", (0, 0, 100, 20))
    tree.add("box", "row", "panel", "", (0, 0, 100, 20))
    tree.add("label", "box", "label", "Home", (0, 0, 50, 20))
    tree.add("eject", "box", "push button", "Eject", (60, 0, 20, 20), STATES | names.FOCUSABLE)
    assert [(e.role, e.name) for e in tree.told()] == [("list item", "Home"), ("push button", "Eject")]


def test_a_label_names_its_entry_and_a_combo_box_keeps_its_choice() -> None:
    tree = Tree()
    tree.add("label", "window", "label", "Encoding:", (0, 0, 50, 20))
    entry = tree.add("entry", "window", "entry", "", (60, 0, 50, 20))
    combo = tree.add("combo", "window", "combo box", "UTF-8", (120, 0, 50, 20))
    entry.labels = combo.labels = ("label",)
    assert [(e.role, e.name, e.value) for e in tree.told()[1:]] == [
        ("entry", "Encoding", ""),
        ("combo box", "Encoding", "UTF-8"),
    ]


def test_the_options_of_a_closed_list_are_only_its_value() -> None:
    tree = Tree()
    tree.add("combo", "window", "combo box", "Colour", (0, 0, 50, 20))
    tree.add("menu", "combo", "menu", "", states=0)
    tree.add("red", "menu", "menu item", "Red", (0, 0, 50, 10))
    tree.add("blue", "menu", "menu item", "Blue", (0, 0, 50, 10), STATES | names.SELECTED)
    (combo,) = tree.told()
    assert combo.value == "Blue"


def test_containers_are_not_told_but_their_nearest_told_ancestor_is_the_parent() -> None:
    tree = Tree()
    tree.add("filler", "window", "filler", "PathBar Layer", (0, 0, 800, 30))
    tree.add("button", "filler", "push button", "Up", (0, 0, 20, 20))
    (button,) = tree.told()
    assert button.parent == ":1.1window"
    assert (button.window, button.application, button.pid) == ("Window", "app", 77)


def test_a_minimised_window_tells_nothing() -> None:
    tree = Tree()
    tree.add("button", "window", "push button", "Up", (0, 0, 20, 20))
    tree.application.nodes["window"].states |= names.ICONIFIED
    tree.application.link()
    assert elements_of(tree.application) == []


def test_the_items_of_a_popup_belong_to_the_active_window() -> None:
    tree = Tree()
    tree.add("dialog", "", "dialog", "Question", (50, 50, 100, 100), STATES | names.ACTIVE)
    tree.add("popup", "", "window", "", (10, 200, 100, 100))
    tree.add("item", "popup", "menu item", "Paste", (10, 200, 100, 20))
    assert {e.name: e.window for e in tree.told()}["Paste"] == "Question"


def test_what_is_disabled_checked_or_secret_is_said() -> None:
    tree = Tree()
    tree.add("off", "window", "push button", "Off", (0, 0, 20, 20), names.SHOWING)
    tree.add("box", "window", "check box", "Box", (0, 30, 20, 20), STATES | 1 << 4)
    tree.add("word", "window", "password text", "", (0, 60, 20, 20))
    states = [e.states for e in tree.told()]
    assert states == [{"showing"}, {"showing", "enabled", "checked"}, {"showing", "enabled", "password"}]


@pytest.mark.parametrize(
    ("toolkit", "role", "name", "shows", "called"),
    [
        (GTK2, "icon", "notes.txt", True, "notes.txt"),
        (GTK2, "push button", "Save", False, "Save"),
        (GTK4, "push button", "GtkMenuButton", True, ""),
        (GTK4, "label", "JavaScript", True, "JavaScript"),
        ("gtk", "icon", "Gone", False, "Gone"),
    ],
)
def test_what_toolkits_say_wrongly_is_put_right(
    toolkit: str, role: str, name: str, shows: bool, called: str
) -> None:
    node = Tree().add("node", "window", role, name, states=names.VISIBLE)
    correct_node(node, toolkit)
    assert (bool(node.states & names.SHOWING), node.name) == (shows, called)


def test_a_circle_of_parents_does_not_hang() -> None:
    tree = Tree()
    tree.add("a", "b", "push button", "A", (0, 0, 20, 20))
    tree.add("b", "a", "push button", "B", (0, 0, 20, 20))
    assert tree.told() == []


def test_a_tree_without_end_is_cut_off() -> None:
    tree = Tree()
    for depth in range(5000):
        tree.add(f"n{depth + 1}", f"n{depth}" if depth else "window", "section")
    tree.add("bottom", "n5000", "push button", "Bottom", (0, 0, 20, 20))
    tree.add("near", "n50", "push button", "x" * 1_000_000, (0, 0, 20, 20))
    assert [e.name for e in tree.told()] == ["x" * MAX_NAME]


def test_a_frame_in_a_page_is_told_with_its_own_address_though_it_has_no_name() -> None:
    tree = Tree()
    tree.add("page", "window", "document web", "Shop", (0, 0, 800, 600)).url = "https://shop.example/"
    tree.add("frame", "page", "document web", "", (0, 0, 300, 200)).url = "https://ads.example/"
    tree.add("button", "frame", "push button", "Buy", (0, 0, 30, 20))
    told = {each.id: each for each in tree.told()}
    assert told[":1.1button"].parent == ":1.1frame"
    assert told[":1.1frame"].url == "https://ads.example/" and told[":1.1button"].url == ""
