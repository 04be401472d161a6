"""What people say and see every day: lists, carts, cookies, colours, menus that are ticked, and what is told at the end."""

from __future__ import annotations

import msgspec
import pytest

from desktop_agent.extras.offline.llm.offline.intents import (
    Click,
    CreateFolder,
    Fill,
    Intent,
    Open,
    Press,
    Read,
    TypeText,
    Unknown,
)
from desktop_agent.extras.offline.llm.offline.intents_desk import ListFiles
from desktop_agent.extras.offline.llm.offline.language.understand import parse
from desktop_agent.protocol import ops
from desktop_agent.vision.observation import Element, Observation
from tests.extras.offline.things import P, Talk, element, look, plain, question, summary
from tests.vision.drawing import Canvas

PAGE = element("document web", "Page", (0, 50, 900, 700), id="page")


def part(role: str, name: str, x: int, y: int, *states: str, id: str = "", value: str = "") -> Element:
    """A part of the page, 80x20 pixels."""
    known = id or f"{role} {name}"
    return element(role, name, (x, y, 80, 20), id=known, value=value, states=states, parent="page")


def box(name: str, y: int, *states: str, value: str = "") -> Element:
    return part("entry", name, 20, y, "editable", "focusable", *states, value=value)


@pytest.mark.parametrize(
    ("said", "intents"),
    [
        ("make a note: call mum tomorrow", (Open("text editor"), TypeText("call mum tomorrow"))),
        ("write a shopping list with milk, eggs and bread", (Open("text editor"), TypeText("milk\neggs\nbread"))),
        ("Write a list of rivers", (Unknown("Write a list of rivers"),)),
        ("make a folder for my holiday pictures", (CreateFolder("Holiday pictures"),)),
        ("show hidden files", (Press(("ctrl", "h")),)),
        ("make the text bigger", (Press(("ctrl", "plus")),)),
        ("start over", (Unknown("start over"),)),
        ("what's in my downloads folder?", (ListFiles("DOWNLOAD"),)),
        ("how many files are on my desktop?", (ListFiles("DESKTOP"),)),
        ("what does this page say about refunds?", (Read(P("refunds")),)),
        ("add the blue shirt to my basket", (Click(P("Add to basket", "button", near="blue shirt", side="near")),)),
        (
            "fill out the form for me: name Ada Berg, email ada@x.org",
            (Fill(P("name"), "Ada Berg"), Fill(P("email"), "ada@x.org")),
        ),
    ],
)  # fmt: skip
def test_it_is_understood(said: str, intents: tuple[Intent, ...]) -> None:
    assert tuple(map(plain, parse(said))) == intents


# ---- pressing ------------------------------------------------------------------------------------


def test_a_thing_that_another_lies_over_is_pressed_where_it_is_free() -> None:
    one = element("push button", "ONE", (97, 217, 40, 40), id="one")
    two = element("push button", "TWO", (110, 228, 40, 40), id="two")
    (click,) = Talk("click ONE").see(look(PAGE, one, two))
    assert isinstance(click, ops.Click) and (click.x or 0) < 110 and 217 < (click.y or 0) < 257
    assert Talk("click TWO").see(look(PAGE, one, two)) == (ops.ClickElement("two"),)


def test_a_part_of_a_thing_does_not_cover_it() -> None:
    item = element("list item", "Ada", (20, 200, 200, 40), id="item")
    inner = element("link", "Ada", (60, 205, 150, 30), id="inner", parent="item")
    other = element("push button", "Call", (230, 205, 40, 30), id="call")
    assert Talk("click the Ada row").see(look(PAGE, item, inner, other)) == (ops.ClickElement("item"),)


def test_an_open_menu_lies_over_what_the_tree_tells_after_it() -> None:
    large = element("menu item", "large", (46, 330, 74, 26), id="large")
    send = element("push button", "Send order", (12, 330, 85, 24), id="send")
    assert Talk("click large").see(look(PAGE, large, send)) == (ops.ClickElement("large"),)


def coloured() -> Observation:
    canvas = Canvas(1280, 800)
    canvas.pen.rectangle((20, 200, 100, 220), "firebrick")
    canvas.pen.rectangle((120, 200, 200, 220), "royalblue")
    shirt = element("heading", "Red shirt", (20, 100, 80, 20), id="shirt")
    red, blue = (
        element("static" if x == 20 else "push button", "More", (x, 200, 80, 20), id=f"at {x}")
        for x in (20, 120)
    )
    return msgspec.structs.replace(look(PAGE, shirt, red, blue), frame=canvas.frame)


@pytest.mark.parametrize(("said", "pressed"), [("the red button", "at 20"), ("the blue button", "at 120")])
def test_a_button_is_told_by_its_colour(said: str, pressed: str) -> None:
    assert Talk(f"click {said}").see(coloured()) == (ops.ClickElement(pressed),)


def test_a_text_that_only_begins_so_is_no_button() -> None:
    shirt = element("heading", "Red shirt", (20, 100, 80, 20), id="shirt")
    assert "cannot find" in question(
        Talk("click the red button", operations=("wait",)).until_it_acts(look(PAGE, shirt))
    )


def test_a_click_without_effect_is_not_called_done() -> None:
    talk, seen = Talk("click Play"), look(PAGE, part("push button", "Play", 20, 100))
    talk.see(seen, effect="unchanged")
    assert "nothing change" in summary(talk.until_it_acts(seen, effect="unchanged"))


def test_cookies_are_agreed_to_by_their_button() -> None:
    words, yes, no = (
        part("static", "We use cookies.", 20, 500),
        part("push button", "Accept all", 120, 500, id="yes"),
        part("push button", "Only necessary", 220, 500, id="no"),
    )
    talk = Talk("accept the cookies")
    assert talk.see(look(PAGE, words, no, yes)) == (ops.ClickElement("yes"),)
    assert summary(talk.until_it_acts(look(PAGE))) == "I pressed “Accept all”."


def test_terms_are_agreed_to_by_their_box() -> None:
    terms, yes = (
        part("check box", "I accept the terms", 20, 100, id="terms"),
        part("push button", "Accept", 20, 300),
    )
    assert Talk("accept the terms").see(look(PAGE, terms, yes)) == (ops.ClickElement("terms"),)


def test_an_entry_of_a_menu_that_does_not_tell_is_chosen_once() -> None:
    bars = [part("menu", name, 20 + 90 * n, 60, id=name) for n, name in enumerate(("File", "View"))]
    wrap = part("menu item", "Word Wrap", 110, 90, id="wrap")
    talk = Talk("turn on word wrap")
    assert talk.until_it_acts(look(*bars)) == (ops.ClickElement("File"),)
    assert talk.until_it_acts(look(*bars)) == (ops.ClickElement("View"),)
    assert talk.see(look(*bars, wrap)) == (ops.ClickElement("wrap"),)
    assert "does not tell whether it was on" in summary(talk.see(look(*bars)))


def test_an_entry_that_tells_that_it_is_on_is_left_so() -> None:
    wrap = part("check menu item", "Word Wrap", 110, 90, "checked", id="wrap")
    talk = Talk("turn on word wrap")
    assert talk.see(look(wrap)) == (ops.KeyCombo(("escape",)),)
    assert summary(talk.see(look())) == "“Word Wrap” is on."


def test_words_that_were_read_are_not_asked_about_before_the_tree_had_its_time() -> None:
    read = [element("static", "v", (20 + 90 * n, 100, 20, 14), id=f"w{n}", source="ocr") for n in range(9)]
    talk = Talk("click the text field")
    assert isinstance(talk.see(look(*read))[0], ops.Wait)
    assert talk.see(look(PAGE, box("Value", 100), *read)) == (ops.ClickElement("entry Value"),)


# ---- things that belong together -----------------------------------------------------------------


def shop() -> Observation:
    parts = []
    for n, (name, price) in enumerate((("Blue shirt", "19.90 €"), ("Red shirt", "17.50 €"))):
        parts += [
            element("heading", name, (20 + 200 * n, 100, 90, 20), trail=(0, n, 0), parent="page"),
            element("static", price, (20 + 200 * n, 130, 90, 20), trail=(0, n, 1), parent="page"),
            element(
                "push button",
                "Add to basket",
                (20 + 200 * n, 160, 90, 20),
                id=f"add {n}",
                trail=(0, n, 2),
                parent="page",
            ),
        ]
    return look(PAGE, *parts, part("static", "Contact", 20, 400))


def test_what_goes_into_the_basket_is_the_thing_beside_the_button() -> None:
    assert Talk("add the red shirt to my basket").see(shop()) == (ops.ClickElement("add 1"),)


def test_a_price_is_read_from_the_card_of_the_thing() -> None:
    assert "17.50 €" in summary(Talk("how much is the red shirt?").see(shop()))


def test_a_phone_number_stands_after_phone() -> None:
    seen = look(PAGE, part("static", "Phone: 030 123456", 20, 100))
    assert "030 123456" in summary(Talk("tell me the phone number").see(seen))


# ---- forms ---------------------------------------------------------------------------------------


def test_what_was_not_sent_is_said() -> None:
    send = part("push button", "Register", 20, 400, "enabled")
    talk = Talk("fill in the name with Ada")
    talk.see(look(PAGE, box("Name", 100), send))
    talk.see(look(PAGE, box("Name", 100, "focused"), send))
    told = summary(talk.see(look(PAGE, box("Name", 100, "focused", value="Ada"), send)))
    assert told == "“Ada” is typed. I have not pressed “Register”: tell me to if it shall be sent."


@pytest.mark.parametrize("name", ["Search", "Go"])
def test_a_button_for_searching_sends_no_form(name: str) -> None:
    talk, other = Talk("fill in the name with Ada"), part("push button", name, 20, 400, "enabled")
    talk.see(look(PAGE, box("Name", 100), other))
    talk.see(look(PAGE, box("Name", 100, "focused"), other))
    assert summary(talk.see(look(PAGE, box("Name", 100, "focused", value="Ada"), other))) == "“Ada” is typed."


def test_the_only_box_is_not_filled_under_another_name() -> None:
    quiet = ("click_element", "type", "wait")
    named = look(PAGE, box("Search the shop", 100))
    assert "cannot find" in question(
        Talk("fill in the phone with 123", operations=quiet).until_it_acts(named)
    )
    nameless = look(PAGE, box("", 100))
    assert Talk("fill in the phone with 123", operations=quiet).until_it_acts(nameless)[
        0
    ] == ops.ClickElement("entry ")


@pytest.mark.parametrize(
    ("button", "pressed"), [("Register", False), ("Sign up", False), ("OK", True), ("Submit", True)]
)
def test_only_a_button_that_says_no_more_stands_in_for_signing_in(button: str, pressed: bool) -> None:
    seen = look(PAGE, box("Name", 100), part("push button", button, 20, 300, id="there"))
    acted = Talk("click Sign in", operations=("click_element", "wait")).until_it_acts(seen)
    assert (acted == (ops.ClickElement("there"),)) == pressed


def test_a_search_without_an_answer_presses_the_button_beside_the_box() -> None:
    held = part("entry", "Search", 20, 100, "editable", "focusable", "focused", value="socks")
    go = part("push button", "Go", 110, 100, id="go")
    empty = part("entry", "Search", 20, 100, "editable", "focusable", "focused")
    talk = Talk("search for socks on the page")
    assert talk.see(look(PAGE, empty, go)) == (ops.Type("socks"),)
    assert talk.see(look(PAGE, held, go), effect="unchanged") == (ops.KeyCombo(("enter",)),)
    assert talk.until_it_acts(look(PAGE, held, go), effect="unchanged") == (ops.ClickElement("go"),)
