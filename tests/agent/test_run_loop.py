"""The loop against models that behave, and models that hang, lie, repeat themselves or talk nonsense."""

from __future__ import annotations

import itertools
import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from desktop_agent.agent.asking.approval import BATCHES_A_YES
from desktop_agent.agent.inbox import Inbox
from desktop_agent.agent.runlog.hash_chained_log import read
from desktop_agent.hand.ipc.shared_block import Reason
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.agent_events import FeedEvent
from desktop_agent.protocol.batch import OpResult
from desktop_agent.protocol.errors import HandError, TargetError
from desktop_agent.protocol.geometry import Geometry, Rect
from desktop_agent.protocol.input_events import ButtonDown, InputEvent, Text
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.redaction.redactor import redactor
from tests.support.memory_desk import Bench, InlineHand, ScriptedModel


def turn(*actions: dict[str, Any], **more: Any) -> str:
    return json.dumps({"actions": actions, **more})


CLICK = {"op": "click", "x": 10, "y": 10}
DONE = turn({"op": "done", "summary": "All done."})


def hang(stop: StopFlag) -> None:
    stop.wait(1_000)


def test_a_run_from_goal_to_done(tmp_path: Path) -> None:
    plan = {"high_level": ["Click it", "Check it"], "notes": "I click it."}
    model = ScriptedModel(
        turn(CLICK, {"op": "click_element", "element": "e1"}, **plan, step=1),
        turn({"op": "done", "summary": "ok"}, **plan, step=2),
    )
    bench = Bench(model, tmp_path)
    bench.run()
    assert bench.states == ["planning", "planning", "executing", "planning", "done"]
    assert [(e.steps, e.current) for e in bench.of(say.Plan)] == [
        (("Click it", "Check it"), 0),
        (("Click it", "Check it"), 1),
    ]
    assert [e.exact for e in bench.of(say.Action)] == [
        "click(left) at 10,10",
        "click_element(left) at 140,115",
    ]
    assert [(e.outcome, e.effect) for e in bench.of(say.Result)] == [("done", "unknown"), ("done", "changed")]
    assert [d.outcome for d in model.asked[1].deeds] == ["done", "done"]
    assert "Clicked “Save”: done, unverified (the screen changed)" in model.asked[1].text
    assert not bench.target.input.down


def test_the_log_holds_the_intent_before_every_action(tmp_path: Path) -> None:
    bench = Bench(ScriptedModel(turn(CLICK), DONE), tmp_path)
    bench.run()
    (path,) = tmp_path.glob("*/events.jsonl")
    kinds = [record.kind for record in read(path)]
    assert kinds.index("intent") < kinds.index("action") < kinds.index("result")
    assert kinds[:2] == ["opened", "goal"] and "done" in kinds


def test_bad_replies_are_asked_again_with_every_problem_and_then_the_user_is(tmp_path: Path) -> None:
    model = ScriptedModel("no json", turn({"op": "click", "x": 1.5, "y": True}), "[]", DONE)
    bench = Bench(
        model,
        tmp_path,
        on_event=lambda e: bench.session.send("try again") if isinstance(e, say.Question) else None,
    )
    bench.run()
    assert "waiting_for_user" in bench.states and bench.states[-1] == "done"
    assert len(model.asked[1].problems) == 1 and len(model.asked[2].problems) == 2
    assert "actions[0].x" in model.asked[2].text and "could not be used" in model.asked[2].text
    assert model.asked[3].said == ((1, "try again"),)


def test_five_thousand_actions_touch_nothing(tmp_path: Path) -> None:
    bench = Bench(ScriptedModel(turn(*[CLICK] * 5_000), DONE), tmp_path)
    bench.run()
    assert bench.target.input.events == [] and bench.states[-1] == "done"


@pytest.mark.parametrize("op", ["approve", "resume"])
def test_the_model_cannot_approve_for_the_human(op: str, tmp_path: Path) -> None:
    bench = Bench(ScriptedModel(turn({"op": op}, CLICK), DONE), tmp_path)
    bench.run()
    assert bench.target.input.events == []


def test_a_lie_is_not_believed(tmp_path: Path) -> None:
    model = ScriptedModel(
        turn({"op": "click", "x": 799, "y": 700}, {"op": "done", "summary": "Clicked!"}), DONE
    )
    bench = Bench(model, tmp_path)
    bench.run()
    assert bench.of(say.GoalReached) == [bench.events[-3]] and len(model.asked) == 2
    assert [deed.outcome for deed in model.asked[1].deeds] == ["refused"]


def test_done_in_the_same_breath_as_acting_is_not_believed(tmp_path: Path) -> None:
    model = ScriptedModel(turn(CLICK, {"op": "done", "summary": "ok"}), DONE)
    Bench(model, tmp_path).run()
    assert len(model.asked) == 2
    assert "only after a new look" in model.asked[1].deeds[-1].detail


def test_a_model_that_repeats_itself_is_noticed(tmp_path: Path) -> None:
    model = ScriptedModel(turn(CLICK), proves_done=False)
    bench = Bench(model, tmp_path)
    bench.target.still = True
    bench.on_event = lambda e: bench.session.stop() if isinstance(e, say.Question) else None
    bench.run()
    assert "in circles" in bench.of(say.Question)[0].text
    assert len([e for e in bench.target.input.events if isinstance(e, ButtonDown)]) == 2
    assert "did this before" in model.asked[2].text and "Do something else" in model.asked[3].text
    assert len(model.asked) == 4


def test_a_hanging_model_is_stopped(tmp_path: Path) -> None:
    bench = Bench(ScriptedModel(DONE, wait=hang), tmp_path)
    bench.on_event = lambda e: (
        threading.Timer(0.05, bench.session.stop, ["Esc"]).start() if isinstance(e, say.LookTaken) else None
    )
    bench.run()
    assert bench.of(say.Status)[-1] == say.Status(time=bench.events[-1].time, state="stopped", detail="Esc")


def answering(bench: Bench, *answers: str) -> None:
    """Answer the questions of the run in this order, the last answer for ever."""
    left = list(answers)

    def answer(event: FeedEvent) -> None:
        if isinstance(event, say.Question):
            bench.session.send(left.pop(0) if len(left) > 1 else left[0])

    bench.on_event = answer


def test_the_user_is_asked_at_the_time_limit_though_the_model_hangs(tmp_path: Path) -> None:
    bench = Bench(ScriptedModel(DONE, wait=hang), tmp_path, timeout=0.2)
    answering(bench, "Go on", "Stop here")
    bench.run()
    asked = bench.of(say.Question)
    assert [each.choices for each in asked] == [("Go on", "Stop here")] * 2 and "limit of 0.2 s" in asked[
        0
    ].text
    assert bench.states[-1] == "error" and "limit of 0.2 s" in bench.of(say.Error)[0].message
    assert "paused" not in bench.states


def test_the_user_is_asked_at_a_time_limit_that_came_before_the_model_was_called(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = Bench(ScriptedModel(DONE, wait=hang), tmp_path, timeout=0.5)
    over, cut = threading.Event(), Inbox.cut

    def cut_and_tell(inbox: Inbox) -> None:
        cut(inbox)
        over.set()

    def answer(event: FeedEvent) -> None:
        if isinstance(event, say.LookTaken):
            over.wait()
        elif isinstance(event, say.Question):
            bench.session.send("Stop here")

    monkeypatch.setattr(Inbox, "cut", cut_and_tell)
    bench.on_event = answer
    bench.run()
    assert bench.states[-1] == "error" and "limit of 0.5 s" in bench.of(say.Error)[0].message


def test_the_user_is_asked_at_the_step_limit_and_a_yes_gives_as_many_again(tmp_path: Path) -> None:
    model = ScriptedModel(turn({"op": "wait", "seconds": 0}))
    bench = Bench(model, tmp_path, max_steps=4)
    answering(bench, "go on", "no")
    bench.run()
    assert len(model.asked) == 8
    assert bench.states[-1] == "error" and "4 steps" in bench.of(say.Error)[0].message


@pytest.mark.parametrize("words", ["enough", "no thanks", "what is this about?"])
def test_other_words_at_a_limit_lift_nothing_and_are_asked_about_again(tmp_path: Path, words: str) -> None:
    model = ScriptedModel(turn({"op": "wait", "seconds": 0}))
    bench = Bench(model, tmp_path, max_steps=4)
    answering(bench, words, "Stop here")
    bench.run()
    assert len(model.asked) == 4 and len(bench.of(say.Question)) == 2 and bench.states[-1] == "error"


def test_a_program_cannot_lift_a_limit(tmp_path: Path) -> None:
    model = ScriptedModel(turn({"op": "wait", "seconds": 0}))
    bench = Bench(model, tmp_path, max_steps=4)

    def answer(event: FeedEvent) -> None:
        if isinstance(event, say.Question):
            bench.session.send_for("a client", "Go on")

    bench.on_event = answer
    bench.run()
    assert len(model.asked) == 4 and bench.states[-1] == "error"


def test_an_exception_in_the_model_ends_the_run_with_everything_released(tmp_path: Path) -> None:
    def break_down(stop: StopFlag) -> None:
        raise RuntimeError("boom")

    bench = Bench(ScriptedModel(DONE, wait=break_down), tmp_path)
    bench.run()
    assert bench.states[-1] == "error" and "boom" in bench.of(say.Error)[0].message
    assert bench.hand.shared.stopped


def test_nothing_restarts_by_itself_and_a_new_goal_starts_afresh(tmp_path: Path) -> None:
    model = ScriptedModel(DONE, wait=lambda stop: bench.session.stop("Esc"))
    bench = Bench(model, tmp_path)
    bench.run()
    assert bench.states[-1] == "stopped" and bench.hand.shared.stopped
    model._wait = lambda stop: None
    bench.run("again")
    assert bench.states[-1] == "done" and not bench.hand.shared.stopped


def test_what_is_said_the_moment_a_stop_is_told_is_the_next_goal(tmp_path: Path) -> None:
    model = ScriptedModel(DONE, wait=lambda stop: bench.session.stop("Esc"))
    bench = Bench(model, tmp_path)

    def answer(event: FeedEvent) -> None:
        if isinstance(event, say.Status) and event.state == "stopped":
            model._wait = lambda stop: None
            bench.session.send("again")

    bench.on_event = answer
    bench.run()
    bench.session.run_next()
    assert [each.text for each in bench.of(say.Goal)] == ["press and type it", "again"]
    assert bench.states[-1] == "done"


def test_a_reply_that_comes_after_a_stop_is_discarded(tmp_path: Path) -> None:
    bench = Bench(ScriptedModel(turn(CLICK), wait=lambda stop: bench.session.stop("Esc")), tmp_path)
    bench.run()
    assert bench.states[-1] == "stopped" and bench.target.input.events == []
    assert not bench.of(say.Action)


def test_a_stop_in_the_middle_of_typing_leaves_nothing_held(tmp_path: Path) -> None:
    bench = Bench(ScriptedModel(turn({"op": "type", "text": "x" * 2_000})), tmp_path)
    typed: list[InputEvent] = []

    def count(event: InputEvent) -> None:
        typed.append(event)
        if isinstance(event, Text) and len(typed) == 5:
            bench.session.stop("Esc")

    bench.target.input.after = count
    bench.run()
    assert bench.states[-1] == "stopped" and len(typed) == 5 and not bench.target.input.down


@pytest.mark.parametrize(
    ("halt", "told"),
    [
        (lambda hand: hand.stop("you pressed Stop"), "you pressed Stop"),
        (lambda hand: hand.shared.stop(Reason.ESCAPE), "ESC was pressed"),
    ],
)
def test_a_stop_that_the_hand_knows_of_first_is_told_in_the_words_of_who_stopped(
    tmp_path: Path, halt: Callable[[InlineHand], None], told: str
) -> None:
    """Its results come before the session has heard: they say how far typing got, and not why it was stopped."""
    bench = Bench(ScriptedModel(turn({"op": "type", "text": "x" * 2_000})), tmp_path)
    typed = itertools.count(1)

    def count(event: InputEvent) -> None:
        if isinstance(event, Text) and next(typed) == 5:
            halt(bench.hand)

    bench.target.input.after = count
    bench.run()
    assert (bench.states[-1], bench.of(say.Status)[-1].detail) == ("stopped", told)


def test_a_hand_that_dies_of_the_stop_is_a_stop(tmp_path: Path) -> None:
    bench = Bench(ScriptedModel(turn(CLICK)), tmp_path)

    def killed(*_: object) -> list[OpResult]:
        bench.session.stop("Esc")
        raise HandError("The hand process ended.")

    bench.hand.execute = killed  # type: ignore[method-assign,assignment]
    bench.run()
    assert bench.states[-1] == "stopped"


def test_a_display_that_vanishes_ends_the_run_and_the_next_goal_brings_it_back(tmp_path: Path) -> None:
    bench = Bench(ScriptedModel(turn(CLICK), DONE), tmp_path)

    def vanish(event: InputEvent) -> None:
        bench.target.gone = True
        raise TargetError("The display is gone.")

    bench.target.input.before = vanish
    bench.run()
    assert bench.states[-1] == "error" and "display is gone" in bench.of(say.Error)[-1].message
    bench.target.input.before = lambda event: None
    bench.run("again")
    assert bench.states[-1] == "done" and bench.target.started == 2


def test_a_display_that_changes_size_makes_the_rest_stale(tmp_path: Path) -> None:
    model = ScriptedModel(turn(CLICK, {"op": "click", "x": 20, "y": 20}), DONE)
    bench = Bench(model, tmp_path)

    def resize(event: InputEvent) -> None:
        bench.target.input.layout = Geometry((Rect(0, 0, 640, 480),), epoch=2)

    bench.target.input.after = resize
    bench.run()
    assert [deed.outcome for deed in model.asked[1].deeds] == ["refused", "skipped"]
    assert not bench.target.input.down
    assert model.seen[1].viewport.epoch == 2


def test_a_full_disk_stops_before_anything_is_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    bench = Bench(ScriptedModel(turn(CLICK)), tmp_path)
    real = os.write

    def full(file: int, data: bytes) -> int:
        if b'"kind":"intent"' in data:
            raise OSError(28, "No space left on device")
        return real(file, data)

    monkeypatch.setattr(os, "write", full)
    bench.run()
    assert bench.target.input.events == [] and bench.states[-1] == "error"
    assert "cannot be recorded" in bench.of(say.Error)[0].message


@pytest.mark.parametrize("decision", ["approve", "skip", "stop"])
def test_step_mode_asks_before_each_action(decision: str, tmp_path: Path) -> None:
    model = ScriptedModel(turn(CLICK), DONE)
    bench = Bench(model, tmp_path, step_mode="action")

    def answer(event: say.FeedEvent) -> None:
        if isinstance(event, say.ApprovalAsked):
            assert not bench.target.input.events, "nothing is done before the yes"
            match decision:
                case "approve":
                    bench.session.approve(event.id)
                case "skip":
                    bench.session.skip(event.id)
                case _:
                    bench.session.stop()

    bench.on_event = answer
    bench.run()
    asked = bench.of(say.ApprovalAsked)[0]
    assert asked.exact == ("click(left) at 10,10",) and asked.window == "Paper" and asked.picture
    assert bool(bench.target.input.events) == (decision == "approve")
    assert bench.states[-1] == ("stopped" if decision == "stop" else "done")
    if decision == "skip":
        assert model.asked[1].deeds[0].detail == "The user said no."


def test_an_answer_to_another_question_is_no_yes(tmp_path: Path) -> None:
    bench = Bench(ScriptedModel(turn(CLICK)), tmp_path, step_mode="action")

    def answer(event: say.FeedEvent) -> None:
        if isinstance(event, say.ApprovalAsked):
            bench.session.approve("0" * 24)
            threading.Timer(0.1, bench.session.stop).start()

    bench.on_event = answer
    bench.run()
    assert bench.target.input.events == []


def test_waiting_needs_no_yes(tmp_path: Path) -> None:
    bench = Bench(ScriptedModel(turn({"op": "wait", "seconds": 0}), DONE), tmp_path, step_mode="action")
    bench.run()
    assert bench.states[-1] == "done" and not bench.of(say.ApprovalAsked)


def test_plan_mode_asks_once_for_each_step(tmp_path: Path) -> None:
    plan = {"high_level": ["One", "Two"]}
    model = ScriptedModel(
        turn(CLICK, **plan, step=1),
        turn({"op": "move", "x": 3, "y": 3}, **plan, step=1),
        turn(CLICK, **plan, step=2),
        DONE,
    )
    bench = Bench(model, tmp_path, step_mode="plan")
    bench.on_event = lambda e: bench.session.approve(e.id) if isinstance(e, say.ApprovalAsked) else None
    bench.run()
    assert [e.words for e in bench.of(say.ApprovalAsked)] == ["One", "Two"]


def asked_in_plan_mode(folder: Path, *texts: str) -> list[say.ApprovalAsked]:
    """What is asked in a run whose every question is answered by a yes."""
    bench = Bench(ScriptedModel(*texts), folder, step_mode="plan")
    bench.on_event = lambda e: bench.session.approve(e.id) if isinstance(e, say.ApprovalAsked) else None
    bench.run()
    assert bench.states[-1] == "done"
    return bench.of(say.ApprovalAsked)


def test_plan_mode_without_a_plan_asks_each_time(tmp_path: Path) -> None:
    move = {"op": "move", "x": 3, "y": 3}
    asked = asked_in_plan_mode(tmp_path, turn(CLICK), turn({"op": "wait", "seconds": 0}), turn(move), DONE)
    assert [e.words for e in asked] == ["Click at 10,10", "Move the pointer"]
    assert all("there is no plan" in e.why for e in asked)


def test_one_yes_covers_only_a_few_batches_of_a_step_that_never_ends(tmp_path: Path) -> None:
    plan = {"high_level": ["One", "Two"], "step": 1}
    batches = [
        turn({"op": "move", "x": 3, "y": y}, {"op": "move", "x": 4, "y": y}, **plan)
        for y in range(2 * BATCHES_A_YES + 1)
    ]
    asked = asked_in_plan_mode(tmp_path, *batches, DONE)
    assert [e.words for e in asked] == ["One"] * 3
    assert "before each plan step" in asked[0].why
    assert all(f"not moved on for {BATCHES_A_YES} batches" in e.why for e in asked[1:])


def test_waiting_and_looking_use_up_no_yes(tmp_path: Path) -> None:
    plan = {"high_level": ["One"], "step": 1}
    idle = [turn({"op": "wait", "seconds": 0}, {"op": "look"}, **plan)] * BATCHES_A_YES
    asked = asked_in_plan_mode(tmp_path, turn(CLICK, **plan), *idle, turn(CLICK, **plan), DONE)
    assert [e.words for e in asked] == ["One"]


def test_what_is_held_between_press_and_release_is_asked_for_as_one(tmp_path: Path) -> None:
    drag: list[dict[str, Any]] = [
        {"op": "mouse_down", "x": 5, "y": 5},
        {"op": "move", "x": 50, "y": 50},
        {"op": "mouse_up"},
    ]
    bench = Bench(ScriptedModel(turn(*drag, CLICK), DONE), tmp_path, step_mode="action")
    bench.on_event = lambda e: bench.session.approve(e.id) if isinstance(e, say.ApprovalAsked) else None
    bench.run()
    assert [len(e.exact) for e in bench.of(say.ApprovalAsked)] == [3, 1]


def test_pausing_holds_back_what_was_planned_and_resuming_looks_again(tmp_path: Path) -> None:
    model = ScriptedModel(turn(CLICK), DONE)
    bench = Bench(model, tmp_path)
    model._wait = lambda stop: bench.session.pause() if len(model.asked) == 1 else None

    def resume(event: say.FeedEvent) -> None:
        if isinstance(event, say.Status) and event.state == "paused":
            assert not bench.target.input.events
            bench.session.resume()

    bench.on_event = resume
    bench.run()
    assert "paused" in bench.states and bench.states[-1] == "done"
    assert bench.target.input.events == [] and len(bench.of(say.LookTaken)) == 2


def test_words_said_while_working_reach_the_model(tmp_path: Path) -> None:
    model = ScriptedModel(turn(CLICK), DONE)
    bench = Bench(model, tmp_path)
    model._wait = lambda stop: bench.session.send("use the other one") if len(model.asked) == 1 else None
    bench.run()
    assert model.asked[1].said == ((2, "use the other one"),)
    assert "use the other one" in model.asked[1].text


def test_our_own_window_is_not_touched(tmp_path: Path) -> None:
    model = ScriptedModel(turn(CLICK), DONE)
    bench = Bench(model, tmp_path, own_pids=(77,))
    bench.target.input.windows = [(Rect(0, 0, 50, 50), 77)]
    bench.run()
    assert model.asked[1].deeds[0].outcome == "refused" and bench.target.protected == (77,)
    assert not any(isinstance(event, ButtonDown) for event in bench.target.input.events)


def test_a_region_confines_looking_and_acting(tmp_path: Path) -> None:
    model = ScriptedModel(turn(CLICK), turn({"op": "click", "x": 250, "y": 10}), DONE)
    bench = Bench(model, tmp_path, region=Rect(50, 60, 200, 100))
    bench.run()
    assert model.seen[0].frame.region == Rect(50, 60, 200, 100)
    assert next(e.exact for e in bench.of(say.Action)) == "click(left) at 60,70"
    assert model.asked[2].deeds[-1].outcome == "refused"


def test_a_closer_look_is_at_that_region(tmp_path: Path) -> None:
    look = {"op": "look", "region": {"x": 100, "y": 50, "width": 40, "height": 30}}
    model = ScriptedModel(turn(look), turn(CLICK), DONE)
    bench = Bench(model, tmp_path)
    bench.run()
    assert model.seen[1].frame.region == Rect(100, 50, 40, 30)
    assert bench.of(say.Action)[0].exact == "click(left) at 110,60"
    assert model.seen[2].frame.region == Rect(0, 0, 800, 600)


def test_the_model_can_ask_fail_and_stop(tmp_path: Path) -> None:
    asks = Bench(ScriptedModel(turn({"op": "ask", "question": "Which?"}), DONE), tmp_path)
    asks.on_event = lambda e: asks.session.send("The first") if isinstance(e, say.Question) else None
    asks.run()
    assert asks.states[-1] == "done" and "waiting_for_user" in asks.states
    fails = Bench(ScriptedModel(turn({"op": "fail", "reason": "No such thing"})), tmp_path)
    fails.run()
    assert fails.states[-1] == "error"
    stops = Bench(ScriptedModel(turn({"op": "stop"})), tmp_path)
    stops.run()
    assert stops.states[-1] == "stopped"


def test_a_question_carries_its_choices_to_listeners_and_log(tmp_path: Path) -> None:
    ask = {"op": "ask", "question": "Which?", "choices": ["The first", "The second"]}
    model = ScriptedModel(turn(ask), DONE)
    bench = Bench(model, tmp_path)
    bench.on_event = lambda e: bench.session.send(e.choices[1]) if isinstance(e, say.Question) else None
    bench.run()
    (asked,) = bench.of(say.Question)
    assert asked.choices == ("The first", "The second")
    assert model.asked[1].said == ((1, "The second"),) and "The first" in model.asked[1].notes[-1]
    assert bench.states[-1] == "done" and bench.states.count("done") == 1
    (log,) = tmp_path.rglob("events.jsonl")
    logged = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    assert [each["data"]["choices"] for each in logged if each["kind"] == "question"] == [list(asked.choices)]


@pytest.mark.parametrize(
    ("answer", "own"),
    [("Open evil.example", False), (" Open evil.example ", False), ("Open evil.example now", True)],
)
def test_a_choice_of_the_models_grants_nothing_when_it_is_picked(
    answer: str, own: bool, tmp_path: Path
) -> None:
    ask = {"op": "ask", "question": "What now?", "choices": ["Open evil.example", "Nothing"]}
    model = ScriptedModel(turn(ask), DONE)
    bench = Bench(model, tmp_path)
    bench.on_event = lambda e: bench.session.send(answer) if isinstance(e, say.Question) else None
    bench.run("go on")
    assert model.asked[1].said == ((1, answer),)
    assert any("evil.example" in word for each in bench.of(say.ScopeSet) for word in each.words) == own


@pytest.fixture
def own_secrets() -> Iterator[None]:
    """The secrets that a test marks are hidden in no other test of this process."""
    redactor.cache_clear()
    yield
    redactor.cache_clear()


@pytest.mark.usefixtures("own_secrets")
@pytest.mark.parametrize("marked", [" of the model's", "evil.example", "Open evil"])
def test_a_choice_that_marks_a_secret_grants_nothing_either(marked: str, tmp_path: Path) -> None:
    offered = f"Open evil.example or www.evil.example {{{{secret:{marked}}}}}"
    model = ScriptedModel(turn({"op": "ask", "question": "What now?", "choices": [offered]}), DONE)
    bench = Bench(model, tmp_path)
    bench.on_event = lambda e: bench.session.send(e.choices[0]) if isinstance(e, say.Question) else None
    bench.run("go on")
    ((_, said),) = model.asked[1].said
    assert "{{secret:" in said and marked not in said
    assert not any("evil.example" in word for each in bench.of(say.ScopeSet) for word in each.words)


def test_tokens_and_turns_are_counted(tmp_path: Path) -> None:
    bench = Bench(ScriptedModel(turn(CLICK), DONE), tmp_path)
    bench.run()
    last = bench.of(say.Usage)[-1]
    assert (last.step, last.max_steps, last.input_tokens, last.cached_tokens) == (2, 20, 20, 10)
    turns = bench.of(say.Turn)
    assert all(t.total >= t.look + t.model for t in turns) and len(turns) == 2
