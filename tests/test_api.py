"""A foreign program runs an agent with a class of its own, in ten lines."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.jobs.commands import ROOT, environment

pytestmark = pytest.mark.linux("works on an embedded display")

SECONDS = 240
# Only what stands here is the foreign program's.
PROGRAM = """\
from desktop_agent.api import run_agent

class Mine:
    def call(self, messages, kv_cache):
        seen = (kv_cache or []) + [len(messages)]
        print([block["type"] for block in messages[-1]["content"]], seen, flush=True)
        return ANSWERS[min(len(seen), len(ANSWERS)) - 1], seen

print(run_agent(Mine(), "look around").state)
"""
# Nothing shows that somebody has looked around, so its user is asked.
ANSWERING = PROGRAM.replace(
    '"look around")', '"look around", answer=lambda asked: (*asked.choices, "blue")[0])'
)


def ran(tmp_path: Path, *answers: object, program: str = PROGRAM) -> list[str]:
    """The lines that the program prints with these answers of its model."""
    texts = [
        each if isinstance(each, str) else json.dumps({"high_level": ["Look"], "actions": each})
        for each in answers
    ]
    path = tmp_path / "foreign.py"
    path.write_text(f"ANSWERS = {texts!r}\n{program}")
    done = subprocess.run(
        [sys.executable, path],
        cwd=tmp_path,
        env=environment(tmp_path, PYTHONPATH=str(ROOT)),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()


def test_ten_lines_of_a_foreign_program_run_an_agent(tmp_path: Path) -> None:
    move = {"op": "move", "x": 40, "y": 30}
    lines = ran(tmp_path, [move], [{"op": "done", "summary": "Seen."}], program=ANSWERING)
    assert lines[0] == "['text', 'text', 'text', 'image'] [1]"
    assert lines[1].endswith("[1, 3]")  # the conversation has grown, and the cache has come back
    assert lines[-1] == "done"
    (log,) = (tmp_path / ".local/share/desktop-agent/runs").glob("*/events.jsonl")
    kinds = [json.loads(line)["kind"] for line in log.read_text().splitlines()]
    assert {"action", "result", "message", "reply"} <= set(kinds)
    (cache,) = tmp_path.glob(".local/share/desktop-agent/context/Mine/kv_cache.pt")
    assert b"tree" in cache.read_bytes()[:200]


def test_where_nobody_answers_the_run_needs_its_user_and_where_somebody_does_it_goes_on(
    tmp_path: Path,
) -> None:
    asks = [{"op": "ask", "question": "Which colour?", "choices": []}]
    done = [{"op": "done", "summary": "Blue."}]
    assert ran(tmp_path, asks)[-1] == "needs_user"
    assert ran(tmp_path, done)[-1] == "needs_user"
    assert ran(tmp_path, asks, done, program=ANSWERING)[-1] == "done"
