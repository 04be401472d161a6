"""What a program says to the agent is no word of the user's: it grants nothing and lifts no stop."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from desktop_agent.agent.session import BY_PROGRAM
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.agent_events import FeedEvent
from tests.support.memory_desk import Bench, ScriptedModel

DONE = json.dumps({"actions": [{"op": "done", "summary": "."}]})
CLICK = json.dumps({"actions": [{"op": "click_element", "element": "e1"}]})
GOAL = "Click on Save in paper"


def grants(bench: Bench) -> tuple[str, ...]:
    return bench.of(say.ScopeSet)[-1].grants


def test_a_programs_goal_widens_no_scope(tmp_path: Path) -> None:
    users = Bench(ScriptedModel(DONE), tmp_path / "user")
    users.run(GOAL)
    programs = Bench(ScriptedModel(DONE), tmp_path / "program")
    assert programs.session.send_for("A program", GOAL)
    programs.session.run_next()
    assert "app:paper:act" in grants(users)
    assert not any(each.endswith((":act", ":fill")) for each in grants(programs))
    assert programs.of(say.Goal)[0].text == f"A program: {GOAL}"


def test_a_programs_answer_grants_nothing(tmp_path: Path) -> None:
    ask = json.dumps({"actions": [{"op": "ask", "question": "Where?", "choices": ["paper"]}]})
    bench = Bench(ScriptedModel(ask, DONE), tmp_path)

    def answer(event: FeedEvent) -> None:
        if isinstance(event, say.Question):
            bench.session.send_for("A program", GOAL)

    bench.on_event = answer
    bench.session.send_for("A program", "do it")
    bench.session.run_next()
    assert bench.states[-1] == "done" and not any(each.endswith(":act") for each in grants(bench))


@pytest.mark.parametrize(("reason", "lifted"), [(BY_PROGRAM, True), ("you pressed Stop", False)])
def test_only_its_own_stop_is_lifted(reason: str, lifted: bool, tmp_path: Path) -> None:
    bench = Bench(ScriptedModel(CLICK), tmp_path)

    def stop(event: FeedEvent) -> None:
        if isinstance(event, say.ApprovalAsked):
            bench.session.stop(reason)

    bench.on_event = stop
    bench.session.send_for("A program", "do it")
    bench.session.run_next()
    assert bench.states[-1] == "stopped"
    assert bench.session.send_for("A program", "do it again") is lifted
    bench.session.reset()
    assert bench.session.send_for("A program", "do it again")


def test_the_users_next_goal_lifts_the_stop_for_programs_too(tmp_path: Path) -> None:
    bench = Bench(ScriptedModel(DONE), tmp_path)
    bench.session.stop("ESC was pressed")
    assert not bench.session.send_for("A program", "do it")
    bench.run("tell me the time")
    assert bench.session.send_for("A program", "do it")


def test_a_programs_words_are_no_no_to_a_question(tmp_path: Path) -> None:
    bench = Bench(ScriptedModel(CLICK, DONE), tmp_path)

    def both(event: FeedEvent) -> None:
        if isinstance(event, say.ApprovalAsked):
            bench.session.send_for("A program", "well?")
            bench.session.approve(event.id)

    bench.on_event = both
    bench.session.send_for("A program", "do it")
    bench.session.run_next()
    assert [each.outcome for each in bench.of(say.Result)] == ["done"]
