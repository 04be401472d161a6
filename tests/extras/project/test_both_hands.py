"""One run with both hands: commands in a sandbox and clicks on a desktop, under one policy, in JSON and in calls of tools."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from desktop_agent.agent.runlog.hash_chained_log import read
from desktop_agent.extras.project.tools import project
from desktop_agent.platforms.posix import bubblewrap
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.input_events import ButtonDown
from tests.extras.project.orchestrator.project_folder import project_in
from tests.support.memory_desk import Bench, ScriptedModel

pytestmark = [
    pytest.mark.linux("a bubblewrap box"),
    pytest.mark.skipif(
        sys.platform == "linux" and not bubblewrap.is_usable(), reason="no box can be made here"
    ),
]


def turn(*actions: dict[str, Any]) -> str:
    return json.dumps({"actions": actions})


def bash(command: str) -> dict[str, Any]:
    return {"op": "run", "environment": "bash", "command": command}


def test_a_command_and_a_click_in_one_reply(tmp_path: Path) -> None:
    folder = project_in(tmp_path)
    environment = project.create(project.Options(folder=str(folder), sandbox="bubblewrap"))
    model = ScriptedModel(
        turn(bash("echo from the sandbox > note.txt"), {"op": "click_element", "element": "e1"}),
        turn(
            {"op": "read_file", "path": "note.txt"},
            {"op": "edit_file", "path": "note.txt", "old": "from", "new": "out of"},
        ),
        turn(bash("cat note.txt; exit 3")),
        turn({"op": "done", "summary": "Both are done."}),
    )
    bench = Bench(model, tmp_path / "runs", environments=(environment,))
    try:
        bench.run("press Save in Paper")
    finally:
        environment.close()
    assert bench.states[-1] == "done", bench.states
    assert any(isinstance(each, ButtonDown) for each in bench.target.input.events)
    assert (folder / "note.txt").read_text() == "out of the sandbox\n"
    assert not bench.of(say.ApprovalAsked), "a command in a sandbox is the user's already"
    results = bench.of(say.Result)
    assert [each.outcome for each in results] == ["done"] * 5 and "out of the sandbox" in results[-1].output
    told = "\n".join(each.text for each in model.asked)
    assert "exit code 3" in told and "  | out of the sandbox" in told
    assert "bash, python, editor" in model.asked[0].text, "a model is told which environments there are"
    kinds = [each.kind for each in read(next((tmp_path / "runs").glob("*/events.jsonl")))]
    assert kinds.count("environment") == kinds.count("response") == 4


def test_without_a_sandbox_each_command_is_asked_about(tmp_path: Path) -> None:
    environment = project.create(project.Options(folder=str(project_in(tmp_path)), sandbox="none"))
    bench = Bench(
        ScriptedModel(turn(bash("touch made")), turn({"op": "done", "summary": "x"})),
        tmp_path / "runs",
        environments=(environment,),
    )

    def say_no(event: say.FeedEvent) -> None:
        if isinstance(event, say.ApprovalAsked):
            bench.session.skip(event.id)

    bench.on_event = say_no
    try:
        bench.run("x")
    finally:
        environment.close()
    (asked,) = bench.of(say.ApprovalAsked)
    assert "touch made" in asked.exact[0] if isinstance(asked.exact, tuple) else "touch made" in str(asked)
    assert not (tmp_path / "project" / "made").exists()
