"""Typing into an editor and saving, as its windows were really read."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from desktop_agent.protocol import ops
from desktop_agent.protocol.agent_events import Effect
from desktop_agent.vision.observation import Observation
from tests.extras.offline.things import Talk, element, look, question, recorded, summary

GOAL = "Open the text editor, type Hello and save it as hello.txt in the home folder"
EDITOR = "Untitled 1 - Mousepad"
SAVED = str(Path("/home/ada/hello.txt"))
TYPED = look(
    element("text", "", (321, 224, 638, 421), id="e9", value="Hello", window=EDITOR,
            states=("editable", "focusable", "focused", "multiline")),
    window=EDITOR,
)  # fmt: skip


def named(path: str) -> Observation:
    """The dialog with that in its field for the name."""
    seen = recorded("mousepad_save_as")
    elements = [
        msgspec.structs.replace(each, value=path) if (each.role, each.name) == ("text", "Name") else each
        for each in seen.elements
    ]
    return msgspec.structs.replace(seen, elements=tuple(elements))


def test_a_text_is_typed_and_saved_step_by_step() -> None:
    talk = Talk(GOAL)
    assert talk.see(look(window="")) == (ops.Open("text editor"),)
    assert talk.see(recorded("mousepad")) == (ops.Type("Hello"),)
    assert talk.see(TYPED) == (ops.KeyCombo(("ctrl", "shift", "s")),)
    assert talk.see(recorded("mousepad_save_as")) == (
        ops.KeyCombo(("ctrl", "a")),
        ops.Type(SAVED),
    )
    assert talk.see(named(SAVED)) == (ops.KeyCombo(("enter",)),)
    saved = look(window=f"{SAVED} - Mousepad")
    assert summary(talk.see(saved)) == "Saved as hello.txt in /home/ada."
    assert talk.last.step == 3


def test_every_turn_names_its_step_and_says_something_new_once() -> None:
    talk = Talk(GOAL)
    steps = []
    for seen in (look(window=""), look(window=""), recorded("mousepad"), TYPED):
        talk.see(seen)
        steps.append(talk.last.step)
        assert len(talk.last.high_level) == 3
    assert steps == [1, 1, 2, 3]
    assert talk.spoken == list(dict.fromkeys(talk.spoken)) and len(talk.spoken) == 3


def test_a_text_is_not_typed_twice_into_a_box_that_shows_it() -> None:
    talk = Talk("type Hello")
    talk.see(recorded("mousepad"))
    assert summary(talk.see(TYPED))


def test_an_empty_box_is_typed_into_once_more_and_then_asked_about() -> None:
    talk = Talk("type Hello")
    empty = recorded("mousepad")
    talk.see(empty, effect="unchanged")
    assert talk.until_it_acts(empty, "unchanged")[-1] == ops.Type("Hello")
    assert "the box shows" in question(talk.until_it_acts(empty, "unchanged"))


def test_replacing_a_file_is_the_users_decision() -> None:
    talk = Talk("save it as hello.txt")
    talk.see(TYPED)
    talk.see(recorded("mousepad_save_as"))
    asks = look(
        element("alert", "Question", (300, 300, 500, 150), id="alert", window="Replace"),
        element("label", "A file named “hello.txt” already exists. Do you want to replace it?", (320, 320, 400, 20), window="Replace", parent="alert"),
        element("push button", "Cancel", (320, 400, 80, 30), id="no", window="Replace", parent="alert"),
        element("push button", "Replace", (420, 400, 80, 30), id="yes", window="Replace", parent="alert"),
        window="Replace",
    )  # fmt: skip
    assert "already exists" in question(talk.see(asks))
    talk.answer("yes")
    assert talk.see(asks) == (ops.ClickElement("yes"),)


def test_a_no_to_replacing_leaves_the_file_alone() -> None:
    talk = Talk("save it as hello.txt")
    talk.see(TYPED)
    talk.see(recorded("mousepad_save_as"))
    asks = look(
        element("label", "Overwrite the existing file hello.txt?", (320, 320, 400, 20)),
        element("push button", "No", (320, 400, 80, 30), id="no"),
        element("push button", "Yes", (420, 400, 80, 30), id="yes"),
    )
    talk.see(asks)
    talk.answer("no")
    assert talk.see(asks) == (ops.ClickElement("no"),)


def test_saving_without_a_name_asks_for_one_when_a_dialog_comes() -> None:
    talk = Talk("save the file")
    assert talk.see(TYPED) == (ops.KeyCombo(("ctrl", "s")),)
    assert "which name" in question(talk.see(recorded("mousepad_save_as")))
    talk.answer("notes.txt")
    assert talk.see(recorded("mousepad_save_as"))[-1] == ops.Type("notes.txt")


def test_a_dialog_that_does_not_come_is_called_in_another_way_and_then_asked_about() -> None:
    talk = Talk("save it as a.txt")
    assert talk.see(TYPED) == (ops.KeyCombo(("ctrl", "shift", "s")),)
    assert talk.until_it_acts(TYPED) == (ops.KeyCombo(("ctrl", "s")),)
    assert "no dialog" in question(talk.until_it_acts(TYPED))


def test_an_error_while_saving_is_told_in_its_own_words() -> None:
    talk = Talk("save it as a.txt in ~/nowhere")
    talk.see(TYPED)
    talk.see(recorded("mousepad_save_as"))
    error = look(
        element("alert", "Error", (300, 300, 500, 150), id="alert", window=""),
        element("label", "The folder could not be displayed: no such file", (320, 320, 400, 20), window="", parent="alert"),
        element("push button", "OK", (320, 400, 80, 30), id="ok", window="", parent="alert"),
        window="",
        windows=("", "Save As"),
    )  # fmt: skip
    assert "no such file" in question(talk.see(error))
    talk.answer("save it as a.txt in the home folder")
    assert talk.see(error) == (ops.ClickElement("ok"),)


def test_unsaved_work_is_never_thrown_away_without_asking() -> None:
    talk = Talk("close the window")
    assert talk.see(TYPED) == (ops.KeyCombo(("alt", "f4")),)
    asked = question(talk.see(recorded("mousepad_unsaved")))
    assert "save the changes" in asked
    talk.answer("don't save")
    (op,) = talk.see(recorded("mousepad_unsaved"))
    assert isinstance(op, ops.ClickElement)
    names = {each.id: each.name for each in recorded("mousepad_unsaved").elements}
    assert "Don" in names[op.element]


def titled(title: str) -> Observation:
    return msgspec.structs.replace(TYPED, window=title, windows=(title,))


@pytest.mark.parametrize(
    ("before", "after", "effect", "seen"),
    [
        ("*a.txt - Mousepad", "a.txt - Mousepad", "changed", True),
        ("*a.txt - Mousepad", "*a.txt - Mousepad", "changed", False),
        ("a.txt [modified] — Kate", "a.txt — Kate", "unchanged", True),
        ("a.ods — Calc", "a.ods — Calc", "changed", True),
        ("a.ods — Calc", "a.ods — Calc", "unchanged", False),
    ],
)
def test_a_text_is_saved_when_its_window_shows_that(
    before: str, after: str, effect: Effect, seen: bool
) -> None:
    talk = Talk("save the file")
    assert talk.see(titled(before), effect=effect) == (ops.KeyCombo(("ctrl", "s")),)
    ended = talk.until_it_acts(titled(after))
    assert summary(ended) if seen else "does not show that it was saved" in question(ended)


@pytest.mark.parametrize("after", ["Untitled 1 - Mousepad", "*hello.txt - Mousepad", "Files: hello.txt.bak"])
def test_a_name_that_the_window_does_not_show_is_no_proof_of_a_file(after: str) -> None:
    talk = Talk("save it as hello.txt")
    talk.see(TYPED)
    talk.see(recorded("mousepad_save_as"))
    talk.see(named("hello.txt"))
    two = msgspec.structs.replace(look(window=after), windows=(after, "hello.txt - Viewer"))
    assert "does not show" in question(talk.until_it_acts(two))


def test_a_page_is_saved_by_its_own_button() -> None:
    page = element("document web", "Country", (0, 100, 900, 600), id="page", window="Country - Chromium", application="chromium")  # fmt: skip
    save = element("push button", "Save", (50, 300, 80, 30), id="save", parent="page", window="Country - Chromium", application="chromium")  # fmt: skip
    talk = Talk("save it")
    assert talk.see(look(page, save, window="Country - Chromium")) == (ops.ClickElement("save"),)
