"""Filling in forms: what kind a field is decides how it is set, and what is seen decides when it is done."""

from __future__ import annotations

import msgspec

from desktop_agent.extras.offline.llm.offline.dates import part_values
from desktop_agent.protocol import ops
from desktop_agent.vision.observation import Element, Observation
from tests.extras.offline.things import Talk, element, look, question, recorded, summary

FORM = recorded("chromium_form")


def changed(seen: Observation, name: str, role: str = "", **more: object) -> Observation:
    """The observation with something changed about one element; `states` are added."""
    return msgspec.structs.replace(
        seen,
        elements=tuple(_changed(each, more) if _is(each, name, role) else each for each in seen.elements),
    )


def _is(each: Element, name: str, role: str) -> bool:
    return each.name == name and (not role or each.role == role)


def _changed(each: Element, more: dict[str, object]) -> Element:
    states = each.states | frozenset(more.get("states", ()))  # type: ignore[call-overload]
    return msgspec.structs.replace(each, **{**more, "states": states})


def named(op: object, seen: Observation = FORM) -> str:
    assert isinstance(op, ops.ClickElement)
    (found,) = [each for each in seen.elements if each.id == op.element]
    return found.name or found.role


def test_a_field_is_clicked_and_typed_into_once_it_has_the_focus() -> None:
    talk = Talk("type ada@x.org into the email field")
    (click,) = talk.see(FORM)
    assert named(click) == "Email address"
    focused = changed(FORM, "Email address", states=("focused",))
    assert talk.see(focused) == (ops.Type("ada@x.org"),)
    assert summary(talk.see(changed(focused, "Email address", value="ada@x.org")))


def test_what_a_field_held_before_is_replaced() -> None:
    full = changed(FORM, "Email address", value="old@x.org", states=("focused",))
    assert Talk("set the email to new@x.org").see(full) == (
        ops.KeyCombo(("ctrl", "a")),
        ops.Type("new@x.org"),
    )


def test_a_field_that_says_so_already_is_left_alone() -> None:
    assert summary(Talk("set the email to a@x.org").see(changed(FORM, "Email address", value="a@x.org")))


def test_a_click_that_gave_no_focus_is_repeated_before_typing() -> None:
    talk = Talk("type a into the email field")
    talk.see(FORM)
    (again,) = talk.until_it_acts(FORM)
    assert named(again) == "Email address"


def test_text_without_a_place_among_many_fields_is_asked_about() -> None:
    talk = Talk("type hello")
    assert "Into which field" in question(talk.see(FORM))
    talk.answer("About you")
    (click,) = talk.see(FORM)
    assert named(click) == "About you"


def test_an_option_is_chosen_from_a_list_that_opens() -> None:
    talk = Talk("select Norway from Country")
    (click,) = talk.see(FORM)
    assert named(click) == "Country"
    box = next(each for each in FORM.elements if each.role == "combo box")
    options = tuple(
        element("menu item", name, (90, 540 + 20 * n, 120, 20), id=name, parent=box.id, window=FORM.window)
        for n, name in enumerate(("Denmark", "Norway", "Sweden"))
    )
    opened = changed(FORM, "Country", "combo box", states=("expanded",))
    opened = msgspec.structs.replace(opened, elements=(*opened.elements, *options))
    assert talk.see(opened) == (ops.ClickElement("Norway"),)
    assert summary(talk.see(changed(FORM, "Country", "combo box", value="Norway")))


def test_a_list_that_shows_no_options_is_typed_into() -> None:
    talk = Talk("select Norway from Country")
    talk.see(FORM)
    opened = changed(FORM, "Country", "combo box", states=("expanded",))
    assert talk.until_it_acts(opened) == (ops.Type("Norway"), ops.KeyCombo(("enter",)))
    assert "shows" in question(talk.until_it_acts(FORM))


def test_a_radio_button_is_chosen_and_seen_to_be() -> None:
    talk = Talk("choose Professional")
    (click,) = talk.see(FORM)
    assert named(click) == "Professional"
    assert summary(talk.see(changed(FORM, "Professional", states=("checked",))))


def test_a_box_is_ticked_only_when_it_is_not() -> None:
    ticked = changed(FORM, "Subscribe to the newsletter", states=("checked",))
    assert summary(Talk("tick the newsletter box").see(ticked))
    (click,) = Talk("untick the newsletter box").see(ticked)
    assert named(click) == "Subscribe to the newsletter"


def test_a_box_that_does_not_change_is_clicked_once_more_and_then_asked_about() -> None:
    talk = Talk("check the newsletter box")
    talk.see(FORM)
    (again,) = talk.until_it_acts(FORM)
    assert named(again) == "Subscribe to the newsletter"
    assert "stays off" in question(talk.until_it_acts(FORM))


def test_several_boxes_are_ticked_in_one_go_and_seen_to_be() -> None:
    talk = Talk("check the newsletter and the terms")
    first, second = talk.see(FORM)
    assert (named(first), named(second)) == (
        "Subscribe to the newsletter",
        "I accept the Terms and Conditions",
    )
    one = changed(FORM, "Subscribe to the newsletter", states=("checked",))
    (again,) = talk.until_it_acts(one)
    assert named(again) == "I accept the Terms and Conditions"
    assert summary(talk.see(changed(one, "I accept the Terms and Conditions", states=("checked",))))


def test_all_boxes_means_each_of_them() -> None:
    talk = Talk("check all the boxes")
    assert [named(each) for each in talk.see(FORM)] == [
        "Subscribe to the newsletter",
        "I accept the Terms and Conditions",
    ]


def test_a_slider_is_moved_by_keys_until_it_shows_the_value() -> None:
    talk = Talk("set the volume to 23")
    actions = talk.see(FORM)
    assert actions[1:] == (ops.KeyCombo(("right",)),) * 3
    assert summary(talk.see(changed(FORM, "Volume", "slider", value="23")))


def test_the_form_is_sent_by_its_button() -> None:
    (click,) = Talk("submit the form").see(FORM)
    assert named(click) == "Register"


def test_a_form_without_a_button_is_sent_by_enter() -> None:
    field = element("entry", "Name", states=("editable", "focused", "focusable"))
    assert Talk("submit the form").see(look(field)) == (ops.KeyCombo(("enter",)),)


def test_a_date_is_typed_part_by_part_in_the_fields_order() -> None:
    assert part_values("2027-03-04", ["Month", "Day", "Year"]) == ["03", "04", "2027"]
    assert part_values("4 March 2027", ["Day Arrival", "Month Arrival", "Year Arrival"]) == [
        "04",
        "03",
        "2027",
    ]
    assert part_values("March 4th, 2027", ["Year", "Month", "Day"]) == ["2027", "03", "04"]
    assert part_values("05/06/2027", ["Month", "Day", "Year"]) == ["05", "06", "2027"]
    assert part_values("14:30", ["Hours", "Minutes", "AM/PM"]) == ["02", "30", "pm"]
    assert part_values("soon", ["Month", "Day", "Year"]) is None
