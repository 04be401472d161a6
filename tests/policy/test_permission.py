"""Asking, refusing and judging again at the last moment, in a whole run on a desktop in memory."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_agent.platforms.base import WindowInfo
from desktop_agent.policy.facts.batching import segments
from desktop_agent.policy.facts.place_lookup import Places
from desktop_agent.policy.gatekeeper import Gatekeeper
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol import ops
from desktop_agent.protocol.geometry import Rect, Viewport
from desktop_agent.protocol.input_events import ButtonDown, InputEvent, KeyDown
from desktop_agent.protocol.ops import Op
from desktop_agent.protocol.permission import Rule, Rules
from desktop_agent.vision.observation import Element, Observation
from tests.agent.test_run_loop import CLICK, DONE, turn
from tests.policy.test_policy import OPS
from tests.support.memory_desk import Bench, MemoryTarget, ScriptedModel

PID = 4_000_000
SCREEN = Rect(0, 0, 800, 600)
XTERM = WindowInfo("~", PID, "XTerm", SCREEN)


def thing(id: str, role: str, name: str, y: int, *states: str) -> Element:
    return Element(id, role, name, Rect(100, y, 80, 30), states=frozenset(states), window="Paper", pid=PID)


SEND = thing("e1", "push button", "Send", 100, "focusable")
NAME = thing("e2", "entry", "Name", 200, "editable", "focused")
SECRET = thing("e3", "password text", "Password", 300, "editable", "password")
PRESS = {"op": "click_element", "element": "e1"}


def answering(bench: Bench, answer: Callable[[say.ApprovalAsked], None]) -> list[say.ApprovalAsked]:
    """Answer every question in this way; the questions are collected."""
    asked: list[say.ApprovalAsked] = []

    def hear(event: say.FeedEvent) -> None:
        if isinstance(event, say.ApprovalAsked):
            asked.append(event)
            answer(event)

    bench.on_event = hear
    return asked


def clicks(bench: Bench) -> int:
    return sum(isinstance(event, ButtonDown) for event in bench.target.input.events)


def bench_with(model: ScriptedModel, folder: Path, *things: Element, **more: Any) -> Bench:
    bench = Bench(model, folder, **more)
    bench.target.things = things
    return bench


def test_the_harmless_goes_ahead_and_the_rest_waits_for_a_yes(tmp_path: Path) -> None:
    model = ScriptedModel(turn(CLICK, {"op": "wait", "seconds": 0}, PRESS, CLICK), DONE)
    bench = bench_with(model, tmp_path, SEND)
    before: list[int] = []

    def answer(event: say.ApprovalAsked) -> None:
        before.append(clicks(bench))
        bench.session.approve(event.id)

    asked = answering(bench, answer)
    bench.run()
    assert before == [1] and clicks(bench) == 3
    assert [e.exact for e in asked] == [("click_element(left) at 140,115",)]
    assert asked[0].why == "This presses “Send”, which may send or submit something."
    assert asked[0].source == "" and asked[0].lasting and asked[0].window == "Paper"


def test_a_no_keeps_it_from_the_hand(tmp_path: Path) -> None:
    model = ScriptedModel(turn(PRESS), DONE)
    bench = bench_with(model, tmp_path, SEND)
    answering(bench, lambda e: bench.session.skip(e.id))
    bench.run()
    assert bench.target.input.events == [] and model.asked[1].deeds[0].outcome == "refused"


def test_always_holds_for_the_same_button_until_the_program_ends(tmp_path: Path) -> None:
    pay = msgspec.structs.replace(SEND, id="e9", name="Pay", bounds=Rect(300, 100, 80, 30))
    model = ScriptedModel(turn(PRESS), turn(PRESS), turn({"op": "click_element", "element": "e9"}), DONE)
    bench = bench_with(model, tmp_path, SEND, pay)
    asked = answering(bench, lambda e: bench.session.approve(e.id, always=True))
    bench.run()
    assert [e.words for e in asked] == ["Click “Send”", "Click “Pay”"] and clicks(bench) == 3
    assert [e.covers for e in asked] == ["click “Send” in paper", "click “Pay” in paper"]
    model.texts = [turn(PRESS), DONE]
    bench.run()
    assert len(asked) == 2 and clicks(bench) == 4
    later = bench_with(ScriptedModel(turn(PRESS), DONE), tmp_path / "later", SEND, pay)
    asked_later = answering(later, lambda e: later.session.skip(e.id))
    later.run()
    assert len(asked_later) == 1, "another start of the program asks again"


@pytest.mark.parametrize(("words", "source"), [
    ("type my secret, it is hunter2", "The text comes from your words."),
    ("log in", "The text comes from the model."),
])  # fmt: skip
def test_the_question_says_where_the_text_comes_from(words: str, source: str, tmp_path: Path) -> None:
    model = ScriptedModel(turn({"op": "type", "text": "hunter2", "element": "e3"}), DONE)
    bench = bench_with(model, tmp_path, SECRET)
    asked = answering(bench, lambda e: bench.session.skip(e.id))
    bench.run(words)
    assert [(e.source, e.lasting) for e in asked] == [(source, False)], "never always into a password field"


def test_always_is_not_taken_for_a_text_that_was_read(tmp_path: Path) -> None:
    said = thing("e7", "label", "Your one-time password is swordfish-99", 400)
    act = turn({"op": "click_element", "element": "e3"}, {"op": "type", "text": "swordfish-99"})
    bench = bench_with(ScriptedModel(act, act, DONE), tmp_path, SECRET, said)
    focused = msgspec.structs.replace(SECRET, states=SECRET.states | {"focused"})
    bench.target.input.after = lambda event: setattr(bench.target, "things", (focused, said))
    asked = answering(bench, lambda e: bench.session.approve(e.id, always=True))
    bench.run()
    assert len(asked) == 2 and not any(e.lasting for e in asked)
    assert "read on the screen in “Paper”" in asked[0].source
    assert bench.target.input.text == "swordfish-99" * 2


def test_step_mode_and_policy_ask_one_question(tmp_path: Path) -> None:
    for mode, questions in (("action", 1), ("plan", 1)):
        model = ScriptedModel(turn(PRESS, high_level=["Send it"]), DONE)
        bench = bench_with(model, tmp_path / mode, SEND, step_mode=mode)
        asked = answering(bench, lambda e: bench.session.approve(e.id))  # noqa: B023 - used before the next
        bench.run()
        assert len(asked) == questions and "may send" in asked[0].why and clicks(bench) == 1


@pytest.mark.parametrize("op", [
    CLICK, PRESS, {"op": "type", "text": "a"}, {"op": "key_combo", "keys": ["ctrl", "s"]}, {"op": "open", "target": "calculator"},
    {"op": "scroll", "dy": 2, "x": 5, "y": 5}, {"op": "move", "x": 5, "y": 5}, {"op": "key_down", "key": "shift"},
])  # fmt: skip
def test_simulation_only_keeps_everything_from_a_real_hand(op: dict[str, Any], tmp_path: Path) -> None:
    model = ScriptedModel(turn(op), DONE)
    bench = bench_with(model, tmp_path, SEND, permission="simulation_only", step_mode="action")
    bench.run()
    assert bench.target.input.events == [] and bench.target.input.opened == []
    assert [(r.outcome, r.detail) for r in bench.of(say.Result)] == [("refused", "This level only looks.")]
    assert model.asked[1].deeds[0].detail == "This level only looks."
    assert bench.of(say.Action) and not bench.of(say.ApprovalAsked)


def test_simulation_only_works_a_simulated_target(tmp_path: Path) -> None:
    bench = bench_with(ScriptedModel(turn(PRESS), DONE), tmp_path, SEND, permission="simulation_only")
    bench.target.simulated = True
    bench.run()
    assert clicks(bench) == 1 and not bench.of(say.ApprovalAsked)


def test_full_access_and_rules_do_without_a_question(tmp_path: Path) -> None:
    full = bench_with(ScriptedModel(turn(PRESS), DONE), tmp_path / "a", SEND, permission="full")
    full.run()
    ruled = bench_with(
        ScriptedModel(turn(PRESS), DONE), tmp_path / "b", SEND, rules=Rules(allow=(Rule(name="send"),))
    )
    ruled.run()
    assert clicks(full) == clicks(ruled) == 1
    denied = bench_with(
        ScriptedModel(turn(PRESS), DONE),
        tmp_path / "c",
        SEND,
        permission="full",
        rules=Rules(deny=(Rule(name="send"),)),
    )
    denied.run()
    assert clicks(denied) == 0 and denied.of(say.Result)[0].outcome == "refused"


# ---- at the last moment ----------------------------------------------------------------------


def test_a_window_that_comes_up_after_the_plan_gets_no_keys(tmp_path: Path) -> None:
    model = ScriptedModel(turn({"op": "type", "text": "ls"}), DONE)
    bench = bench_with(model, tmp_path, NAME)

    def swap(event: say.FeedEvent) -> None:
        if isinstance(event, say.Status) and event.state == "executing":
            bench.target.window = XTERM

    bench.on_event = swap
    bench.run()
    assert bench.target.input.events == []
    detail = model.asked[1].deeds[0].detail
    assert "terminal" in detail and "look again" in detail


def test_after_a_yes_something_stricter_is_still_refused(tmp_path: Path) -> None:
    model = ScriptedModel(turn({"op": "type", "text": "hunter2", "element": "e3"}), DONE)
    bench = bench_with(model, tmp_path, SECRET)

    def answer(event: say.ApprovalAsked) -> None:
        bench.target.window = XTERM
        bench.session.approve(event.id)

    answering(bench, answer)
    bench.run()
    assert bench.target.input.text == ""


def after(bench: Bench, key: str, *things: Element) -> None:
    """Let these be on the screen once a key was pressed."""

    def change(event: InputEvent) -> None:
        if event == KeyDown(key):
            bench.target.things = things

    bench.target.input.after = change


@pytest.mark.parametrize("ops", [
    [{"op": "key_combo", "keys": ["tab"]}, {"op": "key_combo", "keys": ["enter"]}],
    [{"op": "key_combo", "keys": ["tab"]}, {"op": "key_combo", "keys": ["tab"]}, {"op": "key_combo", "keys": ["space"]}],
    [{"op": "type", "text": "Ada\t\n"}],
    [{"op": "type", "text": "Ada\t "}],
    [{"op": "key_down", "key": "tab"}, {"op": "key_up", "key": "tab"}, {"op": "type", "text": "\n"}],
])  # fmt: skip
def test_tab_and_enter_in_one_batch_do_not_press_the_button(
    ops: list[dict[str, Any]], tmp_path: Path
) -> None:
    model = ScriptedModel(turn(*ops), turn({"op": "key_combo", "keys": ["enter"]}), DONE)
    bench = bench_with(model, tmp_path, NAME)
    on_send = msgspec.structs.replace(SEND, states=frozenset(("focused",)))
    after(bench, "tab", on_send)
    asked = answering(bench, lambda e: bench.session.skip(e.id))
    bench.run()
    assert KeyDown("tab") in bench.target.input.events
    assert not {KeyDown("enter"), KeyDown("space")} & {
        e for e in bench.target.input.events if isinstance(e, KeyDown)
    }
    assert " " not in bench.target.input.text
    assert "look again" in model.asked[1].deeds[-1].detail
    assert [e.why for e in asked] == ["This presses “Send”, which may send or submit something."]


@pytest.mark.parametrize("ops", [
    [{"op": "key_down", "key": "super"}, {"op": "type", "text": "r"}],
    [{"op": "key_down", "key": "alt"}, {"op": "key_combo", "keys": ["f2"]}],
    [{"op": "key_down", "key": "ctrl"}, {"op": "key_down", "key": "alt"}, {"op": "key_down", "key": "t"}],
    [{"op": "key_down", "key": "shift"}, {"op": "key_combo", "keys": ["tab"]}, {"op": "type", "text": "x"}],
])  # fmt: skip
def test_keys_held_one_by_one_are_the_combination_they_make(
    ops: list[dict[str, Any]], tmp_path: Path
) -> None:
    model = ScriptedModel(turn(*ops), DONE)
    bench = bench_with(model, tmp_path, NAME)
    answering(bench, lambda e: bench.session.skip(e.id))
    bench.run()
    assert bench.target.input.text == "" and bench.target.input.events == []


def test_a_new_window_after_a_shortcut_is_seen_before_the_text_goes_there(tmp_path: Path) -> None:
    act = turn({"op": "key_combo", "keys": ["ctrl", "n"]}, {"op": "type", "text": "ls\n"})
    model = ScriptedModel(act, DONE)
    bench = bench_with(model, tmp_path, NAME)

    def change(event: InputEvent) -> None:
        if event == KeyDown("n"):
            bench.target.window = XTERM

    bench.target.input.after = change
    bench.run()
    assert KeyDown("n") in bench.target.input.events and bench.target.input.text == ""
    assert [deed.outcome for deed in model.asked[1].deeds] == ["done", "refused"]


def test_typing_into_an_ordinary_field_asks_nothing(tmp_path: Path) -> None:
    act = turn({"op": "type", "text": "Ada\tParis\n", "element": "e2"})
    bench = bench_with(ScriptedModel(act, DONE), tmp_path, NAME)
    bench.run()
    assert bench.target.input.text == "Ada\tParis\n" and not bench.of(say.ApprovalAsked)


def test_without_a_window_that_is_known_keys_need_a_yes(tmp_path: Path) -> None:
    bench = bench_with(ScriptedModel(turn({"op": "type", "text": "x"}), DONE), tmp_path)
    bench.target.window = WindowInfo("", 0, "", SCREEN)
    asked = answering(bench, lambda e: bench.session.skip(e.id))
    bench.run()
    assert len(asked) == 1 and not asked[0].lasting and not bench.target.input.events


SPOTS = st.builds(ops.Spot, st.integers(0, 900), st.integers(0, 700))
MOVES = st.one_of(
    st.builds(lambda cls, spot: cls(x=spot.x, y=spot.y), st.sampled_from([ops.Click, ops.MouseDown, ops.MouseUp]), SPOTS),
    st.builds(lambda one, two: ops.Drag((one, two)), SPOTS, SPOTS),
    st.sampled_from([ops.ClickElement("e1"), ops.ClickElement("e99"), ops.DragElement("e1", "e2"), ops.ReleaseAll()]),
    st.builds(ops.Type, st.text(max_size=8), element=st.sampled_from([None, "e2", "e3", "e99"])),
)  # fmt: skip


@settings(deadline=None)
@given(st.lists(MOVES | OPS, max_size=8), st.booleans())
def test_any_batch_is_judged_and_what_is_not_allowed_never_goes_out(batch: list[Op], typing: bool) -> None:
    target = MemoryTarget()
    target.things = (SEND, NAME, SECRET) if typing else (SEND, SECRET)
    gate = Gatekeeper(Places(target, frozenset()), "restricted", Rules())
    frame = target.observe()
    observation = Observation(
        frame, Viewport(frame.region, frame.region.size, frame.epoch), tuple(target.things)
    )
    rulings = list(gate.plan(batch, observation))
    assert len(rulings) == len(batch)
    presses = (ops.Click, ops.MouseDown, ops.MouseUp, ops.Drag, ops.ClickElement, ops.DragElement, ops.Open)
    for segment in segments(batch):
        refused = gate.refusal(segment, observation)
        assert len(refused) in (0, len(segment))
        only = segment[0].op if len(segment) == 1 else None
        if isinstance(only, presses) and rulings[segment[0].origin].verdict.kind != "allow":
            assert refused
