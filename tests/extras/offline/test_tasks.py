"""Sums, folders, windows, waiting, reading, searching."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from desktop_agent.protocol import ops
from desktop_agent.protocol.geometry import Point, Rect
from desktop_agent.protocol.scene import Scene, TopWindow
from desktop_agent.vision.observation import Observation
from tests.extras.offline.things import Talk, element, look, question, recorded, summary

CALCULATOR = recorded("galculator")
FILES = recorded("pcmanfm")


def showing(value: str) -> Observation:
    """The calculator with that on its display."""
    display = next(each for each in CALCULATOR.elements if each.role == "text")
    elements = [
        msgspec.structs.replace(e, value=value) if e.id == display.id else e for e in CALCULATOR.elements
    ]
    return msgspec.structs.replace(CALCULATOR, elements=tuple(elements))


def pressed(actions: tuple[ops.Op, ...]) -> str:
    names = {each.id: each.name for each in CALCULATOR.elements}
    return " ".join(names[op.element] for op in actions if isinstance(op, ops.ClickElement))


# ---- sums ----------------------------------------------------------------------------------------


def test_a_sum_is_worked_out_by_the_calculators_buttons() -> None:
    talk = Talk("compute 12*7")
    assert talk.see(look(window="")) == (ops.Open("calculator"),)
    assert pressed(talk.see(showing("0"))) == "AC 1 2 * 7 ="
    assert summary(talk.see(showing("84"))) == "12 × 7 = 84."


def test_a_calculator_without_buttons_in_its_tree_is_typed_into() -> None:
    bare = look(element("text", "", (10, 10, 300, 50), value="0", application="kcalc"), window="KCalc")
    talk = Talk("compute 12*7")
    actions = talk.see(bare)
    assert isinstance(actions[0], ops.Type) and actions[0].text == "12*7" and actions[0].delay > 0
    assert actions[1] == ops.KeyCombo(("enter",))


def test_a_wrong_display_is_tried_again_by_typing_and_then_told() -> None:
    talk = Talk("compute 12*7")
    talk.see(showing("0"))
    assert any(isinstance(op, ops.Type) for op in talk.until_it_acts(showing("7")))
    asked = question(talk.until_it_acts(showing("7")))
    assert "shows 7" in asked and "it is 84" in asked


def test_a_mishap_while_pressing_starts_the_sum_again() -> None:
    talk = Talk("compute 12*7")
    talk.see(showing("0"))
    talk.deeds[2:] = [
        type(d)(d.turn, d.op, d.words, "refused", "Someone moved the pointer.") for d in talk.deeds[2:]
    ]
    assert pressed(talk.see(showing("1"))) == "AC 1 2 * 7 ="


@pytest.mark.parametrize("shown", ["1,234.5", "1234.5", "1 234,5", "= 1234.5"])
def test_displays_write_numbers_in_several_ways(shown: str) -> None:
    talk = Talk("compute 1200 + 34.5")
    talk.see(showing("0"))
    assert "1200 + 34.5 = " in summary(talk.see(showing(shown)))


def test_a_result_can_be_typed_elsewhere() -> None:
    talk = Talk("compute 12*7, then open mousepad and type the result")
    talk.see(showing("0"))
    assert talk.see(showing("84")) == (ops.Open("mousepad"),)
    assert talk.see(recorded("mousepad")) == (ops.Type("84"),)


# ---- folders -------------------------------------------------------------------------------------


def test_a_folder_is_made_in_the_file_manager() -> None:
    talk = Talk("Open the file manager and create a folder called Holiday pictures")
    assert talk.see(look(window="")) == (ops.Open("file manager"),)
    assert talk.until_it_acts(FILES) == (ops.KeyCombo(("ctrl", "shift", "n")),)
    assert talk.see(recorded("pcmanfm_new_folder")) == (
        ops.KeyCombo(("ctrl", "a")),
        ops.Type("Holiday pictures"),
        ops.KeyCombo(("enter",)),
    )
    cell = element("table cell", "Holiday pictures", (700, 400, 100, 60), window="ada", application="pcmanfm")
    made = msgspec.structs.replace(FILES, elements=(*FILES.elements, cell))
    assert "Holiday pictures" in summary(talk.see(made))


def test_a_folder_in_another_place_is_made_there() -> None:
    talk = Talk("create a folder called taxes in the Documents folder")
    assert talk.see(FILES) == (ops.Open(str(Path("/home/ada/Documents"))),)


def test_a_folder_that_exists_is_told() -> None:
    talk = Talk("create a folder called taxes")
    talk.see(FILES)
    talk.see(recorded("pcmanfm_new_folder"))
    exists = look(
        element("alert", "Error", (300, 300, 400, 100), application="pcmanfm"),
        element("label", "The folder “taxes” already exists", (310, 320, 300, 20)),
    )
    assert "already exists" in question(talk.see(exists))


def test_a_dialog_for_a_folder_that_does_not_come_is_asked_about() -> None:
    talk = Talk("create a folder called taxes")
    talk.see(FILES)
    assert talk.until_it_acts(FILES) == (ops.KeyCombo(("f10",)),)
    assert "no dialog" in question(talk.until_it_acts(FILES))


# ---- windows, waiting, reading -------------------------------------------------------------------


def test_a_window_is_closed_and_seen_to_be_gone() -> None:
    talk = Talk("close the window")
    two = look(element("push button", "A", window="One"), window="One", windows=("One", "Two"))
    assert talk.see(two) == (ops.KeyCombo(("alt", "f4")),)
    assert summary(talk.see(look(window="Two")))


def desk(*titles: str) -> Observation:
    """Windows of these titles, the first in front."""
    frames = [element("frame", each, (at, 100, 300, 200), window=each) for at, each in enumerate(titles)]
    return look(*frames, window=titles[0], windows=titles)


@pytest.mark.parametrize(
    ("verb", "keys", "after"),
    [("close", ("alt", "f4"), desk("Notes")), ("maximize", ("super", "up"), desk("Galculator", "Notes"))],
)
def test_a_window_behind_another_is_switched_to_and_then_worked_on(
    verb: str, keys: tuple[str, ...], after: Observation
) -> None:
    talk = Talk(f"{verb} galculator")
    assert isinstance(talk.see(desk("Notes", "Galculator"))[0], ops.KeyDown)
    assert talk.see(desk("Galculator", "Notes")) == (ops.KeyCombo(keys),)
    assert summary(talk.see(after))


def sized(area: Rect) -> Observation:
    """A window of that size that has the keyboard."""
    scene = Scene((TopWindow(1, 1, (area,)),), 1, Point(0, 0))
    return msgspec.structs.replace(desk("Notes"), scene=scene)


def test_a_window_is_maximized_when_it_is_larger() -> None:
    talk, small = Talk("maximize the window"), sized(Rect(100, 100, 600, 400))
    assert talk.see(small, effect="unchanged") == (ops.KeyCombo(("super", "up")),)
    assert talk.until_it_acts(small, "unchanged") == (ops.KeyCombo(("alt", "f10")),)
    assert talk.until_it_acts(small, "unchanged") == (ops.Click(400, 110, count=2),), "its title"
    assert "could not" in question(talk.until_it_acts(small))
    for seen in (Rect(0, 0, 1280, 800), Rect(0, 30, 1280, 770)):
        again = Talk("maximize the window")
        again.see(small)
        assert summary(again.see(sized(seen)))


def test_a_window_that_fills_the_screen_is_left_so() -> None:
    assert summary(Talk("maximize the window").see(sized(Rect(0, 30, 1280, 770))))


def test_a_question_in_another_window_is_no_sign_that_one_has_closed() -> None:
    talk = Talk("close the window")
    assert talk.see(desk("a.txt - Editor")) == (ops.KeyCombo(("alt", "f4")),)
    assert isinstance(talk.see(desk("Warning", "a.txt - Editor"))[0], ops.Wait)


def test_a_window_that_does_not_close_is_told() -> None:
    talk = Talk("close the window")
    talk.see(CALCULATOR)
    assert talk.until_it_acts(CALCULATOR) == (ops.KeyCombo(("ctrl", "q")),)
    assert "does not close" in question(talk.until_it_acts(CALCULATOR))


def test_another_window_is_brought_to_the_front_by_its_name() -> None:
    seen = look(
        element("push button", "A", window="One"), window="One", windows=("One", "Two", "notes - Mousepad")
    )
    actions = Talk("switch to the text editor").see(seen)
    assert actions[0] == ops.KeyDown("alt") and actions[-1] == ops.KeyUp("alt")
    assert actions[1:-1] == (ops.KeyCombo(("tab",)),) * 2


def test_a_window_that_is_late_to_come_is_waited_for_and_not_switched_away_from() -> None:
    talk = Talk("switch to galculator")
    assert isinstance(talk.see(desk("Notes", "Galculator"))[0], ops.KeyDown)
    assert isinstance(talk.see(desk("Notes", "Galculator"))[0], ops.Wait)
    assert summary(talk.see(desk("Galculator", "Notes")))


def test_waiting_for_a_text_ends_when_it_is_read() -> None:
    talk = Talk("wait until Done appears and click Next")
    busy = look(element("label", "Working"), element("push button", "Next", (10, 60, 80, 20), id="next"))
    for _ in range(3):
        assert isinstance(talk.see(busy)[0], ops.Wait)
    done = look(element("label", "Done"), element("push button", "Next", (10, 60, 80, 20), id="next"))
    assert talk.see(done) == (ops.ClickElement("next"),)


def test_waiting_for_something_to_go_ends_when_it_is_gone() -> None:
    talk = Talk("wait until the dialog is gone")
    assert isinstance(talk.see(recorded("mousepad_unsaved"))[0], ops.Wait)
    assert summary(talk.see(recorded("mousepad")))


def test_waiting_has_an_end() -> None:
    talk = Talk("wait until Done appears")
    assert "not there yet" in question(talk.until_it_acts(CALCULATOR))


def test_some_seconds_are_waited_in_all() -> None:
    talk = Talk("wait 40 seconds")
    waits = [talk.see(CALCULATOR)[0] for _ in range(2)]
    assert waits == [ops.Wait(30.0), ops.Wait(10.0)]
    assert summary(talk.see(CALCULATOR))


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("tell me what the display says", "84"),
        ("what is the result", "84"),
        ("what is the title of the window?", "galculator"),
    ],
)
def test_what_is_read_is_told_at_the_end(said: str, told: str) -> None:
    assert told in summary(Talk(said).see(showing("84")))


def test_a_value_beside_its_label_is_read() -> None:
    seen = look(element("static", "Total:", (10, 10, 50, 20)), element("static", "42 €", (64, 10, 40, 20)))
    assert "42 €" in summary(Talk("tell me the total").see(seen))
    assert "accepted" in summary(
        Talk("what does the status say").see(look(element("static", "Status: accepted")))
    )


def test_the_value_of_a_first_name_is_what_stands_beside_it() -> None:
    rows = [("First name", 100, "Ada"), ("Last name", 130, "Berg")]
    cells = [
        element("table cell", text, (x, y, 80, 20))
        for label, y, value in rows
        for x, text in ((10, label), (100, value))
    ]
    field = element("entry", "Name", (10, 200, 80, 20), states=("editable", "focusable", "focused"))
    talk = Talk("Enter the value of Last name into the Name field")
    assert talk.see(look(*cells, field)) == (ops.Type("Berg"),)


def test_a_condition_is_only_acted_on_when_it_holds() -> None:
    talk = Talk("if a dialog appears, click Cancel")
    (click,) = talk.see(recorded("mousepad_unsaved"))
    assert isinstance(click, ops.ClickElement)
    calm = Talk("if a dialog appears, click Cancel")
    assert summary(calm.until_it_acts(CALCULATOR))


# ---- searching -----------------------------------------------------------------------------------


def test_the_box_that_says_search_is_used() -> None:
    box = element(
        "entry", "Search products", (10, 100, 200, 20), id="box", states=("editable", "focusable", "focused")
    )
    other = element("entry", "Name", (10, 200, 200, 20), states=("editable", "focusable"))
    talk = Talk("search for red shoes")
    assert talk.see(look(box, other)) == (ops.Type("red shoes"),)
    typed = msgspec.structs.replace(box, value="red shoes")
    assert talk.see(look(typed, other)) == (ops.KeyCombo(("enter",)),)
    assert "red shoes" in summary(talk.until_it_acts(look(box, other, window="Results")))


def test_without_a_search_box_the_find_keys_are_pressed() -> None:
    talk = Talk("search for red shoes")
    assert talk.until_it_acts(recorded("mousepad")) == (ops.KeyCombo(("ctrl", "f")),)


def test_a_search_box_under_an_address_bar_is_told_from_it() -> None:
    states = ("editable", "focusable")
    bar = element("entry", "Address bar", (80, 100, 400, 20), id="bar", states=states)
    box = element("entry", "Search", (80, 124, 400, 20), id="box", states=states)
    labels = (
        element("label", "Address bar", (10, 100, 470, 20)),
        element("label", "Search", (10, 124, 470, 20)),
    )
    assert Talk("search for shoes").see(look(bar, box, *labels)) == (ops.ClickElement("box"),)
