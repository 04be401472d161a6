"""Bounds of self-drawn widgets are corrected; those of the toolkit stay."""

from __future__ import annotations

from desktop_agent.protocol.geometry import Rect
from desktop_agent.vision.atspi import constants as names
from desktop_agent.vision.atspi.gather import correct_extents
from desktop_agent.vision.atspi.tree import AccessibleApplication, Node


def node(path: str, parent: str, role: str, bounds: Rect | None, *, native: bool = False) -> Node:
    return Node(path, parent, 0, role, path, "", names.SHOWING, b"", bounds, native=native)


def placed(*more: Node) -> dict[str, Node]:
    shared = (
        node("window", "", "frame", Rect(0, 0, 900, 700), native=True),
        node("content", "window", "panel", Rect(0, 48, 900, 650), native=True),
        node("pane", "window", "root pane", Rect(0, 21, 900, 650)),
    )
    application = AccessibleApplication(":1.1", nodes={each.path: each for each in (*shared, *more)})
    application.link()
    correct_extents(application)
    return application.nodes


def test_a_pane_moves_with_its_own_widgets() -> None:
    nodes = placed(
        node("cell", "pane", "table cell", Rect(30, 162, 60, 17)),
        node("font", "pane", "text", Rect(4, 89, 170, 34), native=True),
    )
    assert nodes["cell"].bounds == Rect(30, 189, 60, 17)
    assert nodes["cell"].shift == (0, 27)
    assert nodes["font"].bounds == Rect(4, 89, 170, 34)
    assert nodes["window"].bounds == Rect(0, 0, 900, 700)


def test_where_there_are_two_places_for_it_a_pane_stays() -> None:
    nodes = placed(
        node("other", "window", "panel", Rect(5, 50, 900, 650), native=True),
        node("cell", "pane", "table cell", Rect(30, 162, 60, 17)),
    )
    assert nodes["cell"].bounds == Rect(30, 162, 60, 17)


def test_a_menu_bar_that_has_lost_its_place_is_not_told() -> None:
    nodes = placed(node("bar", "pane", "menu bar", None), node("file", "bar", "menu", Rect(0, 21, 36, 22)))
    assert not nodes["file"].states & names.SHOWING
