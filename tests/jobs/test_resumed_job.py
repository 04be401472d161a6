"""The whole program is killed three times in one run, at three points of a turn, and goes on each time from its log."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from desktop_agent.agent.runlog.audit import verify
from tests.desk import until
from tests.jobs.commands import ROOT, SECONDS, environment, run
from tests.jobs.scripted import strings
from tests.llm.fake_server import KEY, FakeServer
from tests.support.trusted_config import trusted

pytestmark = [
    pytest.mark.linux("works on an embedded display"),
    pytest.mark.timeout(SECONDS),
]

GOAL = "move about, then say so"
PLAN = ["Move", "Move on", "Say so"]
FIRST = {"op": "move", "x": 110, "y": 90}
SECOND = {"op": "move", "x": 220, "y": 90}
LONG = {"op": "wait", "seconds": 30}


def reply(step: int, *actions: dict[str, Any]) -> str:
    return json.dumps({"notes": f"Step {step}.", "high_level": PLAN, "step": step, "actions": actions})


def config(home: Path, server: FakeServer) -> tuple[str, ...]:
    path = home / "config.toml"
    path.write_text(
        f'[agent]\nmodel = "openai"\n[llm.openai]\nbase_url = "{server.url}/v1"\nstream = false\ncomputer_tool = ""\n'
    )
    return trusted(path)


def killed(home: Path, words: tuple[str, ...], at: Callable[[dict[str, Any]], bool]) -> Path:
    """Start the program and kill it when an event of its feed is the one; the folder of its run."""
    program = subprocess.Popen(
        [sys.executable, "-m", "desktop_agent", "--json", *words],
        cwd=ROOT,
        env=environment(home, OPENAI_API_KEY=KEY),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert program.stdout is not None
    for line in program.stdout:
        if at(json.loads(line)):
            program.send_signal(signal.SIGKILL)
            break
    program.stdout.read()
    assert program.wait() == -signal.SIGKILL
    (folder,) = (home / ".local/share/desktop-agent/runs").iterdir()
    until(lambda: verify(folder).witnessed >= verify(folder).lines - 1, "the head that the guard kept")
    return folder


class Scripted:
    """Answers with the given texts in order; `asked` are the requests."""

    def __init__(self, *answers: str) -> None:
        self.answers, self.asked = list(answers), list[dict[str, Any]]()

    def __call__(self, request: dict[str, Any]) -> str:
        self.asked.append(request)
        return self.answers.pop(0)

    @property
    def told(self) -> str:
        """All words of the last request of the conversation."""
        requests = ["\n".join(strings(each)) for each in self.asked]
        return next(each for each in reversed(requests) if "# Goal" in each)


def test_a_run_killed_three_times_goes_on_where_it_was(tmp_path: Path) -> None:
    model = Scripted(
        reply(1, FIRST),
        reply(2, SECOND, LONG),
        reply(3, {"op": "done", "summary": "I moved."}),
        "nothing",  # to the question what shows that it is done
    )
    with FakeServer(model) as server:
        words = config(tmp_path, server)
        folder = killed(tmp_path, (*words, GOAL), lambda event: event["type"] == "result")
        again = (*words, "--resume", str(folder))

        # After a result: what came of it is known, and it is not done again. This time before the reply.
        killed(tmp_path, again, lambda event: event["type"] == "look")
        assert len(model.asked) == 1, "nobody was asked between the look and the end"

        # After an intent: whether it was carried out is not known.
        killed(tmp_path, again, lambda event: event["type"] == "action" and event["op"] == "wait")
        assert "turn 1: Moved the pointer: done" in model.told
        assert "# The run was interrupted here" in model.told
        assert GOAL in model.told and "[>] 1. Move" in model.told

        ran = run(tmp_path, *again, OPENAI_API_KEY=KEY)
    assert ran.code == 4, ran.story  # that it moved the pointer is nothing that can be checked
    assert "could not check" in ran.of("question")[0]["text"]
    assert "Of one operation it is not known" in ran.of("note")[0]["text"]
    assert "Moving the pointer: stopped: it is not known whether this was carried out" in model.told
    assert '"x": 220' in model.told, "its own words of before are in the conversation"
    assert not ran.of("action"), "nothing is acted again"
    assert verify(folder).certain
    records = [json.loads(line) for line in (folder / "events.jsonl").read_text().splitlines()]
    moves = [each["data"]["number"] for each in records if each["kind"] == "action"]
    assert moves == [1, 2, 3], "each operation was begun once, and they are counted on"
    assert [each["kind"] for each in records].count("goal") == 1
