"""A job done through a provider's SDK is recorded, and played again on a fresh desktop by the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.jobs.commands import SECONDS, Ran, run
from tests.jobs.scripted import write_and_save
from tests.jobs.test_model_jobs import RULES, WRITE, work
from tests.support.trusted_config import trusted

pytestmark = pytest.mark.timeout(2 * SECONDS + 20)


def play(home: Path, log: Path, goal: str) -> Ran:
    config = home / "config.toml"
    config.write_text("[agent]\nmax_steps = 1_000\n" + RULES.replace("{site}", ""))
    return run(home, *trusted(config), "--model", f"replay:{log}", goal)


def remarks(ran: Ran) -> list[str]:
    return [each["text"] for each in ran.of("note") if "differs" in each["text"]]


def test_a_recorded_job_is_done_again_without_the_model(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    work(home, write_and_save(str(home / "hello.txt")), "openai", "/v1", False, goal=WRITE)
    (log,) = home.glob(".local/share/desktop-agent/runs/*")
    kept = log.rename(tmp_path / "recorded")
    home.rename(tmp_path / "before")
    home.mkdir()

    ran = play(home, kept, WRITE)
    assert ran.code == 0, ran.story
    assert (home / "hello.txt").read_text() == "Hello from desktop-agent"
    # What a starting program shows at which look is a matter of time: at most the looks differ, nothing else.
    assert all("elements" in each or "window" in each for each in remarks(ran)), ran.story
    (again,) = home.glob(".local/share/desktop-agent/runs/*/events.jsonl")
    kinds = [json.loads(line)["kind"] for line in again.read_text().splitlines()]
    assert kinds.count("divergence") == len(remarks(ran)) <= 1
