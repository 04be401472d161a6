"""Writing into the fields of a simulated desktop: caret, selection, clipboard, undo, limits, secrets."""

from __future__ import annotations

from typing import Any

import pytest

from desktop_agent.protocol.geometry import Point
from desktop_agent.protocol.input_events import ButtonDown, ButtonUp, KeyDown, KeyUp
from tests.extras.avis.simulation.worked_desktop import WorkedDesktop, element


def field(value: str = "", kind: str = "text_field", **more: Any) -> WorkedDesktop:
    """One field that has the keyboard, its caret at the end."""
    desk = WorkedDesktop(element("name", kind, value=value, **more))
    desk.click("name")
    desk.press("ctrl+end")
    return desk


def at(desk: WorkedDesktop, index: int) -> Point:
    """Where the caret stands when it is there."""
    line = desk.pieces("name", "line")[0].rect
    return Point(line.x + desk.desktop.theme.text.width(desk["name"].value[:index]), line.center.y)


def test_the_caret_goes_where_the_keys_say() -> None:
    desk = field("one two")
    desk.press("left", "left")
    desk.type("X")
    assert desk["name"].value == "one tXwo"
    desk.press("home")
    desk.type("Y")
    desk.press("right", "end", "backspace")
    desk.press("home", "delete")
    assert desk["name"].value == "one tXw"
    desk.press("end", "ctrl+left")
    desk.type("_")
    assert desk["name"].value == "one _tXw"
    desk.press("ctrl+backspace", "ctrl+delete")
    assert "tXw" not in desk["name"].value


def test_the_caret_goes_where_the_mouse_says() -> None:
    desk = field("one two")
    desk.move(at(desk, 3))
    desk.desktop.emit(ButtonDown("left"))
    desk.desktop.emit(ButtonUp("left"))
    desk.type("!")
    assert desk["name"].value == "one! two"
    assert len(desk.pieces("name", "caret")) == 1


def test_text_is_selected_with_keys_and_replaced() -> None:
    desk = field("one two")
    desk.press("shift+left", "shift+left", "shift+left")
    assert desk["name"].selection == (4, 7) and desk.pieces("name", "selected_text")
    desk.type("six")
    assert desk["name"].value == "one six"
    desk.press("shift+home", "delete")
    assert desk["name"].value == ""


def test_text_is_selected_with_the_mouse() -> None:
    desk = field("one two")
    desk.drag(at(desk, 0), at(desk, 3))
    assert desk["name"].selection == (0, 3)
    desk.move(at(desk, 5))
    for _ in range(2):
        desk.desktop.emit(ButtonDown("left"))
        desk.desktop.emit(ButtonUp("left"))
    assert desk["name"].selection == (4, 7)
    desk.move(at(desk, 0))
    desk.desktop.emit(KeyDown("shift"))
    desk.desktop.emit(ButtonDown("left"))
    desk.desktop.emit(ButtonUp("left"))
    desk.desktop.emit(KeyUp("shift"))
    assert desk["name"].selection == (0, 4)


def test_the_clipboard_is_the_desktops_own() -> None:
    desk = field("one")
    desk.press("ctrl+a", "ctrl+c", "end", "ctrl+v", "ctrl+v")
    assert desk["name"].value == "oneoneone" and desk.desktop.clipboard == "one"
    desk.press("ctrl+a", "ctrl+x")
    assert desk["name"].value == "" and desk.desktop.clipboard == "oneoneone"
    assert WorkedDesktop(element("name", "text_field")).desktop.clipboard == ""


def test_undo_takes_back_one_change_after_the_other() -> None:
    desk = field("one")
    desk.type("ab")
    desk.press("ctrl+a", "delete", "ctrl+z")
    assert desk["name"].value == "oneab"
    desk.press("ctrl+z", "ctrl+z", "ctrl+z")
    assert desk["name"].value == "one"


def test_a_field_takes_no_more_than_its_length() -> None:
    desk = field("ab", max_length=4)
    desk.type("cdef")
    assert desk["name"].value == "abcd"
    desk.press("ctrl+a", "ctrl+c", "ctrl+v", "ctrl+v")
    assert desk["name"].value == "abcd"


def test_a_read_only_field_is_copied_from_and_nothing_else() -> None:
    desk = field("fixed", is_read_only=True)
    desk.type("x")
    desk.press("backspace", "delete", "ctrl+a", "ctrl+x", "ctrl+v", "delete")
    assert desk["name"].value == "fixed" and desk.desktop.clipboard == "fixed"


def test_a_secret_shows_as_dots_and_is_not_copied() -> None:
    desk = field("quince", is_secret=True)
    assert desk.texts("name", "line") == ["•" * 6]
    desk.press("ctrl+a", "ctrl+c", "ctrl+x")
    assert desk.desktop.clipboard == "" and desk["name"].value == "quince"


def test_each_change_is_told_and_enter_submits() -> None:
    desk = field(
        on={"change": [{"store": "now", "to": "{name}"}], "submit": [{"store": "sent", "to": "{name}"}]}
    )
    desk.type("ab")
    assert desk.store == {"now": "ab"}
    desk.press("enter")
    assert desk.store["sent"] == "ab"
    desk.press("left", "home")
    assert desk.store["now"] == "ab"


def test_enter_presses_the_primary_button_of_a_form() -> None:
    desk = WorkedDesktop(
        element("name", "text_field"),
        element("no", "button", "No", on={"click": [{"store": "did", "to": "no"}]}),
        element("yes", "button", "Yes", style="primary", on={"click": [{"store": "did", "to": "yes"}]}),
    )
    desk.click("name")
    desk.press("enter")
    assert desk.store == {"did": "yes"}


def test_a_field_has_one_line_and_an_area_many() -> None:
    desk = field("", "text_area")
    desk.type("one\ntwo")
    assert desk["name"].value == "one\ntwo" and desk.texts("name", "line") == ["one", "two"]
    desk.press("up", "home")
    desk.type("_")
    assert desk["name"].value == "_one\ntwo"
    desk.press("down", "end")
    desk.type("!")
    desk.press("ctrl+home", "delete")
    assert desk["name"].value == "one\ntwo!"
    desk.press("up", "shift+end", "ctrl+c")
    single = WorkedDesktop(element("name", "text_field"))
    single.desktop.clipboard = "a\nb"
    single.click("name")
    single.press("ctrl+v")
    assert single["name"].value == "a b"


def test_what_is_written_in_an_area_stays_in_sight() -> None:
    desk = field("", "text_area", lines=3)
    desk.type("\n".join(f"line {number}" for number in range(9)))
    caret = desk.pieces("name", "caret")
    assert caret and caret[0].shown == caret[0].rect
    desk.press("ctrl+home")
    caret = desk.pieces("name", "caret")
    assert caret and caret[0].shown == caret[0].rect


def test_a_long_text_is_shown_where_the_caret_is() -> None:
    desk = field("", width=120)
    desk.type("a long text that is wider than its field")
    caret = desk.pieces("name", "caret")
    assert caret and not caret[0].shown.empty
    desk.press("home")
    assert desk.pieces("name", "line")[0].rect.x >= desk.pieces("name", "field")[0].rect.x


def test_the_placeholder_goes_with_the_first_character() -> None:
    desk = field("", placeholder="Your name")
    assert desk.texts("name", "placeholder") == ["Your name"]
    desk.type("A")
    assert not desk.pieces("name", "placeholder")


@pytest.mark.parametrize("text", ["Grüße", "日本", "👋", "ß", "a" * 32])
def test_any_character_is_written(text: str) -> None:
    desk = field()
    desk.type(text)
    assert desk["name"].value == text
