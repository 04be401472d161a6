"""Before the first picture of a camera goes to a model elsewhere the user is asked; a no ends the run unseen."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_agent.llm import anthropic, compatible, openai
from desktop_agent.llm.base import Model
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.agent_events import FeedEvent
from desktop_agent.protocol.permission import Level
from tests.agent.test_run_loop import DONE, turn
from tests.support.memory_desk import Bench, MemoryTarget, ScriptedModel

SERVER = "https://api.example"
LOOK = turn({"op": "look"})


class Elsewhere(ScriptedModel):
    """Would send what it is shown."""

    def server(self) -> str:
        return SERVER


def bench_with(folder: Path, model: Model, decision: str, level: Level = "restricted") -> Bench:
    bench = Bench(model, folder, permission=level)

    def answer(event: FeedEvent) -> None:
        if isinstance(event, say.ApprovalAsked):
            getattr(bench.session, decision)(event.id)

    bench.on_event = answer
    bench.target.filmed = True
    return bench


@pytest.mark.parametrize("level", ["simulation_only", "restricted", "full"])
def test_the_user_is_asked_once_before_the_first_picture_leaves(tmp_path: Path, level: Level) -> None:
    bench = bench_with(tmp_path, model := Elsewhere(LOOK, DONE), "approve", level)
    bench.run()
    (asked,) = bench.of(say.ApprovalAsked)
    assert SERVER in asked.words and asked.picture.startswith(b"\xff\xd8") and not asked.lasting
    assert bench.states[-1] == "done" and len(model.asked) == 2


def test_after_a_no_nothing_was_shown(tmp_path: Path) -> None:
    bench = bench_with(tmp_path, model := Elsewhere(DONE), "skip")
    bench.run()
    assert bench.states[-1] == "error" and "not shown to" in bench.of(say.Error)[0].message
    assert model.asked == []


@pytest.mark.parametrize("filmed", [True, False])
def test_nobody_is_asked_where_nothing_leaves(tmp_path: Path, filmed: bool) -> None:
    model = ScriptedModel(DONE) if not filmed else Staying(DONE)
    bench = bench_with(tmp_path, model, "skip")
    bench.target.filmed = filmed
    bench.run()
    assert bench.of(say.ApprovalAsked) == [] and bench.states[-1] == "done"


class Staying(ScriptedModel):
    """Keeps what it is shown on this computer."""

    def server(self) -> str:
        return ""


def test_models_tell_where_pictures_go() -> None:
    assert compatible.create(compatible.Options()).server() == ""
    assert compatible.create(compatible.Options(base_url="https://lan.example:8443/v1")).server() == (
        "https://lan.example:8443"
    )
    assert openai.create(openai.Options()).server() == "https://api.openai.com"
    assert anthropic.create(anthropic.Options()).server() == "https://api.anthropic.com"
    assert "scripted" in ScriptedModel(DONE).server(), "one that does not tell is asked about"


def test_a_screen_is_not_filmed() -> None:
    assert not MemoryTarget().filmed
