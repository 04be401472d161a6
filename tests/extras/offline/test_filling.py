"""Values on pages: dates by parts and calendars, sliders without a name, lists that scroll, boxes by the dozen."""

from __future__ import annotations

from typing import Any

import pytest

from desktop_agent.extras.offline.llm.offline import colours, dates
from desktop_agent.extras.offline.llm.offline.policies.picking import names_in
from desktop_agent.extras.offline.llm.offline.policies.ticking import all_but
from desktop_agent.protocol import ops
from desktop_agent.vision.observation import Element, Observation
from tests.extras.offline.things import Talk, element, look, question, summary


def part(
    role: str, name: str, x: int, y: int, *states: str, size: tuple[int, int] = (60, 20), **more: Any
) -> Element:
    """A part of the page, 60x20 pixels unless `size` says otherwise."""
    more.setdefault("id", f"{role} {name} {x} {y}")
    more.setdefault("parent", "page")
    return element(role, name, (x, y, *size), states=states, **more)


def page(*parts: Element) -> Observation:
    """A browser with its address bar, and a page of these parts."""
    frame = element("frame", "Window", (0, 0, 1280, 800), id="frame")
    bar = element(
        "entry", "Address and search bar", (200, 30, 600, 24), id="bar", states=("editable", "focusable")
    )
    document = element("document web", "Form", (0, 80, 1280, 700), id="page", parent="frame")
    return look(frame, bar, document, *parts)


def clicked(op: object) -> str:
    assert isinstance(op, ops.ClickElement), op
    return op.element


def box(x: int, y: int, *states: str, **more: Any) -> Element:
    return part("entry", "", x, y, "editable", "focusable", *states, **more)


def spin(name: str, x: int, *states: str, value: str = "") -> Element:
    return part("spin button", name, x, 200, "focusable", *states, value=value, size=(20, 18), id=name)


SEND = part("push button", "Submit", 20, 400, "focusable", id="send")


# ---- which field ---------------------------------------------------------------------------------


def test_both_fields_get_the_value() -> None:
    talk = Talk('enter "s3" into both text fields')
    one, other = box(20, 200, id="one"), box(20, 250, id="other")
    assert [clicked(op) for op in talk.see(page(one, other))] == ["one"]
    assert talk.see(page(box(20, 200, "focused", id="one"), other)) == (ops.Type("s3"),)
    held = box(20, 200, value="s3", id="one")
    assert [clicked(op) for op in talk.see(page(held, other))] == ["other"]


def test_the_browsers_own_box_is_not_counted_among_those_of_the_page() -> None:
    talk = Talk('enter the number "-7" into the 2nd textbox')
    assert [clicked(op) for op in talk.see(page(box(20, 200, id="one"), box(90, 200, id="two")))] == ["two"]


def test_what_lies_over_the_page_labels_nothing_on_it() -> None:
    label = part("label", "Password", 20, 200)
    below = part("password text", "", 20, 225, "editable", "focusable", "password", id="secret")
    bubble = element("list box", "Autofill", (20, 222, 300, 60), id="suggestions", parent="frame")
    talk = Talk('enter the username "a" and the password "b"')
    name = box(20, 150, "focused", value="a", id="name")
    seen = page(part("label", "Username", 20, 125), name, label, below, bubble)
    talk.see(seen)
    assert talk.until_it_acts(seen) == (
        ops.KeyCombo(("escape",)),
    )  # the click would only close the suggestions
    assert [clicked(op) for op in talk.see(page(part("label", "Username", 20, 125), name, label, below))] == [
        "secret"
    ]


def test_a_table_labels_its_boxes() -> None:
    talk = Talk("set the city to Oslo")
    cells = (part("row header", "Name", 20, 200), part("row header", "City", 20, 230))
    assert [clicked(op) for op in talk.see(page(*cells, box(90, 200), box(90, 230, id="city")))] == ["city"]


def test_press_login_presses_the_button_that_sends_the_form() -> None:
    talk = Talk("press login")
    seen = page(part("label", "Username", 20, 180), box(20, 200), part("push button", "OK", 20, 300, id="ok"))
    assert [clicked(op) for op in talk.until_it_acts(seen)] == ["ok"]


def test_a_question_that_takes_the_form_away_is_declined() -> None:
    talk = Talk('type "ada" into the name field')
    label = part("label", "Name", 20, 178)
    talk.see(page(label, box(20, 200, id="name")))
    shut = Element("name", "entry", "", box(20, 200).bounds, states=frozenset(("showing", "editable")), window="Window", parent="page")  # fmt: skip
    leave = part("push button", "OK", 20, 300, id="leave"), part("push button", "Cancel", 90, 300, id="stay")
    assert [clicked(op) for op in talk.see(page(label, shut, *leave))] == ["stay"]
    assert [clicked(op) for op in talk.see(page(label, box(20, 200, id="name")))] == ["name"]


# ---- dates ---------------------------------------------------------------------------------------


def test_a_date_goes_into_its_parts() -> None:
    talk = Talk("enter 10/20/2017 as the date")
    empty = page(spin("Month", 20), spin("Day", 50), spin("Year", 80), SEND)
    assert [clicked(op) for op in talk.see(empty)] == ["Month"]
    assert talk.see(page(spin("Month", 20, "focused"), spin("Day", 50), spin("Year", 80))) == (
        ops.Type("10202017"),
    )
    wrong = page(spin("Month", 20, value="10"), spin("Day", 50, value="2"), spin("Year", 80, value="2017"))
    assert [clicked(op) for op in talk.until_it_acts(wrong)] == ["Day"]
    right = page(spin("Month", 20, value="10"), spin("Day", 50, value="20"), spin("Year", 80, value="2017"))
    assert summary(talk.see(right))


@pytest.mark.parametrize(
    ("said", "fields", "typed"),
    [
        ("7:55 PM", ["Hours", "Minutes", "AM/PM"], ["07", "55", "pm"]),
        ("7:55 PM", ["Hours", "Minutes"], ["19", "55"]),
        ("noon", ["Hours", "Minutes", "AM/PM"], ["12", "00", "pm"]),
        ("8 am", ["Hours", "Minutes"], ["08", "00"]),
        ("4 March 2027", ["Day", "Month", "Year"], ["04", "03", "2027"]),
        ("10/20/2017", ["Day", "Month", "Year"], ["20", "10", "2017"]),
        ("3/4/2027", ["Month", "Day", "Year"], ["03", "04", "2027"]),
        ("March 2027", ["Day", "Month", "Year"], None),
    ],
)
def test_the_parts_of_dates_and_times(said: str, fields: list[str], typed: list[str] | None) -> None:
    assert dates.part_values(said, fields) == typed


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("10/11/2016", (2016, 10, 11)),
        ("31/12/2016", (2016, 12, 31)),
        ("2016-12-31", (2016, 12, 31)),
        ("4.3.2027", (2027, 3, 4)),
        ("March 5, 2027", (2027, 3, 5)),
        ("31 February 2027", None),
        ("tomorrow", None),
    ],
)
def test_a_day_is_understood(said: str, day: tuple[int, int, int] | None) -> None:
    assert dates.day_of(said) == day


def calendar(month: str, year: str, days: int) -> tuple[Element, ...]:
    numbers = [part("link", str(n), 20 + 30 * (n % 7), 300 + 20 * (n // 7), id=f"day {n}", size=(26, 16)) for n in range(1, days + 1)]  # fmt: skip
    head = (part("link", "Prev", 20, 270, id="prev"), part("static", month, 90, 270, id="m"), part("static", year, 160, 270, id="y"), part("link", "Next", 220, 270, id="next"))  # fmt: skip
    return (*head, *numbers)


def test_a_day_is_chosen_in_the_calendar_that_a_box_opens() -> None:
    talk = Talk("select 10/14/2016 as the date")
    label = part("static", "Date:", 20, 200)
    shut = part("entry", "", 90, 200, "focusable", id="date")
    assert [clicked(op) for op in talk.see(page(label, shut))] == ["date"]
    turn = talk.see(page(label, shut, *calendar("December", "2016", 31)))
    assert [clicked(op) for op in turn] == ["prev", "prev"]
    shown = page(label, shut, *calendar("October", "2016", 31))
    assert [clicked(op) for op in talk.see(shown)] == ["day 14"]
    chosen = part("entry", "", 90, 200, "focusable", id="date", value="10/14/2016")
    assert summary(talk.see(page(label, chosen)))


# ---- sliders and spinners ------------------------------------------------------------------------


def grip(x: int, y: int = 200, *states: str) -> Element:
    return part("section", "", x, y, "focusable", *states, size=(15, 14), id=f"grip {y}")


def shows(number: str, y: int = 215) -> Element:
    return part("static", number, 20, y, size=(12, 14), id=f"value {y}")


def test_a_slider_that_a_page_draws_is_moved_by_keys_until_its_number_is_right() -> None:
    talk = Talk("select 5 with the slider")
    assert talk.see(page(grip(40), shows("2"), SEND)) == (
        ops.FocusElement("grip 200"),
        *(ops.KeyCombo(("right",)),) * 3,
    )
    late = page(grip(55, 200, "focused"), shows("4"), SEND)
    assert isinstance(talk.see(late)[0], ops.Wait)  # three presses lead to 5: it is not told yet
    assert summary(talk.see(page(grip(60, 200, "focused"), shows("5"), SEND)))


def test_a_slider_with_larger_steps_is_not_overshot_twice() -> None:
    talk = Talk("select 50 with the slider")
    talk.see(page(grip(40), shows("0")))
    at_75 = page(grip(120, 200, "focused"), shows("75"))
    assert talk.until_it_acts(at_75) == (ops.KeyCombo(("left",)),) * 5  # fifteen presses went 75


def test_each_slider_gets_its_own_number() -> None:
    talk = Talk("set the sliders to the combination [3,7]")
    first = page(grip(40), shows("2"), grip(40, 240), shows("6", 255))
    assert talk.see(first)[0] == ops.FocusElement("grip 200")
    one_done = page(grip(45, 200, "focused"), shows("3"), grip(40, 240), shows("6", 255))
    assert talk.see(one_done) == (ops.FocusElement("grip 240"), ops.KeyCombo(("right",)))


def test_values_that_are_not_as_many_as_sliders_are_asked_about() -> None:
    assert "not 2 values" in question(Talk("set the sliders to 1, 2 and 3").see(page(grip(40), shows("2"), grip(40, 240), shows("6", 255))))  # fmt: skip


def test_a_spinner_that_takes_no_typing_is_stepped() -> None:
    talk = Talk("select 3 with the spinner")
    talk.see(page(spin("Count", 20, value="0")))
    focused = page(spin("Count", 20, "focused", value="0"))
    assert ops.Type("3") in talk.see(focused)
    assert talk.until_it_acts(focused) == (ops.KeyCombo(("up",)),) * 3
    assert summary(talk.see(page(spin("Count", 20, "focused", value="3"))))


# ---- options -------------------------------------------------------------------------------------


def tick_box(name: str, y: int, *states: str) -> Element:
    return part("check box", name, 20, y, "focusable", *states, id=name)


def test_boxes_of_a_list_are_ticked_together_and_the_rest_is_left() -> None:
    talk = Talk('Select Tea, "Milk" and Oat bread')
    empty = page(
        tick_box("Milk", 200), tick_box("Spam", 220), tick_box("Tea", 240), tick_box("Oat bread", 260)
    )
    assert [clicked(op) for op in talk.see(empty)] == ["Tea", "Milk", "Oat bread"]
    on = page(
        tick_box("Milk", 200, "checked"),
        tick_box("Spam", 220),
        tick_box("Tea", 240, "checked"),
        tick_box("Oat bread", 260, "checked"),
    )
    assert summary(talk.see(on))


def test_all_boxes_but_one() -> None:
    seen = page(tick_box("Milk", 200), tick_box("Spam", 220, "checked"), tick_box("Tea", 240))
    assert [clicked(op) for op in Talk("tick all boxes except Spam").see(seen)] == ["Spam", "Milk", "Tea"]


def test_one_of_two_is_whichever_there_is() -> None:
    seen = page(part("radio button", "Tea", 20, 200, id="tea"), part("radio button", "Milk", 20, 220))
    assert [clicked(op) for op in Talk("choose Coffee or Tea").see(seen)] == ["tea"]


def listed(*names: str, selected: str = "") -> Observation:
    items = [
        part("list item", name, 20, 200 + 20 * n, *(("selected",) if name == selected else ()), parent="list", id=name)
        for n, name in enumerate(names)
    ]  # fmt: skip
    return page(part("list box", "", 20, 200, "focusable", size=(150, 90), id="list"), *items, SEND)


def test_items_of_a_list_are_scrolled_to_and_the_second_is_added_with_ctrl() -> None:
    talk = Talk("select Chad, Peru from the scroll list")
    (first,) = talk.see(listed("Chad", "Fiji"))
    assert first == ops.ClickElement("Chad")
    rolled, _ = talk.see(listed("Chad", "Fiji", selected="Chad"))
    assert rolled == ops.ScrollElement("list", 0, -1)
    (second,) = talk.see(listed("Iran", "Peru"))
    assert second == ops.ClickElement("Peru", modifiers=("ctrl",))
    assert summary(talk.see(listed("Iran", "Peru", selected="Peru")))


def test_a_number_is_never_taken_for_another() -> None:
    talk = Talk("choose 5ft 10in")
    seen = page(part("list item", "5ft 11in", 20, 200), part("list item", "6ft 10in", 20, 220))
    for _ in range(20):
        (op,) = talk.see(seen, effect="unchanged")
        assert not isinstance(op, ops.ClickElement)
        if isinstance(op, ops.Ask):
            return
    raise AssertionError("it never asks")


def test_a_list_that_a_page_draws_is_opened_by_the_box_that_takes_its_keys() -> None:
    talk = Talk("choose Peru from the dropdown")
    hidden = box(20, 200, size=(1, 1), id="keys")
    assert [clicked(op) for op in talk.see(page(hidden))] == ["keys"]
    shown = page(hidden, part("list item", "Chad", 20, 240), part("list item", "Peru", 20, 260))
    assert talk.see(shown) == (ops.Click(50, 262),)  # the last in sight may be cut off: its upper edge is not
    assert summary(talk.see(page(hidden)))


# ---- what begins with, and what is described -----------------------------------------------------


def test_what_a_box_offers_is_chosen_by_its_beginning_and_end() -> None:
    talk = Talk('Enter an item that starts with "Sa" and ends with "ino"')
    talk.see(page(box(20, 200, id="box")))
    assert talk.see(page(box(20, 200, "focused", id="box"))) == (ops.Type("Sa"),)
    offered = (part("static", "Samoa", 20, 225), part("static", "San Marino", 20, 245, id="right"))
    typed = box(20, 200, "focused", id="box", value="Sa")
    assert [clicked(op) for op in talk.see(page(typed, *offered))] == ["right"]
    assert summary(talk.see(page(box(20, 200, "focused", id="box", value="San Marino"))))


@pytest.mark.parametrize("told", [(), (part("static", "Enter the word tea", 20, 100, size=(200, 14)),)])
def test_nothing_is_sent_unasked_even_where_the_page_says_the_same_words(told: tuple[Element, ...]) -> None:
    talk = Talk("Enter the word tea")
    talk.see(page(*told, box(20, 200, id="box"), SEND))
    talk.see(page(*told, box(20, 200, "focused", id="box"), SEND))
    assert summary(talk.see(page(*told, box(20, 200, "focused", id="box", value="tea"), SEND)))


# ---- words ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "names"),
    [
        ("a, b and c", ("a", "b", "c")),
        ('"a, b" and "c"', ("a, b", "c")),
        ("the tea, the milk, and bread", ("the tea", "milk", "bread")),
        ("x", ("x",)),
        ("", ()),
    ],
)
def test_lists_in_words(said: str, names: tuple[str, ...]) -> None:
    assert names_in(said) == names


@pytest.mark.parametrize(
    ("said", "out"),
    [("all", ""), ("every box", ""), ("all of the boxes except Tea", "Tea"), ("everything but Tea", "Tea"), ("tea", None), ("all in one", None)],
)  # fmt: skip
def test_all_in_words(said: str, out: str | None) -> None:
    assert all_but(said) == out


def test_a_colour_is_written_as_the_box_does() -> None:
    assert colours.as_shown("green", "#ab2567") == "#008000"
    assert colours.as_shown("Navy", "AB2567") == "000080"
    assert colours.as_shown("green", "red") == "green"
