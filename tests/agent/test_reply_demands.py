"""What a language model's reply has to hold: the fields of its form, a plan before it acts, no long batch."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.dialects import anthropic_tools, openai_tools
from desktop_agent.protocol.dialects.base import Dialect, dialect_of
from desktop_agent.protocol.dialects.json import JSON
from tests.support.memory_desk import Bench, ScriptedModel

CLICK = {"op": "click", "x": 10, "y": 10}
PLAN = ["Click it", "Check it"]


def turn(*actions: dict[str, Any], **more: Any) -> str:
    return json.dumps({"high_level": [], "actions": actions, **more})


DONE = turn({"op": "done", "summary": "All done."})


def run(folder: Path, *texts: str, dialect: Dialect = JSON, **more: Any) -> tuple[Bench, ScriptedModel]:
    model = ScriptedModel(*texts, mends=True)
    bench = Bench(model, folder, dialect=dialect, **more)
    bench.run()
    assert bench.states[-1] == "done", bench.events[-3:]
    return bench, model


def paths(model: ScriptedModel, number: int) -> list[str]:
    """What the model was told is wrong, before its answer of this number (from 0)."""
    return [each.path for each in model.asked[number].problems]


def test_before_the_first_action_a_plan_is_asked_for(tmp_path: Path) -> None:
    bench, model = run(tmp_path, turn(CLICK), turn(CLICK, high_level=PLAN, step=1), turn(CLICK), DONE)
    assert [paths(model, number) for number in range(4)] == [[], ["high_level"], [], []]
    assert "before the first action" in model.asked[1].text
    assert [e.steps for e in bench.of(say.Plan)] == [tuple(PLAN)]
    assert len(bench.of(say.Action)) == 2
    assert bench.of(say.Usage)[-1].input_tokens == 40, "the answer that was asked anew is paid for, too"


def test_looking_waiting_asking_and_the_end_need_no_plan(tmp_path: Path) -> None:
    _, model = run(tmp_path, turn({"op": "look"}, {"op": "wait", "seconds": 0}), DONE)
    assert len(model.asked) == 2


@pytest.mark.parametrize(
    ("notes", "steps"), [("I press it.\nThen more.", ("I press it.",)), ("", ("Click at 10,10",))]
)
def test_a_model_that_gives_none_is_taken_by_its_own_words(
    notes: str, steps: tuple[str, ...], tmp_path: Path
) -> None:
    same = json.dumps({"notes": notes, "actions": [CLICK]})
    bench, model = run(tmp_path, same, same, same, DONE)
    assert [paths(model, number) for number in range(4)] == [[], ["high_level"], [], []]
    assert [e.steps for e in bench.of(say.Plan)] == [steps] and len(bench.of(say.Action)) == 2


def test_an_answer_that_can_be_carried_out_is_not_dropped_after_two_that_cannot(tmp_path: Path) -> None:
    bench, _ = run(tmp_path, "no json", "[]", turn(CLICK, notes="I press it."), DONE)
    assert "waiting_for_user" not in bench.states and len(bench.of(say.Action)) == 1


def test_fields_that_are_left_out_are_told(tmp_path: Path) -> None:
    first = json.dumps({"notes": "Hello."})
    _, model = run(tmp_path, first, turn(CLICK, high_level=PLAN), json.dumps({"actions": [CLICK]}), DONE)
    assert [paths(model, number) for number in range(4)] == [
        [],
        ["high_level", "actions"],
        [],
        ["high_level"],
    ]


ANTHROPIC = dialect_of("anthropic_tools", anthropic_tools)
OPENAI = dialect_of("openai_tools", openai_tools)


def by_anthropic(*clicks: int, **functions: Any) -> str:
    called = [{"type": "tool_use", "id": n, "name": n, "input": given} for n, given in functions.items()]
    moved = [
        {"type": "tool_use", "id": f"m{x}", "name": "mouse_move", "toolset_name": "computer", "input": {"coordinate": [x, 9]}}
        for x in clicks
    ]  # fmt: skip
    return json.dumps([*called, *moved])


def by_openai(*clicks: int, **functions: Any) -> str:
    called = [
        {"type": "function_call", "call_id": name, "name": name, "arguments": json.dumps(given)}
        for name, given in functions.items()
    ]
    moves = [{"type": "move", "x": x, "y": 9} for x in clicks]
    batch = {"type": "computer_call", "call_id": "c", "actions": moves, "pending_safety_checks": []}
    return json.dumps([*called, *([batch] if moves else [])])


NATIVE = pytest.mark.parametrize(("dialect", "answer"), [(ANTHROPIC, by_anthropic), (OPENAI, by_openai)])
TOLD = {"high_level": PLAN, "step": 1, "scope": []}


@NATIVE
def test_a_providers_tools_are_held_to_the_plan(dialect: Dialect, answer: Any, tmp_path: Path) -> None:
    end = answer(done={"summary": "All done."})
    bench, model = run(tmp_path, answer(3), answer(4, plan=TOLD), answer(5), end, dialect=dialect)
    assert [paths(model, number) for number in range(4)] == [[], ["plan"], [], []]
    assert [e.steps for e in bench.of(say.Plan)] == [tuple(PLAN)]
    assert [e.exact for e in bench.of(say.Action)] == ["move() at 4,9", "move() at 5,9"]


def test_a_providers_screenshot_and_wait_need_no_plan(tmp_path: Path) -> None:
    calls = [{"type": "screenshot"}, {"type": "wait"}]
    pure = json.dumps(
        [{"type": "computer_call", "call_id": "c", "actions": calls, "pending_safety_checks": []}]
    )
    _, model = run(tmp_path, pure, by_openai(done={"summary": "All done."}), dialect=OPENAI)
    assert len(model.asked) == 2


# ---- short batches ---------------------------------------------------------------------------


def test_a_longer_batch_than_the_setting_allows_is_asked_anew(tmp_path: Path) -> None:
    long, short = turn(*[CLICK] * 4, high_level=PLAN), turn(*[CLICK] * 3, high_level=PLAN)
    bench, model = run(tmp_path, long, short, DONE, max_actions=3)
    assert paths(model, 1) == ["actions"] and "at most 3" in model.asked[1].text
    assert len(bench.of(say.Action)) == 3
    assert model.asked[0].schema is not None
    assert model.asked[0].schema["properties"]["actions"]["maxItems"] == 3


@NATIVE
def test_of_a_providers_longer_batch_the_first_are_done_and_the_rest_is_told(
    dialect: Dialect, answer: Any, tmp_path: Path
) -> None:
    end = answer(done={"summary": "All done."})
    bench, model = run(tmp_path, answer(1, 2, 3, 4, plan=TOLD), end, dialect=dialect, max_actions=3)
    assert [e.exact for e in bench.of(say.Action)] == ["move() at 1,9", "move() at 2,9", "move() at 3,9"]
    assert "at most 3 actions are carried out of one answer" in model.asked[1].text


@given(st.integers(1, 16), st.integers(1, 40))
def test_no_dialect_lets_more_through(most: int, number: int) -> None:
    for dialect, text in ((ANTHROPIC, by_anthropic(*range(number))), (OPENAI, by_openai(*range(number)))):
        reply = dialect.decode(text, max_actions=most)
        assert len(reply.actions) == min(most, number)
        assert sum(call.count for call in dialect.calls(text, most)) == len(reply.actions)
