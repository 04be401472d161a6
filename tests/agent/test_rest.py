"""While nothing is asked there are no processes of ours beside the brain; the next goal finds all as before."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import msgspec
import pytest

from desktop_agent.agent.session import AgentSession
from desktop_agent.hand.client import Hands
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.agent_events import FeedEvent
from desktop_agent.startup import assembly
from desktop_agent.startup.arguments import Arguments
from desktop_agent.support.config import Config
from tests.desk import Desk, until
from tests.support.memory_desk import ScriptedModel

MOVE = json.dumps({"actions": [{"op": "move", "x": 40, "y": 50}]})
DONE = json.dumps({"actions": [{"op": "done", "summary": "ok"}]})


def test_after_a_run_its_processes_end_and_come_back(
    shared_display: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in shared_display.environment.items():
        monkeypatch.setenv(name, value)
    arguments = Arguments(target="local", permission="full")
    settings = assembly.with_arguments(Config(), arguments)
    made = assembly.assemble(settings, arguments, False, (ScriptedModel(MOVE, DONE, MOVE, DONE), ""))
    circumstances = msgspec.structs.replace(made.circumstances, runs_folder=tmp_path, rest_seconds=0.2)
    session = AgentSession(*made._replace(circumstances=circumstances))
    heard: list[FeedEvent] = []
    session.subscribe(heard.append)
    thread = threading.Thread(target=session.serve)
    thread.start()
    try:
        for run in (1, 2):
            session.prepare()
            session.send("move the pointer")
            until(lambda run=run: ends(heard) == run, "the end of the run")  # type: ignore[misc]
            hand = session._hand
            assert isinstance(hand, Hands)
            until(lambda hand=hand: hand.pids == (), "the processes ended")  # type: ignore[misc]
        assert isinstance(hand, Hands)
        session.prepare()
        until(lambda: hand.pids, "the processes brought up by what is typed")
        until(lambda: hand.pids == (), "the processes ended without a goal")
        assert [each.outcome for each in heard if isinstance(each, say.Result)] == ["done", "done"]
    finally:
        session.quit()
        thread.join(20)


def ends(heard: list[FeedEvent]) -> int:
    return sum(isinstance(each, say.Status) and each.state in ("done", "error", "stopped") for each in heard)
