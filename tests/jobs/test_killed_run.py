"""The whole program is killed at work: its guard has witnessed the log, and `verify` says what there is to say."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from desktop_agent.agent.runlog.audit import verify
from desktop_agent.agent.runlog.run_names import is_run_name
from tests.desk import until
from tests.jobs.commands import ROOT
from tests.support.trusted_config import trusted

pytestmark = pytest.mark.linux("works on an embedded display")


def start(home: Path) -> subprocess.Popen[str]:
    """The program, working for ever on an embedded display."""
    recording, config = home / "answers.jsonl", home / "config.toml"
    answers = [{"actions": [{"op": "move", "x": 100 + n, "y": 90}]} for n in range(500)]
    recording.write_text("".join(json.dumps(answer) + "\n" for answer in answers))
    config.write_text(f"[llm.replay]\npath = {json.dumps(str(recording))}\n")
    kept = {k: v for k, v in os.environ.items() if k != "DISPLAY" and not k.startswith("XDG_")}
    words = (
        "--json",
        "--target",
        "display",
        "--model",
        "replay",
        *trusted(config),
        "--max-steps",
        "501",
    )
    return subprocess.Popen(
        [sys.executable, "-m", "desktop_agent", *words, "move about"],
        cwd=ROOT,
        env=kept | {"HOME": str(home)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    )


def test_the_guard_vouches_for_a_log_whose_program_was_killed(tmp_path: Path) -> None:
    program = start(tmp_path)
    assert program.stdout is not None
    told = 0
    for line in program.stdout:
        told += '"type":"result"' in line
        if told == 3:
            program.send_signal(signal.SIGKILL)
            break
    rest = program.stdout.read()
    program.wait()
    (log,) = (tmp_path / ".local/share/desktop-agent/runs").glob("*/events.jsonl")
    # A record may be written and not yet told at that moment; all others are witnessed.
    until(lambda: verify(log).witnessed >= verify(log).lines - 1, "the head that the guard kept")
    verdict = verify(log)
    assert verdict.whole and not verdict.certain and "cut short" in verdict.notes[0]
    results = log.read_text().count('"kind":"result"')
    assert results >= 3 + rest.count('"type":"result"')

    run = log.parent
    assert is_run_name(run.name), "the goal is not in it"
    for path in (tmp_path / ".local/share/desktop-agent").rglob("*"):
        assert path.stat().st_mode & 0o077 == 0, path
    moved = run.rename(run.with_name("20990101-000000-0011223344556677"))
    ran = subprocess.run(
        [sys.executable, "-m", "desktop_agent", "verify", str(moved)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 1 and f"moved from {run.name}" in ran.stdout
    moved.rename(run)

    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(lines[: verdict.witnessed - 2]))
    ran = subprocess.run(
        [sys.executable, "-m", "desktop_agent", "verify", str(log.parent)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 1 and "2 records are missing at its end" in ran.stdout
