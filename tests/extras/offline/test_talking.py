"""What the model asks and how it takes the answers; its plan, its memory, its manners."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_agent.extras.offline.llm.offline import OfflineModel, Options, create
from desktop_agent.protocol import ops
from desktop_agent.protocol.errors import Stopped
from desktop_agent.protocol.ops import OPS, RESERVED, name_of
from desktop_agent.protocol.reply import MAX_ACTIONS, MAX_STEPS, Reply
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.support import plugins
from tests.extras.offline.phrasings_hands import TABLE as HANDS
from tests.extras.offline.phrasings_tasks import TABLE as TASKS
from tests.extras.offline.phrasings_unknown import TABLE as BEYOND
from tests.extras.offline.things import Talk, conversation, element, look, question, recorded, summary

BUTTONS = look(
    element("push button", "Save", (10, 10, 80, 20), id="save"),
    element("push button", "Open", (110, 10, 80, 20), id="open"),
)
SCENES = (
    "mousepad",
    "mousepad_save_as",
    "mousepad_unsaved",
    "galculator",
    "pcmanfm",
    "chromium_form",
    "chromium_table",
)


def test_it_is_found_by_its_name_and_needs_nothing() -> None:
    assert plugins.load("llm", "offline").create is create
    model = create(Options())
    assert isinstance(model, OfflineModel) and not model.support.images


def test_what_is_not_understood_is_asked_before_anything_is_done() -> None:
    talk = Talk("click Save and then frobnicate the quux sideways")
    asked = question(talk.see(BUTTONS))
    assert "frobnicate the quux sideways" in asked and "I can open applications" in asked


@pytest.mark.parametrize("said", BEYOND)
def test_what_it_cannot_do_is_asked_about_and_never_guessed(said: str) -> None:
    assert "Can you say it in another way" in question(Talk(said).see(BUTTONS))


def test_what_is_not_understood_can_be_said_in_another_way() -> None:
    talk = Talk("click Save and then frobnicate the quux sideways")
    talk.see(BUTTONS)
    talk.answer("press Open")
    assert talk.see(BUTTONS) == (ops.ClickElement("save"),)
    assert talk.see(BUTTONS) == (ops.ClickElement("open"),)


REPORTS = look(
    element("heading", "Spring report", (10, 5, 80, 20)),
    element("push button", "Archive", (10, 30, 80, 20), id="archive"),
    element("push button", "Save choices", (10, 60, 80, 20), id="choices"),
)


def test_a_request_in_the_words_of_a_button_in_sight_presses_it() -> None:
    assert Talk("archive the report").see(REPORTS) == (ops.ClickElement("archive"),)
    assert Talk("save the choices").see(REPORTS) == (ops.ClickElement("choices"),)


@pytest.mark.parametrize("said", ["archive the letters", "archive the report twice", "report it", "choices"])
def test_a_request_that_says_more_than_is_in_sight_presses_nothing(said: str) -> None:
    assert said.split()[-1].rstrip("s") in question(Talk(said).see(REPORTS))


@pytest.mark.parametrize("answer", ["2", "the second one", "Click Archive the"])
def test_of_several_meanings_the_one_that_is_picked_is_done(answer: str) -> None:
    seen = look(
        element("heading", "Spring report", (10, 5, 80, 20)),
        element("push button", "Archive it", (10, 30, 80, 20), id="it"),
        element("push button", "Archive the", (10, 60, 80, 20), id="the"),
    )
    talk = Talk("archive the report")
    (asked,) = talk.see(seen)
    assert isinstance(asked, ops.Ask) and asked.choices == ("Click Archive it", "Click Archive the")
    talk.answer(answer)
    assert talk.see(seen) == (ops.ClickElement("the"),)


@pytest.mark.parametrize("answer", ["skip it", "leave it out", "go on", "ignore that"])
def test_what_is_not_understood_can_be_left_out(answer: str) -> None:
    talk = Talk("frobnicate the quux sideways, then click Save")
    talk.see(BUTTONS)
    talk.answer(answer)
    assert talk.see(BUTTONS) == (ops.ClickElement("save"),)


@pytest.mark.parametrize("answer", ["stop", "never mind", "cancel", "forget it"])
def test_the_user_can_call_it_off(answer: str) -> None:
    talk = Talk("frobnicate")
    talk.see(BUTTONS)
    talk.answer(answer)
    assert "as you said" in summary(talk.see(BUTTONS))


def test_an_answer_that_is_not_understood_either_is_asked_about_again() -> None:
    talk = Talk("frobnicate")
    talk.see(BUTTONS)
    talk.answer("wibble")
    assert "wibble" in question(talk.see(BUTTONS))


def test_a_text_of_its_own_is_declined_with_the_reason() -> None:
    assert "do not write texts of my own" in question(Talk("write a poem about autumn").see(BUTTONS))


@pytest.mark.parametrize("goal", ["hello", "what can you do?", "  ", "please"])
def test_a_greeting_is_met_with_what_it_can_do(goal: str) -> None:
    assert "I can open applications" in question(Talk(goal).see(BUTTONS))


def test_words_in_between_are_further_instructions() -> None:
    talk = Talk("click Save")
    talk.see(BUTTONS)
    talk.said.append((2, "then click Open"))
    assert talk.see(BUTTONS) == (ops.ClickElement("open"),)
    assert talk.last.high_level == ("Click Save", "Click Open")


def test_instead_replaces_what_was_still_to_be_done() -> None:
    talk = Talk("wait until Done appears and click Save")
    talk.see(BUTTONS)
    talk.said.append((2, "no, click Open instead"))
    assert talk.see(BUTTONS) == (ops.ClickElement("open"),)
    assert summary(talk.see(BUTTONS))


def test_the_plan_and_the_step_are_told_every_turn() -> None:
    talk = Talk("click Save, click Open, press enter")
    steps = []
    for _ in range(3):
        talk.see(BUTTONS)
        steps.append(talk.last.step)
        assert talk.last.high_level == ("Click Save", "Click Open", "Press Enter")
    assert steps == [1, 2, 3]


def test_a_long_plan_shows_the_part_around_the_current_step() -> None:
    talk = Talk("; ".join(f"press f{1 + n % 12}" for n in range(45)))
    for _ in range(46):
        talk.see(BUTTONS)
        assert len(talk.last.high_level) <= MAX_STEPS
        assert talk.last.step is not None and 1 <= talk.last.step <= len(talk.last.high_level)
    assert summary(talk.last.actions)


def test_a_short_history_is_enough() -> None:
    talk = Talk("press down 40 times and click Save", history=4)
    assert [len(talk.see(BUTTONS)) for _ in range(3)] == [16, 16, 8]
    assert talk.see(BUTTONS) == (ops.ClickElement("save"),)


def test_a_new_object_goes_on_where_the_plan_stands() -> None:
    talk = Talk("click Save, click Open, press enter")
    talk.see(BUTTONS)
    talk.see(BUTTONS)
    talk.model = OfflineModel(Options(home=talk.home))
    assert talk.see(BUTTONS) == (ops.KeyCombo(("enter",)),)


def test_the_next_run_of_the_same_goal_starts_afresh() -> None:
    talk = Talk("click Save")
    talk.see(BUTTONS)
    talk.turn, talk.deeds = 0, []
    assert talk.see(BUTTONS) == (ops.ClickElement("save"),)


def test_the_same_turn_asked_twice_has_the_same_answer() -> None:
    model = create(Options())
    talk = conversation("click Save")
    first, second = (
        model.reply(talk, BUTTONS, on_note=lambda _: None, stop=StopFlag()).reply for _ in range(2)
    )
    assert first == second


def test_what_the_user_declined_is_not_tried_again() -> None:
    talk = Talk("click Save")
    talk.see(BUTTONS, outcome="refused", detail="The user said no.")
    assert "did not want that" in question(talk.see(BUTTONS))
    talk.answer("click Open")
    assert talk.see(BUTTONS) == (ops.ClickElement("open"),)


def test_a_stop_ends_it_at_once() -> None:
    stop = StopFlag()
    stop.set("ESC")
    with pytest.raises(Stopped):
        create(Options()).reply(conversation("click Save"), BUTTONS, on_note=lambda _: None, stop=stop)


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from([each[0] for each in HANDS + TASKS]),
    st.lists(st.tuples(st.sampled_from(SCENES), st.sampled_from(["done", "refused"]), st.sampled_from(["changed", "unchanged"])), min_size=3, max_size=8),
    st.sampled_from(["", "yes", "2", "skip", "the other one", "click Save"]),
)  # fmt: skip
def test_whatever_happens_the_replies_are_valid(
    goal: str, scenes: list[tuple[str, str, str]], answer: str
) -> None:
    talk = Talk(goal)
    for scene, outcome, effect in scenes:
        actions = talk.see(recorded(scene), outcome=outcome, effect=effect)  # type: ignore[arg-type]
        assert 1 <= len(actions) <= MAX_ACTIONS
        assert all(name_of(op) in OPS and name_of(op) not in RESERVED for op in actions)
        assert msgspec.json.decode(msgspec.json.encode(talk.last), type=Reply) == talk.last
        seen = {each.id for each in recorded(scene).elements}
        assert {getattr(op, "element", None) for op in actions} - {None} <= seen
        if isinstance(actions[0], ops.Done | ops.Fail):
            return
        if isinstance(actions[0], ops.Ask) and answer:
            talk.answer(answer)
