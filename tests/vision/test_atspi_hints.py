"""Unnamed elements get a name from their id, class or image file."""

from __future__ import annotations

import pytest

from desktop_agent.vision.atspi.node_queries import name_hint
from tests.vision.test_atspi_tree import Tree


@pytest.mark.parametrize(
    ("attributes", "words"),
    [
        ({"class": "trash"}, "trash"),
        ({"class": "star clicked"}, "star"),
        ({"class": "fa fa-shopping-cart"}, "shopping cart"),
        ({"id": "openSearch", "class": "icon"}, "open search"),
        ({"class": "btn btn-primary css-1q2w3e"}, ""),
        ({"src": "https://example.com/img/paper-clip.png?v=3"}, "paper clip"),
        ({"class": "a b c1"}, ""),
        ({}, ""),
    ],
)
def test_the_words_of_a_makers_name_are_told(attributes: dict[str, str], words: str) -> None:
    assert name_hint(attributes) == words


def test_an_icon_without_a_name_is_told_by_its_hint_and_any_other_picture_is_not() -> None:
    tree = Tree()
    tree.add("icon", "window", "image", "", (10, 10, 16, 16)).hint = "trash"
    tree.add("bare", "window", "image", "", (30, 10, 16, 16))
    tree.add("large", "window", "image", "", (10, 50, 400, 300)).hint = "hero"
    tree.add("button", "window", "push button", "", (10, 400, 80, 20)).hint = "bold"
    assert [(e.role, e.name) for e in tree.told()] == [("image", "trash"), ("push button", "bold")]


def test_what_is_in_one_card_has_more_of_its_trail_in_common() -> None:
    tree = Tree()
    for card, y in (("one", 10), ("two", 50)):
        tree.add(card, "window", "section", "", (0, y, 200, 30))
        tree.add(f"{card}-line", card, "section", "", (0, y, 200, 15))
        tree.add(f"{card}-name", f"{card}-line", "static", card, (0, y, 50, 15))
        tree.add(f"{card}-like", card, "push button", "Like", (0, y + 15, 50, 15))
    name, like, _, other = (each.trail for each in tree.told())
    assert name[:2] == like[:2] != other[:2]
