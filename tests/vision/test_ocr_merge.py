"""OCR words merge with elements without duplicates, and name unnamed buttons."""

from __future__ import annotations

from desktop_agent.agent.looking.privacy_filter import merge_ocr
from desktop_agent.protocol.geometry import Rect
from desktop_agent.vision.observation import Element


def word(number: int, text: str, x: int, y: int, width: int = 60) -> Element:
    return Element(f"w{number}", "static", text, Rect(x, y, width, 14), source="ocr")


def told(elements: tuple[Element, ...]) -> list[tuple[str, str]]:
    return [(each.id, each.name) for each in elements]


def test_what_the_tree_says_is_not_told_twice() -> None:
    tree = (
        Element("e1", "frame", "Save the report", Rect(0, 0, 600, 400)),
        Element("e2", "push button", "Save as", Rect(10, 10, 80, 24)),
        Element("e3", "text", "", Rect(10, 50, 500, 300), value="Dear Ann\nthe report is late"),
    )
    words = (word(1, "save as", 15, 15), word(2, "the report", 20, 80), word(3, "Save", 15, 370))
    assert told(merge_ocr(tree, words)) == [*told(tree), ("w3", "Save")]


def test_a_nameless_button_takes_the_text_on_it() -> None:
    button = Element("e1", "push button", "", Rect(10, 10, 80, 24))
    (named,) = merge_ocr((button,), (word(1, "Cancel", 20, 15),))
    assert (named.id, named.name, named.source) == ("e1", "Cancel", "tree")


def test_what_holds_several_texts_takes_none() -> None:
    row = Element("e1", "list item", "", Rect(10, 10, 400, 24))
    words = (word(1, "report.txt", 20, 15), word(2, "12 kB", 300, 15))
    assert told(merge_ocr((row,), words)) == [("e1", ""), ("w1", "report.txt"), ("w2", "12 kB")]


def test_a_text_box_takes_no_name_from_what_is_typed_in_it() -> None:
    box = Element("e1", "entry", "", Rect(10, 10, 80, 24), states=frozenset(("editable",)))
    assert told(merge_ocr((box,), (word(1, "Ann", 20, 15),))) == [("e1", ""), ("w1", "Ann")]
