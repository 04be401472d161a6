"""The states that runs tell follow each other as `NEXT_STATES` says, whatever becomes of the run."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any, get_args

import pytest

from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.agent_events import NEXT_STATES, FeedEvent, State
from desktop_agent.protocol.batch import OpResult
from desktop_agent.protocol.errors import HandError
from tests.support.memory_desk import Bench, ScriptedModel

CLICK = {"op": "click", "x": 10, "y": 10}


def turn(*actions: dict[str, Any]) -> str:
    return json.dumps({"high_level": ["Click it"], "actions": actions})


DONE = turn({"op": "done", "summary": "All done."})
ASK = turn({"op": "ask", "question": "Which one?"})
Answer = Callable[[Bench, FeedEvent], None]


def approve(bench: Bench, event: FeedEvent) -> None:
    if isinstance(event, say.ApprovalAsked):
        bench.session.approve(event.id)


def refuse(bench: Bench, event: FeedEvent) -> None:
    if isinstance(event, say.ApprovalAsked):
        bench.session.skip(event.id)


def speak(bench: Bench, event: FeedEvent) -> None:
    if isinstance(event, say.Question):
        bench.session.send("the first one")


def pause_once(bench: Bench, event: FeedEvent) -> None:
    if isinstance(event, say.Action) and event.number == 1:
        bench.session.pause()
    if isinstance(event, say.Status) and event.state == "paused":
        bench.session.resume()


def stop(bench: Bench, event: FeedEvent) -> None:
    if isinstance(event, say.Action | say.Question):
        bench.session.stop()


def nothing(bench: Bench, event: FeedEvent) -> None:
    pass


RUNS: dict[str, tuple[tuple[str, ...], Answer, str, list[str]]] = {
    "done": ((turn(CLICK), DONE), nothing, "off", ["planning", "executing", "planning", "done"]),
    "failed": ((turn({"op": "fail", "reason": "no"}),), nothing, "off", ["planning", "error"]),
    "stopped": ((turn(CLICK),), stop, "off", ["planning", "executing", "stopped"]),
    "stopped over a question": ((ASK,), stop, "off", ["planning", "waiting_for_user", "stopped"]),
    "question": ((ASK, DONE), speak, "off", ["planning", "waiting_for_user", "planning", "done"]),
    "unusable": (
        ("no", "no", "no", DONE), speak, "off", ["planning", "waiting_for_user", "planning", "done"],
    ),
    "paused": (
        (turn(CLICK), DONE), pause_once, "off", ["planning", "executing", "paused", "planning", "done"],
    ),
    "approval": (
        (turn(CLICK, CLICK), DONE), approve, "action",
        ["planning", *["waiting_for_user", "executing"] * 2, "planning", "done"],
    ),
    "refusal": (
        (turn(CLICK), DONE), refuse, "action", ["planning", "waiting_for_user", "planning", "done"],
    ),
    "approval by plan step": (
        (turn(CLICK), turn(CLICK), DONE), approve, "plan",
        ["planning", "waiting_for_user", "executing", "planning", "executing", "planning", "done"],
    ),
}  # fmt: skip


def states(bench: Bench) -> list[State]:
    return [each.state for each in bench.of(say.Status)]


def assert_allowed(told: list[State]) -> None:
    wrong = [
        (before, after) for before, after in pairwise(("idle", *told)) if after not in NEXT_STATES[before]
    ]
    assert not wrong


@pytest.mark.parametrize("name", RUNS)
def test_a_run_tells_what_it_does(name: str, tmp_path: Path) -> None:
    texts, answer, mode, expected = RUNS[name]
    bench = Bench(ScriptedModel(*texts), tmp_path, step_mode=mode)  # type: ignore[arg-type]
    bench.on_event = lambda event: answer(bench, event)
    bench.run()
    told = states(bench)
    assert_allowed(told)
    assert told[:2] == ["planning", "planning"], "getting ready, then at work"
    assert told[1:] == expected


def test_a_session_that_goes_on_after_an_error_and_a_stop(tmp_path: Path) -> None:
    bench = Bench(ScriptedModel(turn(CLICK), turn(CLICK), DONE), tmp_path)

    def broken(*_: Any, **__: Any) -> list[OpResult]:
        raise HandError("The hand has ended.")

    whole, bench.hand.execute = bench.hand.execute, broken  # type: ignore[method-assign]
    bench.run()
    assert states(bench)[-1] == "error"
    bench.hand.execute = whole  # type: ignore[method-assign]
    bench.on_event = lambda event: stop(bench, event)
    bench.run()
    assert states(bench)[-1] == "stopped"
    bench.session.reset()
    bench.on_event = lambda event: None
    bench.run()
    assert states(bench)[-1] == "done"
    assert_allowed(states(bench))


def test_every_state_has_a_row_and_is_reached() -> None:
    assert set(NEXT_STATES) == set(get_args(State)) == set().union(*NEXT_STATES.values())
