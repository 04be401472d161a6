"""What the user changes before the yes is judged anew, asked about anew, recorded, and told to the model."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from desktop_agent.agent.asking.approval import Approver
from desktop_agent.policy.consent.edited_unit import changeable, edited, near
from desktop_agent.policy.facts.place import Subject
from desktop_agent.policy.facts.provenance import Provenance
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol import ops
from desktop_agent.protocol.errors import Refused
from desktop_agent.protocol.geometry import Point, Rect, Size, Viewport
from desktop_agent.protocol.op_change import OpChange
from desktop_agent.protocol.permission import Rule, Rules
from desktop_agent.redaction.redactor import redactor
from desktop_agent.vision.observation import Element
from tests.agent.test_run_loop import CLICK, DONE, turn
from tests.policy.test_permission import NAME, PRESS, SECRET, SEND, bench_with, thing
from tests.support.memory_desk import Bench, ScriptedModel

LATER = thing("e8", "push button", "Send later", 160, "focusable")
TYPE = {"op": "type", "text": "hunter2", "element": "e3"}


def changing(
    bench: Bench, change: Callable[[say.ApprovalAsked], tuple[OpChange, ...]]
) -> list[say.ApprovalAsked]:
    """Change the first question in this way and say yes to what comes of it; the questions are collected."""
    asked: list[say.ApprovalAsked] = []

    def hear(event: say.FeedEvent) -> None:
        if isinstance(event, say.ApprovalAsked):
            asked.append(event)
            if len(asked) == 1:
                bench.session.edit(event.id, change(event))
            else:
                bench.session.approve(event.id)

    bench.on_event = hear
    return asked


def records(folder: Path, kind: str) -> list[dict[str, object]]:
    (log,) = folder.rglob("events.jsonl")
    lines = map(json.loads, log.read_text(encoding="utf-8").splitlines())
    return [line["data"] for line in lines if line["kind"] == kind]


def test_a_changed_text_is_typed_recorded_and_told(tmp_path: Path) -> None:
    model = ScriptedModel(turn(TYPE, CLICK), DONE)
    bench = bench_with(model, tmp_path, SECRET)
    focused = msgspec.structs.replace(SECRET, states=SECRET.states | {"focused"})
    bench.target.input.after = lambda _: setattr(bench.target, "things", (focused,))
    asked = changing(bench, lambda _: (OpChange(0, "text", text="hunter3"),))
    bench.run("log in")
    assert bench.target.input.text == "hunter3"
    assert [(each.whose, bool(each.changed)) for each in asked] == [("model", False), ("user", True)]
    assert asked[0].id != asked[1].id and "hunter2" in asked[1].changed[0].before
    told = model.asked[1].deeds[-1]
    assert "The user changed it before saying yes" in told.detail and "hunter3" in told.detail
    assert [op.text for op in (d.op for d in model.asked[1].deeds) if isinstance(op, ops.Type)] == ["hunter3"]
    assert not any(isinstance(deed.op, ops.Click) for deed in model.asked[1].deeds), (
        "what followed was not done"
    )
    (record,) = records(tmp_path, "edited")
    assert (
        "hunter2" in str(record["before"]) and "hunter3" in str(record["after"]) and record["refused"] == ""
    )


def test_another_element_is_clicked_and_a_yes_is_to_that_alone(tmp_path: Path) -> None:
    bench = bench_with(ScriptedModel(turn(PRESS), DONE), tmp_path, SEND, LATER)
    asked = changing(bench, lambda event: (OpChange(0, "place", element=event.near[0].id),))
    bench.run()
    assert [each.words for each in asked] == ["Click “Send”", "Click “Send later”"]
    (press,) = [event for event in bench.of(say.Action) if event.op == "click_element"]
    assert press.at == LATER.bounds.center


def test_what_no_yes_allows_stays_refused_and_the_question_stands(tmp_path: Path) -> None:
    rules = Rules(deny=(Rule(name="*later*"),))
    bench = bench_with(ScriptedModel(turn(PRESS), DONE), tmp_path, SEND, LATER, rules=rules)
    asked = changing(bench, lambda _: (OpChange(0, "place", element="e8"),))
    bench.run()
    assert [each.words for each in asked] == ["Click “Send”", "Click “Send”"] and asked[1].fault
    (record,) = records(tmp_path, "edited")
    assert record["refused"] == asked[1].fault
    (press,) = [event for event in bench.of(say.Action) if event.op == "click_element"]
    assert press.at == SEND.bounds.center


@pytest.mark.parametrize(("change", "why"), [
    (OpChange(0, "text", text="x"), "cannot be changed"),
    (OpChange(1, "place", element="e8"), "cannot be changed"),
    (OpChange(0, "place", element="e99"), "not there"),
    (OpChange(0, "place", at=Point(5_000, 5)), "outside"),
    (OpChange(0, "place"), "No place"),
])  # fmt: skip
def test_a_change_that_cannot_be_is_said_and_never_guessed(
    tmp_path: Path, change: OpChange, why: str
) -> None:
    bench = bench_with(ScriptedModel(turn(PRESS), DONE), tmp_path, SEND, LATER)
    asked = changing(bench, lambda _: (change,))
    bench.run()
    assert len(asked) == 2 and why in asked[1].fault and asked[1].words == "Click “Send”"


def test_texts_pass_the_same_validation_as_a_models(tmp_path: Path) -> None:
    bench = bench_with(ScriptedModel(turn(TYPE), DONE), tmp_path, SECRET)
    asked = changing(bench, lambda _: (OpChange(0, "text", text="a\x07b"),))
    bench.run("log in")
    assert "cannot be done" in asked[1].fault and not asked[1].changed


def test_a_change_back_is_no_change(tmp_path: Path) -> None:
    bench = bench_with(ScriptedModel(turn(TYPE), DONE), tmp_path, SECRET)
    asked: list[say.ApprovalAsked] = []

    def hear(event: say.FeedEvent) -> None:
        if isinstance(event, say.ApprovalAsked):
            asked.append(event)
            texts = ["other", "hunter2"]
            if len(asked) <= len(texts):
                bench.session.edit(event.id, (OpChange(0, "text", text=texts[len(asked) - 1]),))
            else:
                bench.session.skip(event.id)

    bench.on_event = hear
    bench.run("log in")
    assert [bool(each.changed) for each in asked] == [False, True, False]


@pytest.mark.parametrize("texts", [["other", "hunter2"], ["other"]])
def test_what_comes_of_no_yes_is_not_the_users_word(tmp_path: Path, texts: list[str]) -> None:
    """Changed back, or skipped after a change: neither the model's text nor the changed one is the user's."""
    bench = bench_with(ScriptedModel(turn(TYPE), DONE), tmp_path, SECRET)
    asked: list[say.ApprovalAsked] = []
    worded: list[frozenset[str]] = []
    real = Approver._answered

    def answered(self: Approver, *given: Any) -> bool:
        yes = real(self, *given)
        worded.append(self.gate.provenance.worded)
        return yes

    def hear(event: say.FeedEvent) -> None:
        if isinstance(event, say.ApprovalAsked):
            asked.append(event)
            if len(asked) <= len(texts):
                bench.session.edit(event.id, (OpChange(0, "text", text=texts[len(asked) - 1]),))
            else:
                bench.session.skip(event.id)

    bench.on_event = hear
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Approver, "_answered", answered)
        bench.run("log in")
    assert len(worded) == 1 and "hunter2" not in worded[0]


def test_a_point_is_converted_by_the_viewport() -> None:
    class Seen:
        viewport = Viewport(Rect(100, 50, 800, 600), Size(400, 300), 1)
        elements = (SEND, LATER)

    unit = (ops.Click(10, 10, "right", 2, ("ctrl",)),)
    (moved,) = edited(unit, [OpChange(0, "place", at=Point(301, 251))], Seen())  # type: ignore[arg-type]
    assert moved == ops.Click(100, 100, "right", 2, ("ctrl",))
    with pytest.raises(Refused):
        edited(unit, [OpChange(0, "place", at=Point(99, 51))], Seen())  # type: ignore[arg-type]
    assert [each.id for each in near(unit, Seen())] == ["e1", "e8"]  # type: ignore[arg-type]


def test_what_can_be_changed() -> None:
    parts = [
        (each.part, each.value)
        for each in changeable((ops.Open("a.txt"), ops.Click(1, 2), ops.Click(), ops.Type("x")))
    ]
    assert parts == [("target", "a.txt"), ("place", ""), ("text", "x")]


def test_a_text_with_a_secret_is_not_offered() -> None:
    redactor().know("correct-horse-battery")
    assert changeable((ops.Type("say correct-horse-battery"),)) == ()


def test_what_the_user_wrote_is_the_users_as_a_whole_and_in_no_part() -> None:
    provenance = Provenance()
    provenance.taint.add(Subject("site", "https://evil.example"))
    text = "Please pay 900 euros to account DE99 1234"
    assert provenance.of(text).source == "seen"
    provenance.word(text)
    assert provenance.of(text).source == "user"
    assert provenance.of("DE99 1234").source == "seen" and not provenance.said("account DE99 1234")
    assert provenance.of(text, "curl ").source == "seen", "behind something else it is another text"
    assert provenance.carried_out(text, confirmed=True).source == "user"


def test_always_can_be_seen_and_taken_back(tmp_path: Path) -> None:
    model = ScriptedModel(turn(PRESS), turn(PRESS), DONE)
    bench = bench_with(model, tmp_path, SEND)
    asked: list[say.ApprovalAsked] = []

    def hear(event: say.FeedEvent) -> None:
        if isinstance(event, say.ApprovalAsked):
            asked.append(event)
            if len(asked) == 1:
                bench.session.approve(event.id, always=True)
            else:
                bench.session.skip(event.id)
        if isinstance(event, say.Turn) and event.number == 1:
            (grant,) = bench.session.standing()
            assert grant.words == "click “Send” in paper" and grant.since > 0
            bench.session.take_back(grant.id)

    bench.on_event = hear
    bench.run()
    assert len(asked) == 2, "taken back, it is asked about again"
    assert [len(each.grants) for each in bench.of(say.StandingSet)] == [
        1,
        0,
    ] and bench.session.standing() == ()
    assert [record["words"] for record in records(tmp_path, "taken_back")] == ["click “Send” in paper"]


def test_taken_back_between_the_judgement_and_the_press_it_is_not_done(tmp_path: Path) -> None:
    model = ScriptedModel(turn(PRESS), turn(PRESS), DONE)
    bench = bench_with(model, tmp_path, SEND)
    yes: list[str] = []

    def hear(event: say.FeedEvent) -> None:
        if isinstance(event, say.ApprovalAsked):
            yes.append(event.id)
            bench.session.approve(event.id, always=True)
        if (
            isinstance(event, say.Status)
            and event.state == "executing"
            and bench.session.standing()
            and model.asked[1:]
        ):
            bench.session.take_back(bench.session.standing()[0].id)

    bench.on_event = hear
    bench.run()
    assert len(yes) == 1 and len([a for a in bench.of(say.Result) if a.outcome == "done"]) == 1
    assert "asked" in model.asked[2].deeds[-1].detail


def test_a_question_that_nobody_shows_is_refused_loudly(tmp_path: Path) -> None:
    bench = bench_with(ScriptedModel(turn(PRESS), DONE), tmp_path, SEND)
    bench.session.promise_to_show(0.05)
    bench.run()
    (error,) = bench.of(say.Error)
    assert (
        "Click “Send”" in error.message and "did not show it" in error.message and "not done" in error.message
    )
    assert bench.target.input.events == [] and bench.states[-1] == "error"


def test_a_question_that_cannot_be_shown_is_refused_and_one_that_is_waits(tmp_path: Path) -> None:
    for folder, hidden in (("hidden", True), ("shown", False)):
        bench = bench_with(ScriptedModel(turn(PRESS), DONE), tmp_path / folder, SEND)
        bench.session.promise_to_show(60)

        def hear(event: say.FeedEvent, bench: Bench = bench, hidden: bool = hidden) -> None:
            if isinstance(event, say.ApprovalAsked) and hidden:
                bench.session.not_shown(event.id, "the screen is gone")
            elif isinstance(event, say.ApprovalAsked):
                bench.session.shown(event.id)
                bench.session.approve(event.id)

        bench.on_event = hear
        bench.run()
        assert bool(bench.target.input.events) is not hidden
        assert [("the screen is gone" in each.message) for each in bench.of(say.Error)] == [True] * hidden


def test_a_late_yes_is_to_what_is_there_by_then(tmp_path: Path) -> None:
    other = msgspec.structs.replace(SEND, name="Send and pay")
    model = ScriptedModel(turn(PRESS), DONE)
    bench = bench_with(model, tmp_path, SEND)

    def hear(event: say.FeedEvent) -> None:
        if isinstance(event, say.ApprovalAsked):
            bench.target.things = (other,)
            bench.session.approve(event.id)

    bench.on_event = hear
    bench.run()
    assert bench.target.input.events == []
    assert "Changed since you said yes" in model.asked[1].deeds[-1].detail


def test_where_and_whose_words_are_told_typed(tmp_path: Path) -> None:
    bench = bench_with(
        ScriptedModel(turn({"op": "type", "text": "x", "element": "e3"}), DONE), tmp_path, SECRET, NAME
    )
    asked: list[say.ApprovalAsked] = []

    def hear(event: say.FeedEvent) -> None:
        if isinstance(event, say.ApprovalAsked):
            asked.append(event)
            bench.session.skip(event.id)

    bench.on_event = hear
    bench.run("log in")
    (place,) = asked[0].places
    assert (place.window, place.site) == ("Paper", "") and asked[0].whose == "model"
    assert isinstance(NAME, Element)
