"""A yes is for what was shown, once, and only as long as what it rested on is as it was."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from desktop_agent.agent.asking.approval import fingerprint
from desktop_agent.policy.consent.asked_rows import rows_of
from desktop_agent.policy.consent.consent import (
    Consent,
    StandingYes,
    Yes,
    changes,
    covered_by_always,
    covered_in_steps,
)
from desktop_agent.policy.facts.batching import Piece, segments
from desktop_agent.policy.facts.place import Place
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol import ops
from desktop_agent.protocol.geometry import Rect
from desktop_agent.protocol.input_events import ButtonDown, KeyDown
from desktop_agent.vision.observation import Element
from tests.agent.test_run_loop import CLICK, DONE, turn
from tests.policy.test_permission import NAME, PRESS, SEND, XTERM, answering, bench_with, clicks, thing
from tests.policy.test_two_judgements import gate_at
from tests.support.memory_desk import Bench, ScriptedModel

QUESTION = thing("e5", "label", "Send this to Ann?", 250)
ENTER = {"op": "key_combo", "keys": ["enter"]}
OTHER = "the user has not been asked"


def renamed(element: Element, **more: Any) -> Element:
    return msgspec.structs.replace(element, **more)


@pytest.mark.parametrize(("now", "said"), [
    ((SEND, NAME, renamed(QUESTION, name="Send all your money to Bob?")), "“Send all your money to Bob?”, it was “Send this to Ann?”"),
    ((renamed(SEND, name="Send and pay"), NAME, QUESTION), "push button Send and pay"),
    ((renamed(SEND, name="Continue"), NAME, QUESTION), "push button Continue"),
    ((renamed(SEND, role="toggle button"), NAME, QUESTION), "toggle button"),
    ((renamed(SEND, value="100 €"), NAME, QUESTION), "“100 €”, it was empty"),
    ((renamed(SEND, states=frozenset(("checked",))), NAME, QUESTION), "its state is now “checked”"),
    ((SEND, NAME), "the text around it"),
])  # fmt: skip
def test_a_change_between_the_yes_and_the_press_cancels_it(
    now: tuple[Element, ...], said: str, tmp_path: Path
) -> None:
    model = ScriptedModel(turn(PRESS), DONE)
    bench = bench_with(model, tmp_path, SEND, NAME, QUESTION)

    def answer(event: say.ApprovalAsked) -> None:
        bench.target.things = now
        bench.session.approve(event.id)

    answering(bench, answer)
    bench.run()
    assert clicks(bench) == 0
    detail = model.asked[1].deeds[0].detail
    assert "Changed since you said yes" in detail and said in detail and "Look again" in detail


@pytest.mark.parametrize(("now", "said"), [
    ((SEND, renamed(NAME, value="rm -rf ~"), QUESTION), "what stands there"),
    ((SEND, renamed(NAME, name="Comment"), QUESTION), "entry Comment"),
    ((SEND, NAME, renamed(QUESTION, name="Delete it all?")), "Delete it all?"),
    ((SEND, thing("e8", "push button", "Delete", 350), NAME, QUESTION), "the buttons beside it"),
])  # fmt: skip
def test_the_question_above_the_prompt_and_the_field_are_compared_for_keys(
    now: tuple[Element, ...], said: str, tmp_path: Path
) -> None:
    model = ScriptedModel(turn(ENTER), DONE)
    bench = bench_with(model, tmp_path, SEND, NAME, QUESTION)

    def answer(event: say.ApprovalAsked) -> None:
        bench.target.things = now
        bench.session.approve(event.id)

    asked = answering(bench, answer)
    bench.run()
    assert len(asked) == 1 and KeyDown("enter") not in bench.target.input.events
    assert said in model.asked[1].deeds[0].detail


def test_what_does_not_change_is_done_and_the_card_shows_what_it_rests_on(tmp_path: Path) -> None:
    bench = bench_with(ScriptedModel(turn(PRESS), DONE), tmp_path, SEND, NAME, QUESTION)
    (asked,) = (answering(bench, lambda e: bench.session.approve(e.id)), bench.run())[:1]
    assert clicks(bench) == 1
    rows = {row.label: row.text for row in asked[0].rows}
    assert rows["On"] == "push button “Send”" and rows["Program"] == "paper"
    assert "Send this to Ann?" in rows["It says"]


PLACE = Place(known=True, pid=7, program="chromium", window="Shop", role="push button", name="Buy", in_page=True, origin="https://shop.example")  # fmt: skip


@pytest.mark.parametrize(("more", "same"), [
    ({"origin": "https://evil.example"}, False), ({"window": "Another title"}, True), ({"pid": 8}, False),
    ({"program": "firefox"}, False), ({"name": "Buy now"}, False), ({"in_page": False}, False), ({"words": ("Pay",)}, False),
    ({"states": frozenset(("focused",))}, True), ({"buttons": ("Pay",)}, True), ({"nearby": ("Send it to Bob?",)}, False), ({"known": False}, False),
])  # fmt: skip
def test_what_counts_as_a_change_at_a_page(more: dict[str, Any], same: bool) -> None:
    assert (changes(ops.ClickElement("e1"), PLACE, msgspec.structs.replace(PLACE, **more)) == "") is same


@pytest.mark.parametrize(("then", "now", "same"), [
    ("Letter.odt", "*Letter.odt", True), ("(2) Inbox", "(3) Inbox", True), ("Letter.odt", "Will.odt", False),
])  # fmt: skip
def test_outside_pages_the_title_tells_the_document(then: str, now: str, same: bool) -> None:
    place = Place(known=True, pid=1, program="writer", window=then)
    assert (changes(ops.Type("x"), place, msgspec.structs.replace(place, window=now)) == "") is same


def test_of_a_terminal_the_end_is_compared() -> None:
    place = Place(
        known=True, pid=1, program="xfce4-terminal", role="terminal", value="old\n" * 50 + "Delete? [y/N]"
    )
    scrolled = msgspec.structs.replace(place, value="new\n" + place.value)
    other = msgspec.structs.replace(place, value="old\n" * 50 + "Publish? [y/N]")
    assert changes(ops.Type("y"), place, scrolled) == ""
    assert "Publish?" in changes(ops.Type("y"), place, other)


# ---- one yes, one thing ----------------------------------------------------------------------


def test_a_yes_covers_its_operation_once_and_no_other() -> None:
    gate, seen = gate_at("restricted")
    op = ops.Run("bash", "make")
    (ruling,) = gate.plan((op,), seen)
    gate.begin([ruling])
    assert "not been asked" in gate.refusal((Piece(ops.Run("bash", "make install"), 0),), seen)[0].detail
    assert "not been asked" in gate.refusal((Piece(op, 1),), seen)[0].detail, "another operation of the batch"
    assert gate.refusal((Piece(op, 0),), seen) == []
    assert "not been asked" in gate.refusal((Piece(op, 0),), seen)[0].detail, "a retry"


@pytest.mark.parametrize(("asked", "now", "covered"), [
    ("button", "button", True), ("outside scope+button", "button", True), ("button", "", True), ("button", "button+terminal", False), ("", "button", False),
])  # fmt: skip
def test_a_yes_covers_what_was_asked_about_and_nothing_stricter(asked: str, now: str, covered: bool) -> None:
    consent = Consent()
    consent.give([Yes(0, ops.ClickElement("e1"), asked, PLACE)])
    assert (consent.fault(0, ops.ClickElement("e1"), now, PLACE) == "") is covered


def test_two_equal_operations_need_two_times_yes(tmp_path: Path) -> None:
    bench = bench_with(ScriptedModel(turn(PRESS, PRESS), DONE), tmp_path, SEND)
    answers = iter([bench.session.approve, bench.session.skip])
    asked = answering(bench, lambda e: next(answers)(e.id))
    bench.run()
    assert len(asked) == 2 and len({e.id for e in asked}) == 2 and clicks(bench) == 1


def test_a_second_answer_to_one_question_is_none_to_the_next(tmp_path: Path) -> None:
    bench = bench_with(ScriptedModel(turn(PRESS, PRESS), DONE), tmp_path, SEND)
    bench.target.still = True

    def twice(event: say.ApprovalAsked) -> None:
        if len(asked) == 1:
            bench.session.approve(event.id)
        else:
            bench.session.skip(event.id)
            bench.session.approve(asked[0].id)

    asked = answering(bench, twice)
    bench.run()
    assert len(asked) == 2 and clicks(bench) == 1


def test_a_yes_to_a_held_key_is_none_to_what_comes_after() -> None:
    gate, seen = gate_at("restricted")
    seen = msgspec.structs.replace(seen, elements=(NAME,))
    gate.places.target.things = (NAME,)  # type: ignore[attr-defined]
    unit = (ops.KeyDown("ctrl"), ops.KeyCombo(("enter",)), ops.KeyUp("ctrl"))
    rulings = list(gate.plan(unit, seen))
    gate.begin(rulings)
    other = (ops.KeyDown("ctrl"), ops.KeyCombo(("shift", "enter")), ops.KeyUp("ctrl"))
    (segment,) = segments(other)
    assert gate.refusal(segment, seen)[1].outcome == "refused"
    (segment,) = segments(unit)
    assert gate.refusal(segment, seen) == []


def test_a_yes_to_what_policy_asks_is_the_yes_to_the_plan_step_only_where_the_card_says_so(
    tmp_path: Path,
) -> None:
    steps = ["Write", "Send it"]
    first, second = turn(CLICK, PRESS, high_level=steps), turn(CLICK, PRESS, high_level=["Other", "Send it"])
    bench = bench_with(ScriptedModel(first, second, DONE), tmp_path, SEND, step_mode="plan")
    asked = answering(bench, lambda e: bench.session.approve(e.id))
    bench.run()
    assert [e.words for e in asked] == ["Write", "Click “Send”", "Other", "Click “Send”"]
    assert not any("plan step" in e.why for e in asked if e.words == "Click “Send”")
    alone = bench_with(
        ScriptedModel(turn(PRESS, CLICK, high_level=["Send it"]), DONE),
        tmp_path / "b",
        SEND,
        step_mode="plan",
    )
    asked = answering(alone, lambda e: alone.session.approve(e.id))
    alone.run()
    assert len(asked) == 1 and "begins the plan step “Send it”" in asked[0].why and clicks(alone) == 2


# ---- always ----------------------------------------------------------------------------------


def test_always_is_by_program_and_origin_never_by_title() -> None:
    yes = StandingYes()
    covered = covered_by_always(ops.ClickElement("e1"), PLACE, "button", "why")
    assert covered is not None and covered.words == "click “Buy” in chromium at https://shop.example"
    yes.add([covered])

    def has(**more: Any) -> bool:
        place = msgspec.structs.replace(PLACE, **more)
        return yes.has(covered_by_always(ops.ClickElement("e2"), place, "button", "why"))

    assert has() and has(window="Another title")
    assert not has(origin="https://evil.example") and not has(program="firefox") and not has(name="Pay")
    assert not has(origin="") and not has(program="")


@pytest.mark.parametrize(("op", "sink", "more"), [
    (ops.Type("ls\n"), "terminal", {}), (ops.Run("bash", "ls"), "command", {}), (ops.Type("x"), "password", {}),
    (ops.ClickElement("e1"), "button", {"origin": ""}), (ops.ClickElement("e1"), "button", {"program": "", "origin": "", "in_page": False}),
    (ops.ClickElement("e1"), "button+secret", {}), (ops.ClickElement("e1"), "something new", {}), (ops.ClickElement("e1"), "button", {"name": ""}),
])  # fmt: skip
def test_always_is_not_offered_where_it_could_be_used_for_another_thing(
    op: ops.Op, sink: str, more: dict[str, Any]
) -> None:
    assert covered_by_always(op, msgspec.structs.replace(PLACE, **more), sink, "why") is None


def test_in_step_mode_always_is_for_one_program_whatever_its_title(tmp_path: Path) -> None:
    model = ScriptedModel(turn(CLICK), turn(CLICK), turn(CLICK), DONE)
    bench = Bench(model, tmp_path, step_mode="action")

    asked: list[say.ApprovalAsked] = []

    def hear(event: say.FeedEvent) -> None:
        if isinstance(event, say.ApprovalAsked):
            asked.append(event)
            bench.session.approve(event.id, always=True)
        if isinstance(event, say.Result):
            bench.target.window = msgspec.structs.replace(bench.target.window, title="Another title")

    bench.on_event = hear
    bench.run()
    assert [e.covers for e in asked] == ["click anything in paper"] and clicks(bench) == 3
    bench.target.window = msgspec.structs.replace(XTERM, program="viewer", bounds=Rect(0, 0, 800, 600))
    model.texts = [turn(CLICK), DONE]
    bench.run()
    assert len(asked) == 2


def test_in_step_mode_always_is_not_offered_for_a_place_that_is_not_known() -> None:
    assert covered_in_steps(ops.Click(), Place()) is None
    assert covered_in_steps(ops.Open("x"), PLACE) is None
    words = covered_in_steps(ops.Type("x"), PLACE)
    assert words is not None and words.words == "type any text in chromium at https://shop.example"


# ---- what is asked ---------------------------------------------------------------------------


def test_every_character_that_will_be_typed_is_asked_for(tmp_path: Path) -> None:
    text = "".join(f"line {n} with words\n" for n in range(500))
    model = ScriptedModel(turn({"op": "type", "text": text}), DONE)
    bench = bench_with(model, tmp_path)
    bench.target.window = XTERM
    asked = answering(bench, lambda e: bench.session.skip(e.id))
    bench.run()
    assert [row.text for row in asked[0].rows if row.kind == "typed"] == [text]
    assert repr(text) in asked[0].exact[0] and f"{len(text):,} characters" in asked[0].words
    assert bench.target.input.text == "" and not [
        e for e in bench.target.input.events if isinstance(e, ButtonDown)
    ]


@pytest.mark.parametrize(("op", "texts"), [
    (ops.WriteFile("/home/ann/" + "x" * 80, "a\n" * 90), ["/home/ann/" + "x" * 80, "a\n" * 90]),
    (ops.EditFile("a", "old" * 40, "new" * 40), ["a", "old" * 40, "new" * 40]),
    (ops.Run("bash", "echo " * 50), ["echo " * 50]), (ops.Open("https://a.b.shop.example/" + "y" * 90), ["https://a.b.shop.example/" + "y" * 90]),
])  # fmt: skip
def test_files_commands_and_addresses_are_shown_whole(op: ops.Op, texts: list[str]) -> None:
    gate, seen = gate_at("restricted")
    rows = rows_of((op,), (None,), tuple(gate.plan((op,), seen)))
    assert [row.text for row in rows if row.kind in ("typed", "content")] == texts
    hosts = [(row.text, row.strong) for row in rows if row.kind == "host"]
    assert hosts == ([("a.b.shop.example", "shop.example")] if isinstance(op, ops.Open) else [])


def same_seal(change: Callable[[Element], Element]) -> bool:
    _, seen = gate_at("restricted")
    before, after = (msgspec.structs.replace(seen, elements=(each, NAME)) for each in (SEND, change(SEND)))
    unit = (ops.ClickElement("e1"),)
    return fingerprint(unit, before) == fingerprint(unit, after)


def test_the_seal_covers_the_element_that_is_named() -> None:
    assert same_seal(lambda e: e)
    assert not same_seal(lambda e: renamed(e, name="Pay"))
    assert not same_seal(lambda e: renamed(e, bounds=Rect(0, 0, 9, 9)))
