"""Clicking, pressing, scrolling, menus, dragging."""

from __future__ import annotations

import pytest

from desktop_agent.extras.offline.llm.offline.moves import Question
from desktop_agent.llm.base import MISSED
from desktop_agent.protocol import ops
from desktop_agent.protocol.agent_events import Effect
from desktop_agent.protocol.geometry import Point
from tests.extras.offline.things import Talk, element, look, question, recorded, summary

SAVE = element("push button", "Save", (10, 10, 80, 20), id="save")
OPEN = element("push button", "Open", (110, 10, 80, 20), id="open")
BUTTONS = look(SAVE, OPEN)


def test_a_button_is_clicked_once() -> None:
    talk = Talk("click Save")
    assert talk.see(BUTTONS) == (ops.ClickElement("save"),)
    assert summary(talk.see(BUTTONS))


def test_what_was_missed_is_clicked_where_it_stands_but_not_for_ever() -> None:
    talk = Talk("click Save")
    talk.see(BUTTONS, detail=MISSED, effect="unchanged")
    assert talk.see(BUTTONS) == (ops.ClickElement("save"),)
    assert summary(talk.see(BUTTONS))
    never = Talk("click Save")
    clicks = 0
    for _ in range(10):
        actions = never.see(BUTTONS, detail=MISSED, effect="unchanged")
        clicks += actions == (ops.ClickElement("save"),)
    assert clicks == 3 and summary(actions)


@pytest.mark.parametrize(
    ("said", "op"),
    [
        ("double-click Save", ops.ClickElement("save", count=2)),
        ("right-click Save", ops.ClickElement("save", button="right")),
        ("ctrl+click Save", ops.ClickElement("save", modifiers=("ctrl",))),
        ("hover over Save", ops.HoverElement("save")),
        ("drag Save onto Open", ops.DragElement("save", "open")),
        ("click at 30, 40", ops.Click(30, 40)),
    ],
)
def test_the_way_of_clicking_is_as_said(said: str, op: ops.Op) -> None:
    assert Talk(said).see(BUTTONS) == (op,)


def test_a_drag_that_changes_nothing_is_not_called_done() -> None:
    effects: tuple[tuple[Effect, bool], ...] = (("changed", True), ("unchanged", False))
    for effect, done in effects:
        talk = Talk("drag Save onto Open")
        talk.see(BUTTONS, effect=effect)
        said = talk.until_it_acts(BUTTONS)
        assert summary(said) if done else "nothing has changed" in question(said)


def test_a_click_several_times_is_one_batch() -> None:
    assert Talk("click Save 3 times").see(BUTTONS) == (ops.ClickElement("save"),) * 3


def test_without_element_operations_a_click_goes_to_the_place_in_the_picture() -> None:
    talk = Talk("click Save", operations=("click", "wait", "ask", "done"))
    assert talk.see(BUTTONS) == (ops.Click(50, 20),)


def test_what_is_not_there_is_waited_for_read_for_and_asked_about() -> None:
    talk = Talk("click Teleport")
    kinds = []
    for _ in range(12):
        actions = talk.see(BUTTONS)
        kinds.append(type(actions[0]))
        if isinstance(actions[0], ops.Ask):
            break
    assert kinds[0] is ops.Wait and ops.Read in kinds and kinds[-1] is ops.Ask
    assert "“Save”" in question(actions)
    talk.answer("it is called Open")
    assert talk.see(BUTTONS) == (ops.ClickElement("open"),)


@pytest.mark.parametrize("answer", [0, 1, "2", "the second"])
def test_of_several_things_each_is_offered_and_the_one_picked_is_clicked(answer: int | str) -> None:
    several = look(
        element("push button", "Report A", (10, 10, 80, 20), id="one"),
        element("push button", "Report A B", (110, 10, 80, 20), id="other"),
    )
    talk = Talk("click the report")
    (asked,) = talk.until_it_acts(several)
    assert isinstance(asked, ops.Ask) and asked.choices == ("Report A", "Report A B")
    talk.answer(asked.choices[answer] if isinstance(answer, int) else answer)
    assert talk.see(several) == (ops.ClickElement("one" if answer == 0 else "other"),)


@pytest.mark.parametrize(
    ("known", "offered"),
    [
        (("Yes", "No"), ("Yes", "No")), (("a", "b", "c", "d", "e"), ("a", "b", "c", "d")), (("Save\n as",), ("Save as",)),
        (("Delete", "delete"), ()), (("x" * 121, "y"), ()), (("", "y"), ()), ((), ()),
    ],
)  # fmt: skip
def test_only_choices_that_can_be_told_apart_are_offered(
    known: tuple[str, ...], offered: tuple[str, ...]
) -> None:
    assert Question("Which?", known).offered == offered


def test_what_comes_late_is_clicked_when_it_is_there() -> None:
    talk = Talk("click Save")
    assert isinstance(talk.see(look(OPEN))[0], ops.Wait)
    assert talk.see(BUTTONS) == (ops.ClickElement("save"),)


@pytest.mark.parametrize("answer", ["the second one", "2", "the one next to Alan Turing", "Alan Turing"])
def test_one_of_several_is_asked_for_and_picked_by_the_answer(answer: str) -> None:
    seen = recorded("chromium_table")
    talk = Talk("click Delete")
    asked = question(talk.see(seen))
    assert "1002 Alan Turing" in asked and "Which one" in asked
    talk.answer(answer)
    (click,) = talk.see(seen)
    buttons = sorted((e for e in seen.elements if e.name == "Delete"), key=lambda e: e.bounds.y)
    assert click == ops.ClickElement(buttons[1].id)


def test_a_refused_click_is_tried_again_and_then_told() -> None:
    talk = Talk("click Save")
    talk.see(BUTTONS, outcome="refused", detail="Someone moved the pointer.")
    assert len(talk.see(BUTTONS, outcome="refused", detail="Someone moved the pointer.")) == 1
    assert "Someone moved the pointer" in question(talk.see(BUTTONS))


def test_a_dialog_that_stays_is_clicked_again() -> None:
    dialog = element("dialog", "Sure?", (300, 300, 300, 150), id="dialog")
    ok = element("push button", "OK", (320, 400, 80, 30), id="ok", parent="dialog")
    talk = Talk("click OK")
    seen = look(dialog, ok)
    assert talk.see(seen) == (ops.ClickElement("ok"),)
    assert talk.until_it_acts(seen) == (ops.ClickElement("ok"),)
    assert summary(talk.see(look(OPEN)))


def test_keys_are_pressed_as_often_as_said() -> None:
    talk = Talk("press tab 3 times and press ctrl+s")
    assert talk.see(BUTTONS) == (ops.KeyCombo(("tab",)),) * 3
    assert talk.see(BUTTONS) == (ops.KeyCombo(("ctrl", "s")),)
    assert summary(talk.see(BUTTONS))


def test_many_presses_go_in_short_batches() -> None:
    talk = Talk("press down 20 times")
    batches = [len(talk.see(BUTTONS)) for _ in range(2)]
    assert batches == [16, 4]
    assert summary(talk.see(BUTTONS))


def test_a_character_is_a_button_where_there_is_one_of_that_name() -> None:
    assert isinstance(Talk("press 7").see(recorded("galculator"))[0], ops.ClickElement)
    assert Talk("press 7").see(BUTTONS) == (ops.KeyCombo(("7",)),)


def test_a_menu_path_is_chosen_entry_by_entry() -> None:
    talk = Talk("choose File > Save As")
    editor = recorded("mousepad")
    (first,) = talk.see(editor)
    assert first == ops.ClickElement(next(e.id for e in editor.elements if e.name == "File"))
    item = element("menu item", "Save As…", (325, 260, 150, 24), id="as", window=editor.window)
    assert talk.see(look(*editor.elements, item, window=editor.window)) == (ops.ClickElement("as"),)
    assert summary(talk.see(editor))


@pytest.mark.parametrize(
    ("said", "dx", "dy"),
    [
        ("scroll down 3", 0, -3),
        ("scroll up two notches", 0, 2),
        ("scroll right 4", 4, 0),
        ("scroll to the bottom", 0, -100),
    ],
)
def test_the_wheel_is_turned_over_the_middle(said: str, dx: int, dy: int) -> None:
    (op,) = Talk(said).see(BUTTONS)
    assert op == ops.Scroll(dx, dy, 640, 400)


def test_scrolling_for_something_ends_when_it_is_seen() -> None:
    talk = Talk("scroll down until you see Contact us and click it")
    assert isinstance(talk.until_it_acts(BUTTONS)[0], ops.Scroll)
    assert isinstance(talk.see(BUTTONS)[0], ops.Scroll)
    contact = element("link", "Contact us", (10, 700, 80, 20), id="contact")
    assert talk.see(look(SAVE, contact)) == (ops.ClickElement("contact"),)


def test_scrolling_for_something_ends_at_the_end_of_the_page() -> None:
    talk = Talk("scroll down until you see Contact us")
    talk.until_it_acts(BUTTONS, "unchanged")
    assert "cannot find “Contact us”" in question(talk.see(BUTTONS))


def test_scrolling_to_the_end_stops_when_nothing_moves() -> None:
    talk = Talk("scroll to the bottom")
    talk.see(BUTTONS)
    talk.see(BUTTONS, effect="unchanged")
    assert summary(talk.see(BUTTONS))


def test_a_page_is_scrolled_in_search_of_what_is_not_in_sight() -> None:
    page = element("document web", "Shop", (0, 80, 1000, 700), id="page")
    talk = Talk("click Contact us")
    (down,) = talk.until_it_acts(look(page))
    assert isinstance(down, ops.Scroll) and down.dy < 0
    contact = element("link", "Contact us", (10, 700, 80, 20), id="contact")
    assert talk.see(look(page, contact)) == (ops.ClickElement("contact"),)


def test_the_search_by_scrolling_ends_at_the_top() -> None:
    page = look(element("document web", "Shop", (0, 80, 1000, 700), id="page"))
    talk = Talk("click Contact us")
    talk.until_it_acts(page, "unchanged")
    (up,) = talk.until_it_acts(page)
    assert isinstance(up, ops.Scroll) and up.dy > 0
    assert "cannot find" in question(talk.until_it_acts(page))


def test_a_partial_name_is_no_menu_command_and_never_the_opposite() -> None:
    commands = look(
        element("menu item", "Folder Properties", id="wrong"),
        element("push button", "Don't Save", (10, 60, 80, 20)),
    )
    assert not isinstance(Talk("click Folder").until_it_acts(commands)[0], ops.ClickElement)
    assert not isinstance(Talk("click Save").until_it_acts(commands)[0], ops.ClickElement)


def test_an_empty_place_is_found_for_a_context_menu() -> None:
    window = element("frame", "Files", (100, 100, 600, 400))
    button = element("push button", "Up", (380, 280, 40, 40))
    (click,) = Talk("right click the empty area").until_it_acts(look(window, button))
    assert isinstance(click, ops.Click) and click.button == "right"
    assert click.x is not None and click.y is not None
    assert not button.bounds.contains(Point(click.x, click.y))


def test_a_command_that_is_not_in_sight_is_looked_for_in_the_menus() -> None:
    editor = recorded("mousepad")
    menus = {each.name: each.id for each in editor.elements if each.role == "menu"}
    talk = Talk("click Save As")
    assert talk.until_it_acts(editor) == (ops.ClickElement(menus["File"]),)
    assert talk.see(editor) == (ops.ClickElement(menus["Edit"]),)
    item = element(
        "menu item", "Save As…", (360, 260, 150, 24), id="as", window=editor.window, parent=menus["Edit"]
    )
    assert talk.see(look(*editor.elements, item, window=editor.window)) == (ops.ClickElement("as"),)
    assert summary(talk.see(look(OPEN)))


def test_menus_that_do_not_have_it_are_closed_again() -> None:
    talk = Talk("click Teleport")
    clicked = [talk.until_it_acts(recorded("mousepad")) for _ in range(6)]
    assert all(isinstance(actions[0], ops.ClickElement) for actions in clicked)
    assert talk.until_it_acts(recorded("mousepad")) == (ops.KeyCombo(("escape",)),)
    assert "cannot find “Teleport”" in question(talk.until_it_acts(recorded("mousepad")))
