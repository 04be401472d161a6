"""A marked secret is typed by the hand and is nowhere else: not with the model, the feed, the window or the log."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from desktop_agent.agent.acting.executor import execute_filled
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol import ops
from desktop_agent.protocol.agent_events import FeedEvent
from desktop_agent.protocol.batch import Batch, OpResult
from desktop_agent.protocol.geometry import Rect, Size, Viewport
from desktop_agent.protocol.input_events import Text
from desktop_agent.redaction import redactor
from tests.support.memory_desk import Bench, InlineHand, ScriptedModel
from tests.support.memory_input import MemoryInput

pytestmark = pytest.mark.usefixtures("no_secrets")
SECRET = "hunter2 & friends"
VIEW = Viewport(Rect(0, 0, 800, 600), Size(800, 600), 1)


def reply(*actions: dict[str, object], notes: str = "") -> str:
    return json.dumps({"notes": notes, "high_level": ["Log in"], "step": 1, "actions": list(actions)})


def typed(input_: MemoryInput) -> str:
    return "".join(event.chunk for event in input_.events if isinstance(event, Text))


def say_yes(bench: Bench, answer: str = "") -> Callable[[FeedEvent], None]:
    """A user who allows everything and gives the same answer to every question."""

    def hear(event: FeedEvent) -> None:
        if isinstance(event, say.ApprovalAsked):
            bench.session.approve(event.id)
        if isinstance(event, say.Question):
            bench.session.send(answer)

    return hear


def test_the_value_goes_to_the_hand_alone(tmp_path: Path) -> None:
    model = ScriptedModel(
        reply({"op": "type", "text": "ann {{secret:1}}!"}, notes=f"I type {SECRET}"),
        reply({"op": "done", "summary": f"{SECRET} was typed"}),
    )
    bench = Bench(model, tmp_path, step_mode="action")
    bench.on_event = say_yes(bench)
    bench.run(f"log in as ann with {{{{secret: {SECRET}}}}}")
    assert typed(bench.target.input) == f"ann {SECRET}!"
    assert bench.states[-1] == "done"
    (log,) = tmp_path.rglob("events.jsonl")
    for text in (log.read_text(encoding="utf-8"), repr(bench.events), repr(model.asked), str(log)):
        assert "hunter2" not in text
    assert model.asked[0].goal == "log in as ann with {{secret:1}}"
    assert "Typed “ann ••••••!”: done" in model.asked[1].text
    (asked,) = bench.of(say.ApprovalAsked)
    assert (asked.words, asked.exact) == ("Type “ann ••••••!”", ("type('ann ••••••!')",))
    assert '"text":"ann {{secret:1}}!"' in log.read_text(encoding="utf-8")


def test_an_answer_of_the_user_may_hold_one_too(tmp_path: Path) -> None:
    model = ScriptedModel(
        reply({"op": "ask", "question": "Which password?"}),
        reply({"op": "type", "text": "{{secret:1}}"}),
        reply({"op": "done", "summary": "ok"}),
    )
    bench = Bench(model, tmp_path)
    bench.on_event = say_yes(bench, f"{{{{secret:{SECRET}}}}}")
    bench.run("log in")
    assert typed(bench.target.input) == SECRET
    assert model.asked[1].said == ((1, "{{secret:1}}"),)
    assert "hunter2" not in repr(bench.events)


def test_a_secret_in_a_choice_is_hidden_wherever_it_is_told(tmp_path: Path) -> None:
    model = ScriptedModel(
        reply({"op": "ask", "question": "Which?", "choices": [f"Take {SECRET}", "Take another"]}),
        reply({"op": "done", "summary": "ok"}),
    )
    bench = Bench(model, tmp_path)
    bench.on_event = say_yes(bench, "Take another")
    bench.run(f"log in with {{{{secret:{SECRET}}}}}")
    (asked,) = bench.of(say.Question)
    assert asked.choices == ("Take {{secret:1}}", "Take another")
    (log,) = tmp_path.rglob("events.jsonl")
    for text in (log.read_text(encoding="utf-8"), repr(bench.events), repr(model.asked)):
        assert SECRET not in text


def test_a_secret_that_was_not_given_is_refused(tmp_path: Path) -> None:
    model = ScriptedModel(
        reply({"op": "type", "text": "{{secret:password}}"}, {"op": "key_combo", "keys": ["enter"]}),
        reply({"op": "done", "summary": "no"}),
    )
    bench = Bench(model, tmp_path)
    bench.on_event = say_yes(bench)
    bench.run("log in")
    first = bench.of(say.Result)[0]
    assert first.outcome == "refused"
    assert "There is no secret called {{secret:password}}" in first.detail
    assert bench.target.input.events == []


def batch(*operations: ops.Op) -> Batch:
    return Batch("b", operations, VIEW)


def test_a_secret_that_cannot_be_typed_is_refused() -> None:
    redactor.redactor().keep("BELL", "ding\x07dong")
    hand = InlineHand(MemoryInput())
    results = execute_filled(hand, batch(ops.Type("{{secret:BELL}}")), lambda _: None)
    assert results[0].outcome == "refused" and "cannot be typed" in results[0].detail
    assert "ding" not in results[0].detail


def test_only_what_is_typed_is_filled_in() -> None:
    redactor.redactor().keep("1", SECRET)
    seen: list[Batch] = []

    class Watching(InlineHand):
        def execute(self, batch: Batch, on_progress: object = None) -> list[OpResult]:
            seen.append(batch)
            detail = f"typing {SECRET} failed (3 of 17 characters were typed)"
            return [OpResult(batch.id, index, "failed", detail) for index in range(len(batch.operations))]

    given = batch(ops.Open("https://x/?{{secret:1}}"), ops.Type("{{secret:1}}"), ops.Type("plain"))
    results = execute_filled(Watching(MemoryInput()), given, lambda _: None)
    assert seen[0].operations == (ops.Open("https://x/?{{secret:1}}"), ops.Type(SECRET), ops.Type("plain"))
    assert seen[0].hidden == (SECRET,)
    told = "typing {{secret:1}} failed"
    assert [r.detail for r in results][1] == f"{told} (a part was typed)"
    assert [r.detail for r in results][2] == f"{told} (3 of 17 characters were typed)"
