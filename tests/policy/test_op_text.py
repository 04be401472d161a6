"""Operations in words for people."""

from __future__ import annotations

import pytest

from desktop_agent.policy.facts.op_text import exact, past, present, request
from desktop_agent.protocol import ops
from desktop_agent.protocol.geometry import Point, Rect
from desktop_agent.protocol.ops import Op
from desktop_agent.vision.observation import Element

SAVE = Element(id="e1", role="push button", name="Save", bounds=Rect(0, 0, 10, 10))
BOX = Element(id="e2", role="entry", name="", bounds=Rect(0, 0, 10, 10))
ELEMENTS = {"e1": SAVE, "e2": BOX}


@pytest.mark.parametrize(
    ("op", "now", "then", "exactly"),
    [
        (ops.Click(x=4, y=3), "Clicking at 4,3", "Clicked at 4,3", "click(left) at 400,300"),
        (ops.ClickElement("e1", count=2), "Double-clicking “Save”", "Double-clicked “Save”", "click_element(left x2) at 400,300"),
        (ops.Click(button="right"), "Right-clicking", "Right-clicked", "click(right) at 400,300"),
        (ops.Type("easyeda.com", element="e2"), "Typing “easyeda.com” into the entry", "Typed “easyeda.com” into the entry", "type('easyeda.com') at 400,300"),
        (ops.KeyCombo(("ctrl", "s")), "Pressing Ctrl+S", "Pressed Ctrl+S", "key_combo(ctrl+s) at 400,300"),
        (ops.Scroll(dy=-3), "Scrolling down 3", "Scrolled down 3", "scroll(0,-3) at 400,300"),
        (ops.DragElement("e1", "e2"), "Dragging “Save” onto the entry", "Dragged “Save” onto the entry", "drag_element() at 400,300"),
        (ops.Open("text editor"), "Opening “text editor”", "Opened “text editor”", "open('text editor') at 400,300"),
        (ops.Wait(0.5), "Waiting 0.5 s", "Waited 0.5 s", "wait(0.5) at 400,300"),
    ],
)  # fmt: skip
def test_words(op: Op, now: str, then: str, exactly: str) -> None:
    assert present(op, ELEMENTS) == now
    assert past(op, ELEMENTS) == then
    assert exact(op, Point(400, 300)) == exactly


def test_a_request_is_an_imperative() -> None:
    assert request(ops.ClickElement("e1", count=2), ELEMENTS) == "Double-click “Save”"
    assert request(ops.Type("x"), ELEMENTS) == "Type “x”"
    assert request(ops.KeyCombo(("ctrl", "s")), ELEMENTS) == "Press Ctrl+S"


def test_long_texts_are_shortened() -> None:
    assert present(ops.Type("x" * 500), {}) == "Typing “" + "x" * 59 + "…”"
