"""What names, kinds and places mean on a page, and what only tells the reader what to do."""

from __future__ import annotations

import msgspec
import pytest

from desktop_agent.protocol import ops
from tests.extras.offline.things import Talk, element, look, question

PAGE = element("document web", "Page", (0, 50, 900, 700), id="page")


def test_the_section_is_opened_before_the_rest_is_done() -> None:
    closed = element("push button", "Section 7", (20, 100, 200, 20), id="s", states=("expandable",))
    talk = Talk("Expand the section below and click submit.")
    send = element("push button", "Submit", (20, 300, 80, 20), id="send")
    assert talk.see(look(PAGE, closed, send)) == (ops.ClickElement("s"),)
    opened = msgspec.structs.replace(closed, states=closed.states | {"expanded"})
    assert talk.see(look(PAGE, opened, send)) == (ops.ClickElement("send"),)


def test_what_the_page_tells_its_reader_is_not_what_it_names() -> None:
    words = element("static", 'Click the button in the dialog labeled "Cancel".', (20, 60, 300, 14))
    cancel = element("push button", "Cancel", (20, 200, 80, 24), id="cancel")
    assert Talk(words.name).see(look(PAGE, words, cancel)) == (ops.ClickElement("cancel"),)
    pieces = ("Click on the", "red", "coloured box.")
    shown = [element("static", name, (20 + 90 * i, 60, 80, 14)) for i, name in enumerate(pieces)]
    button = element("push button", "red", (20, 200, 80, 24), id="red")
    assert Talk("Click on the red coloured box.").see(look(PAGE, *shown, button)) != (
        ops.ClickElement(shown[1].id),
    )


def test_a_text_that_a_button_stands_in_does_not_tell_it_from_another() -> None:
    text = element("static", "words around", (20, 195, 300, 40))
    same = [element("push button", "Next", (20, 200 + 40 * i, 80, 24), id=f"n{i}") for i in range(2)]
    assert Talk("click Next").see(look(PAGE, text, *same)) == (ops.ClickElement("n0"),)


def test_of_two_that_nobody_can_tell_apart_the_first_is_taken_but_not_where_it_matters() -> None:
    same = [element("push button", "Next", (20 + 90 * i, 200, 80, 24), id=f"n{i}") for i in range(2)]
    assert Talk("click Next").see(look(PAGE, *same)) == (ops.ClickElement("n0"),)
    risky = [element("push button", "Delete", (20 + 90 * i, 200, 80, 24)) for i in range(2)]
    assert "Which one" in question(Talk("click Delete").see(look(PAGE, *risky)))


@pytest.mark.parametrize(
    ("said", "chosen"),
    [
        ("Click button ONE.", "one"),
        ('Click on a "textarea" widget.', "area"),
        ('Click on a "text" widget.', "line"),
        ("Click on a checkbox", "check"),
        ("Focus into the 1st input textbox.", "line"),
    ],
)
def test_kinds_and_places_name_things_on_the_page(said: str, chosen: str) -> None:
    seen = look(
        element("entry", "Address and search bar", (100, 10, 300, 20), states=("editable",)),
        PAGE,
        element("push button", "ONE", (20, 100, 40, 40), id="one"),
        element("entry", "", (20, 200, 120, 20), id="line", states=("editable",), parent="page"),
        element("entry", "", (20, 240, 120, 40), id="area", states=("editable", "multiline"), parent="page"),
        element("check box", "x", (20, 300, 13, 13), id="check"),
    )
    assert Talk(said).see(seen) == (ops.ClickElement(chosen),)


def test_a_click_on_what_has_just_moved_is_tried_again_after_a_moment() -> None:
    button = element("push button", "Play", (20, 200, 80, 24), id="play")
    talk = Talk("click Play")
    moved = "What is at 60,212 is not what was looked at. Look again."
    assert talk.see(look(button), "refused", moved) == (ops.ClickElement("play"),)
    assert isinstance(talk.see(look(button))[0], ops.Wait)
    assert talk.see(look(button)) == (ops.ClickElement("play"),)


def test_a_quoted_name_on_a_page_is_no_button_of_the_browser() -> None:
    forward = element("push button", "Forward", (40, 10, 30, 30), id="forward")
    seen = look(forward, PAGE, element("menu item", "Playback", (20, 200, 80, 20)))
    talk = Talk('click on the item labeled "Next"', operations=("click_element", "wait"))
    assert "cannot find" in question(talk.until_it_acts(seen))
