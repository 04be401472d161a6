"""Things named loosely: pages, lists and texts that are called otherwise than by their own words."""

from __future__ import annotations

import pytest

from desktop_agent.protocol import ops
from desktop_agent.vision.observation import Element, Observation
from tests.extras.offline.things import Talk, element, look, question, summary

SHOP = {"window": "Order 318 - Chromium", "application": "chromium"}


def page(*parts: Element, **about: str) -> Observation:
    """A page of a browser with these on it, and the browser's own address bar."""
    about = about or SHOP
    whole = element("document web", "", (0, 100, 900, 600), id="page", **about)
    bar = element(
        "entry", "Address and search bar", (100, 40, 600, 30), id="bar", states=("editable",), **about
    )
    return look(bar, whole, *parts, window=about["window"])


@pytest.mark.parametrize("where", ["order", "order's", "oder", "web", "open"])
def test_a_page_is_meant_by_its_title_by_nearly_that_or_by_none(where: str) -> None:
    postpone = element("push button", "Postpone", (50, 300, 80, 30), id="postpone", parent="page", **SHOP)
    assert Talk(f"press the Postpone button on the {where} page").see(page(postpone)) == (
        ops.ClickElement("postpone"),
    )


def test_the_page_of_another_name_is_not_meant() -> None:
    postpone = element("push button", "Postpone", (50, 300, 80, 30), id="postpone", parent="page", **SHOP)
    (op,) = Talk("press the Postpone button on the older page").until_it_acts(page(postpone), "unchanged")
    assert isinstance(op, ops.Scroll), "it is looked for further down"


@pytest.mark.parametrize(
    "goal",
    ["choose Norway from the list of countries", "choose Norway as the country", "select Norway as country"],
)
def test_a_list_is_meant_by_what_it_is_a_list_of(goal: str) -> None:
    lists = (
        element("combo box", "Country", (50, 200, 200, 30), id="country", parent="page", **SHOP),
        element("combo box", "Language", (50, 300, 200, 30), id="language", parent="page", **SHOP),
    )
    assert Talk(goal).see(page(*lists)) == (ops.ClickElement("country"),)


def test_a_name_with_as_in_it_stays_one() -> None:
    one = element("radio button", "Same as the invoice", (50, 200, 200, 30), id="same", parent="page", **SHOP)
    assert Talk("choose Same as the invoice").see(page(one)) == (ops.ClickElement("same"),)


def test_a_catalogue_is_searched_on_the_page_of_what_it_belongs_to() -> None:
    about = {"window": "Town library - Chromium", "application": "chromium"}
    box = element(
        "entry", "Search", (50, 200, 300, 30), id="box", parent="page", states=("editable",), **about
    )
    heading = element("heading", "Town library", (50, 120, 300, 40), parent="page", **about)
    talk = Talk("search the library catalogue for northern lights")
    assert talk.see(page(heading, box, **about)) == (ops.ClickElement("box"),)


def behind_an_editor() -> Observation:
    about = {"window": "Town library - Chromium", "application": "chromium"}
    button = element("push button", "Search", (700, 200, 80, 30), id="go", parent="page", **about)
    parts = (*editor("the silent harbour\n").elements, button)
    return look(*parts, window="title.txt - Mousepad", windows=("title.txt - Mousepad", about["window"]))


def test_a_page_behind_is_brought_to_the_front_to_be_searched() -> None:
    assert isinstance(Talk("search for harbour on the library page").see(behind_an_editor())[0], ops.KeyDown)


def test_a_button_to_search_with_is_not_pressed_in_a_window_behind() -> None:
    (op,) = Talk("search for harbour here").until_it_acts(behind_an_editor())
    assert op == ops.KeyCombo(("ctrl", "f"))


def test_what_shall_be_searched_on_a_page_is_not_searched_on_the_web() -> None:
    about = {"window": "Town library - Chromium", "application": "chromium"}
    talk = Talk("search for harbour on the library page")
    assert talk.until_it_acts(page(**about)) == (ops.KeyCombo(("ctrl", "f")),)
    assert "no place to search" in question(talk.until_it_acts(page(**about)))


def editor(text: str) -> Observation:
    title = "title.txt - Mousepad"
    states = ("editable", "focusable", "focused", "multiline")
    return look(element("text", "", (0, 30, 600, 400), value=text, states=states, window=title), window=title)


def test_the_only_line_in_an_editor_is_the_title_that_it_is_said_to_hold() -> None:
    behind = element("heading", "Town library", (700, 100, 300, 40), window="Town library - Chromium")
    seen = look(*editor("the silent harbour\n").elements, behind, window="title.txt - Mousepad")
    assert "the silent harbour" in summary(Talk("read the title").see(seen))
    assert "the silent harbour" in summary(
        Talk("read the book title").until_it_acts(editor("the silent harbour\n"))
    )
    assert "cannot find" in question(Talk("read the book title").until_it_acts(editor("one\ntwo\n")))
    assert "cannot find" in question(Talk("read the price").until_it_acts(editor("the silent harbour\n")))


@pytest.mark.parametrize(
    ("asked", "text", "told"),
    [
        ("read the time of the meeting", "Budget meeting\nRoom: 3\nTime: 14:45\n", "14:45"),
        ("read the room", "Budget meeting\nRoom: 3\nTime: 14:45\n", "3"),
        ("read the time of the party", "Budget meeting\nTime: 14:45\n", ""),
        ("read the time", "Time: 14:45\nTime: 16:00\n", ""),
    ],
)
def test_what_stands_behind_a_word_in_a_text_is_read_where_it_is_the_only_one(
    asked: str, text: str, told: str
) -> None:
    said = Talk(asked).until_it_acts(editor(text))
    if told:
        assert told in summary(said)
    else:
        assert "cannot find" in question(said)
