"""A recorded run is played again: its ids name today's elements, and the first difference is told once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from desktop_agent.agent.runlog.audit import verify
from desktop_agent.agent.runlog.hash_chained_log import Record, read
from desktop_agent.agent.verifying.finishing import YES_DONE
from desktop_agent.llm import replay
from desktop_agent.llm.replay.replay_model import AGAIN
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.geometry import Rect
from desktop_agent.protocol.input_events import ButtonDown, InputEvent, Move
from desktop_agent.vision.observation import Element
from tests.support.memory_desk import SAVE, Bench, ReadingModel, ScriptedModel

GOAL = "press and type it"
OTHER = msgspec.structs.replace(SAVE, id="e2", name="Other", bounds=Rect(300, 100, 80, 30))


def turn(*actions: dict[str, Any], **more: Any) -> str:
    return json.dumps({"actions": actions, **more})


PRESS = turn({"op": "click_element", "element": "e1"}, notes="I press Save.")
DONE = turn({"op": "done", "summary": "Pressed."})


def log_in(folder: Path) -> Path:
    (path,) = folder.glob("*/events.jsonl")
    return path


def records(folder: Path, kind: str) -> list[Record]:
    return [each for each in read(log_in(folder)) if each.kind == kind]


def recorded(folder: Path, *answers: str, things: tuple[Element, ...] = (SAVE, OTHER)) -> Path:
    """The log of a run of these answers on a desktop in memory."""
    bench = Bench(ScriptedModel(*answers), folder)
    bench.target.things = things
    bench.run(GOAL)
    assert bench.states[-1] == "done", bench.events
    return log_in(folder)


def played(
    log: Path,
    folder: Path,
    things: tuple[Element, ...] = (SAVE, OTHER),
    goal: str = GOAL,
    **options: Any,
) -> Bench:
    """The log played on a desktop in memory, whose user says that it is done."""
    bench = agreeing(Bench(replay.create(replay.Options(path=str(log), **options)), folder))
    bench.target.things = things
    bench.run(goal)
    return bench


def agreeing(bench: Bench) -> Bench:
    def answer(event: say.FeedEvent) -> None:
        if isinstance(event, say.Question):
            bench.session.send(YES_DONE)

    bench.on_event = answer
    return bench


def remarks(bench: Bench) -> list[str]:
    return [each.text for each in bench.of(say.Note) if "differs" in each.text]


def test_the_same_run_is_played_to_its_end_without_a_remark(tmp_path: Path) -> None:
    bench = played(recorded(tmp_path / "first", PRESS, DONE), tmp_path / "again")
    assert bench.states[-1] == "done" and remarks(bench) == []
    assert [each.words for each in bench.of(say.Result)] == ["Clicked “Save”"]
    assert records(tmp_path / "again", "divergence") == []
    assert verify(log_in(tmp_path / "again")).whole


def test_what_nothing_shows_is_asked_about_at_once(tmp_path: Path) -> None:
    """The recorded run's own model had proved it; what is played can prove nothing, nor try again."""
    bench = played(recorded(tmp_path / "first", PRESS, DONE), tmp_path / "again")
    (question,) = bench.of(say.Question)
    assert "could not check" in question.text
    assert [each.verdict for each in bench.of(say.GoalReached)] != ["verified"]


def test_ids_are_those_of_today(tmp_path: Path) -> None:
    swapped = (msgspec.structs.replace(SAVE, id="e2"), msgspec.structs.replace(OTHER, id="e1"))
    bench = played(recorded(tmp_path / "first", PRESS, DONE), tmp_path / "again", swapped)
    assert [each.words for each in bench.of(say.Result)] == ["Clicked “Save”"] and remarks(bench) == []
    (reply, _) = records(tmp_path / "again", "reply")
    assert '"element": "e2"' in reply.data["raw"], "the new log tells today's ids, so it can be played too"


def test_one_of_several_alike_is_known_by_its_path(tmp_path: Path) -> None:
    first, second = (
        msgspec.structs.replace(SAVE, id=f"e{n}", trail=(0, n), bounds=Rect(100 * n, 100, 80, 30))
        for n in (1, 2)
    )
    log = recorded(tmp_path / "first", PRESS, DONE, things=(first, second))
    between = msgspec.structs.replace(first, id="e3", trail=(0, 0), bounds=Rect(400, 100, 80, 30))
    renamed = (msgspec.structs.replace(second, id="e1"), msgspec.structs.replace(first, id="e2"), between)
    bench = played(log, tmp_path / "again", renamed)
    assert [each.at for each in bench.of(say.Action)] == [first.bounds.center]


def test_the_first_difference_is_told_once_and_recorded(tmp_path: Path) -> None:
    log = recorded(tmp_path / "first", PRESS, turn({"op": "wait", "seconds": 0}), DONE)
    renamed = msgspec.structs.replace(OTHER, name="Another")
    bench = played(log, tmp_path / "again", (SAVE, renamed))
    assert bench.states[-1] == "done"
    (words,) = remarks(bench)
    assert "first in turn 1: the elements" in words and "“Other”" in words and "“Another”" in words
    (record,) = records(tmp_path / "again", "divergence")
    assert record.data["turn"] == 1 and "Another" in record.data["now"]


def test_what_is_not_there_today_is_not_pressed(tmp_path: Path) -> None:
    bench = played(recorded(tmp_path / "first", PRESS, DONE), tmp_path / "again", (OTHER,))
    assert not [each for each in bench.target.input.events if isinstance(each, ButtonDown)]
    assert [each.outcome for each in bench.of(say.Result)] == ["refused"]
    assert "the elements" in remarks(bench)[0]


def test_it_ends_at_the_first_difference_where_that_is_wanted(tmp_path: Path) -> None:
    log = recorded(tmp_path / "first", PRESS, DONE)
    bench = played(log, tmp_path / "again", goal="press Save and type", on_divergence="stop")
    assert bench.states[-1] == "error" and not bench.of(say.Action)
    assert "the goal. Recorded: press and type it. Now: press Save and type" in bench.of(say.Error)[0].message


def test_another_outcome_is_a_difference(tmp_path: Path) -> None:
    log = recorded(tmp_path / "first", PRESS, DONE)
    bench = agreeing(Bench(replay.create(replay.Options(path=str(log))), tmp_path / "again"))
    bench.target.things = (SAVE, OTHER)
    bench.own_pids = (SAVE.pid,)
    bench.__post_init__()
    bench.run(GOAL)
    assert "first in turn 2: what came of the last operations" in remarks(bench)[0]
    assert "Clicked “Save”: done. Now: Clicking “Save”: refused" in remarks(bench)[0]


@pytest.mark.parametrize(("then", "now"), [("It is 9:05", "It is 10:17:33 PM"), ("2026-01-02", "2026-11-24")])
def test_times_and_ids_are_no_difference(then: str, now: str, tmp_path: Path) -> None:
    clock = msgspec.structs.replace(OTHER, name=then)
    log = recorded(tmp_path / "first", PRESS, DONE, things=(SAVE, clock))
    bench = played(log, tmp_path / "again", (SAVE, msgspec.structs.replace(clock, name=now, id="e9")))
    assert bench.states[-1] == "done" and remarks(bench) == []


def test_a_conversation_is_kept_where_the_recorded_run_kept_one(tmp_path: Path) -> None:
    bench = Bench(ReadingModel(PRESS, DONE), tmp_path / "first")
    bench.run(GOAL)
    again = played(log_in(tmp_path / "first"), tmp_path / "again", tuple(bench.target.things))
    assert remarks(again) == [] and again.states[-1] == "done"

    def told(folder: Path) -> list[tuple[str, str]]:
        messages = [each.data for each in records(folder, "message")]
        return [(each["role"], "".join(b.get("text", "") for b in each["content"])) for each in messages]

    first, second = told(tmp_path / "first"), told(tmp_path / "again")
    assert [role for role, _ in first] == [role for role, _ in second]
    assert [text for role, text in first if role == "command"] == [
        text for role, text in second if role == "command"
    ]


class Restless(Bench):
    """Another window comes under the pointer on its way to the first `disturbed` presses."""

    def disturb(self, disturbed: int) -> None:
        left = [disturbed]

        def pop_up(event: InputEvent) -> None:
            if isinstance(event, Move) and left[0]:
                left[0] -= 1
                self.target.input.windows.insert(0, (Rect(0, 0, 800, 600), 100 + left[0]))

        self.target.input.before = pop_up


def presses(bench: Bench) -> int:
    return sum(isinstance(each, ButtonDown) for each in bench.target.input.events)


def disturbed(log: Path, folder: Path, times: int, **options: Any) -> Bench:
    bench = Restless(replay.create(replay.Options(path=str(log), **options)), folder)
    bench.target.things = (SAVE, OTHER)
    bench.disturb(times)
    agreeing(bench).run(GOAL)
    return bench


def test_what_came_too_late_is_given_again_and_told(tmp_path: Path) -> None:
    log = recorded(tmp_path / "first", PRESS, turn({"op": "wait", "seconds": 0}), DONE)
    bench = disturbed(log, tmp_path / "again", 2)
    assert bench.states[-1] == "done" and remarks(bench) == []
    assert [each.outcome for each in bench.of(say.Result)] == ["refused", "refused", "done", "done"]
    assert [each.text for each in bench.of(say.Note) if each.text == AGAIN] == [AGAIN] * 2
    assert [each.data["turn"] for each in records(tmp_path / "again", "repeated")] == [2, 3]
    assert presses(bench) == 1 and records(tmp_path / "again", "divergence") == []


def test_what_always_comes_too_late_ends_the_run(tmp_path: Path) -> None:
    bench = disturbed(recorded(tmp_path / "first", PRESS, DONE), tmp_path / "again", 100)
    assert bench.states[-1] == "error" and presses(bench) == 0
    assert "The screen changed 4 times" in bench.of(say.Error)[0].message


def test_what_came_too_late_when_it_was_recorded_is_not_given_twice(tmp_path: Path) -> None:
    first = Restless(ScriptedModel(PRESS, PRESS, DONE), tmp_path / "first")
    first.target.things = (SAVE, OTHER)
    first.disturb(1)
    first.run(GOAL)
    bench = disturbed(log_in(tmp_path / "first"), tmp_path / "again", 1)
    assert bench.states[-1] == "done" and remarks(bench) == []
    assert presses(bench) == 1 and not records(tmp_path / "again", "repeated")


def test_what_came_too_late_is_a_difference_to_end_at(tmp_path: Path) -> None:
    log = recorded(tmp_path / "first", PRESS, DONE)
    bench = disturbed(log, tmp_path / "again", 1, on_divergence="stop")
    assert (
        bench.states[-1] == "error" and "what came of the last operations" in bench.of(say.Error)[0].message
    )
