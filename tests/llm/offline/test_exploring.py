"""Looking for things where they do not show yet, and what only tells the reader what to do."""

from __future__ import annotations

import msgspec
import pytest

from desktop_agent.llm.offline.language.understand import parse
from desktop_agent.llm.offline.intents import Click, Expand
from desktop_agent.protocol import ops
from desktop_agent.vision.observation import Element, Observation
from tests.llm.offline.things import Talk, element, look, question
from tests.vision.drawing import Canvas

PAGE = element("document web", "Page", (0, 50, 900, 700), id="page")


def tab(number: int, *states: str) -> Element:
    return element("page tab", f"Tab {number}", (80 * number, 60, 70, 24), id=f"tab{number}", states=states)


def test_the_tabs_are_looked_through_one_after_the_other() -> None:
    talk = Talk('Switch between the tabs to find and click on the link "sed".')
    first = look(PAGE, tab(1, "selected"), tab(2), tab(3))
    talk.see(first)
    assert talk.see(first) == (ops.ClickElement("tab2"),)
    second = look(PAGE, tab(1), tab(2, "selected"), tab(3))
    assert talk.see(second) == (ops.ClickElement("tab3"),)
    third = look(
        PAGE, tab(1), tab(2), tab(3, "selected"), element("link", "sed", (20, 200, 30, 14), id="sed")
    )
    assert talk.see(third) == (ops.ClickElement("sed"),)


def test_a_quoted_name_that_is_not_quite_the_same_is_looked_for_further() -> None:
    talk = Talk('Switch between the tabs to find and click on the link "est".')
    near = element("link", "Est,", (20, 200, 30, 14), id="near")
    first = look(PAGE, tab(1, "selected"), tab(2), near)
    talk.see(first)
    assert talk.see(first) == (ops.ClickElement("tab2"),)
    exact = element("link", "est", (20, 200, 30, 14), id="est")
    assert talk.see(look(PAGE, tab(1), tab(2, "selected"), exact)) == (ops.ClickElement("est"),)


def test_closed_sections_are_opened_and_entries_pointed_at() -> None:
    talk = Talk("Expand the sections below, to find and click on Privacy")
    closed = element("push button", "Advanced", (20, 100, 200, 20), id="adv", states=("expandable",))
    talk.see(look(PAGE, closed))
    assert talk.see(look(PAGE, closed)) == (ops.ClickElement("adv"),)
    talk = Talk('Find and click on the item labeled "Stop"')
    entry = element("menu item", "Playback", (20, 100, 80, 20), id="play")
    talk.see(look(PAGE, entry))
    assert talk.see(look(PAGE, entry)) == (ops.HoverElement("play"),)


def test_nothing_is_opened_at_once_where_nobody_said_that_it_is_to_be_looked_for() -> None:
    talk = Talk("click Privacy")
    for _ in range(3):
        assert isinstance(talk.see(look(PAGE, tab(1, "selected"), tab(2)))[0], ops.Wait)


def test_a_closed_branch_is_known_by_its_plus() -> None:
    canvas = Canvas(1280, 800)
    canvas.pen.rectangle((20, 104, 28, 112), outline="gray")
    canvas.pen.line((22, 108, 26, 108), "black")
    canvas.pen.line((24, 106, 24, 110), "black")
    entries = (
        element("list item", "Files", (18, 100, 150, 18)),
        element("list item", "Note", (18, 118, 150, 18)),
    )
    seen = msgspec.structs.replace(look(PAGE, *entries), frame=canvas.frame)
    talk = Talk('Navigate through the file tree. Find and click on the folder or file named "Ada".')
    talk.see(seen)
    assert talk.see(seen) == (ops.Click(24, 108),)


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


def icon(canvas: Canvas, x: int, y: int, ground: str, cross: bool) -> None:
    canvas.pen.rectangle((x, y, x + 9, y + 9), fill=ground, outline="black", width=2)
    if cross:
        canvas.pen.line((x, y, x + 9, y + 9), "black", width=2)


def test_an_icon_that_a_text_on_the_page_shows_says_which_entry_is_meant() -> None:
    canvas = Canvas(1280, 800)
    canvas.pen.rectangle((10, 55, 400, 80), "yellow")
    icon(canvas, 150, 62, "yellow", cross=True)
    texts = (
        element("static", "Click on the item with the", (20, 60, 125, 14)),
        element("static", "icon.", (165, 60, 40, 14)),
    )
    entries = []
    for row, cross in enumerate((False, True)):
        top = 200 + 30 * row
        icon(canvas, 26, top + 6, "white", cross)
        entries.append(element("menu item", f"Entry {row}", (20, top, 100, 22), id=f"entry{row}"))
    seen: Observation = msgspec.structs.replace(look(PAGE, *texts, *entries), frame=canvas.frame)
    for said in ("Click on the item with the icon.", "press the entry with this icon"):
        assert Talk(said).see(seen) == (ops.ClickElement("entry1"),)


def test_ways_of_saying_it() -> None:
    click = parse("Look through the tabs and click on Save")
    assert len(click) == 1 and isinstance(click[0], Click)
    collapse = parse("collapse the Advanced section")
    assert isinstance(collapse[0], Expand) and not collapse[0].on


def test_a_click_on_what_has_just_moved_is_tried_again_after_a_moment() -> None:
    button = element("push button", "Play", (20, 200, 80, 24), id="play")
    talk = Talk("click Play")
    moved = "What is at 60,212 is not what was looked at. Look again."
    assert talk.see(look(button), "refused", moved) == (ops.ClickElement("play"),)
    assert isinstance(talk.see(look(button))[0], ops.Wait)
    assert talk.see(look(button)) == (ops.ClickElement("play"),)
