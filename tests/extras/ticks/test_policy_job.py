"""A policy program works the embedded display of the whole program, thirty times a second."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.jobs.commands import SECONDS, run
from tests.support.trusted_config import trusted

pytestmark = [
    pytest.mark.linux("works on an embedded display"),
    pytest.mark.timeout(SECONDS),
]

TICKS = 60
POLICY = f"""
import json, sys
sys.stdin.buffer.readline()
while head := sys.stdin.buffer.readline():
    told = json.loads(head)
    sys.stdin.buffer.read(told["bytes"])
    n = told["tick"]
    buttons = ["left"] if 10 <= n < 40 else []
    print(json.dumps({{"x": 100 + 5 * n, "y": 100, "buttons": buttons, "value": n / 100, "done": n == {TICKS - 1}}}), flush=True)
"""


def test_it_draws_a_line(tmp_path: Path) -> None:
    program, config = tmp_path / "policy.py", tmp_path / "config.toml"
    program.write_text(POLICY)
    config.write_text(f"[llm.policy_program]\ncommand = {json.dumps([sys.executable, str(program)])}\n")
    words = ("--target", "display", "--model", "policy_program", *trusted(config))
    ran = run(tmp_path, *words, "draw a line")
    assert ran.code == 0, ran.story
    assert f"after {TICKS} ticks" in ran.of("done")[0]["summary"]
    (log,) = tmp_path.glob(".local/share/desktop-agent/runs/*/events.jsonl")
    records = [json.loads(line) for line in log.read_text().splitlines()]
    ticks = [each for each in records if each["kind"] == "tick"]
    assert [each["data"][3] for each in ticks] == [["left"] if 10 <= n < 40 else [] for n in range(TICKS)]
    assert not [each for each in records if each["kind"] == "tick_refused"]
