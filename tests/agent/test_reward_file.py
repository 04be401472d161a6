"""The number in a file of the workspace is recorded after each action; whatever else is there is recorded as a problem."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from desktop_agent.agent.runlog.hash_chained_log import read
from desktop_agent.agent.runlog.publisher import Feed
from desktop_agent.agent.runlog.reward_file import RewardFile
from desktop_agent.protocol import agent_events as say
from desktop_agent.tools.files import Files
from tests.support.memory_desk import Bench, ScriptedModel

CLICK = {"op": "click", "x": 10, "y": 10}
DONE = {"op": "done", "summary": "ok"}


class Recorded(Feed):
    """Keeps what is recorded."""

    def __init__(self) -> None:
        super().__init__()
        self.kept: list[Any] = []

    def record(self, kind: str, data: object) -> None:
        self.kept.append((kind, data))


def read_from(folder: Path, name: str = "reward.txt") -> dict[str, Any]:
    feed = Recorded()
    RewardFile(Files(folder), name, feed).record(3, 7, 0.25)
    ((kind, data),) = feed.kept
    assert kind == "reward" and (data["turn"], data["action"], data["value"]) == (3, 7, 0.25)
    return dict(data)


@pytest.mark.parametrize(("text", "reward"), [("1.5\n", 1.5), ("-2", -2.0), ("1e-3", 0.001), (" .5 ", 0.5)])
def test_a_number_is_the_reward(text: str, reward: float, tmp_path: Path) -> None:
    (tmp_path / "reward.txt").write_text(text)
    found = read_from(tmp_path)
    assert found["reward"] == reward and "problem" not in found


def link_out(folder: Path) -> None:
    (folder.parent / "private").write_text("5")
    (folder / "reward.txt").symlink_to(folder.parent / "private")


WRONG: list[tuple[Callable[[Path], object], str]] = [
    (lambda folder: None, "There is no file"),
    (lambda folder: (folder / "reward.txt").write_text("well done"), "holds no number: 'well done'"),
    (lambda folder: (folder / "reward.txt").write_text("1e999"), "holds no number"),
    (lambda folder: (folder / "reward.txt").write_text("nan"), "holds no number"),
    (lambda folder: (folder / "reward.txt").write_text(""), "holds no number"),
    (lambda folder: (folder / "reward.txt").write_text("1" * 2_000), "more than 1000 bytes"),
    (lambda folder: (folder / "reward.txt").write_bytes(b"\xff1"), "not UTF-8"),
    (lambda folder: (folder / "reward.txt").mkdir(), "Is a directory"),
    (lambda folder: os.mkfifo(folder / "reward.txt"), "is not a file"),
    (link_out, "leads out of the workspace"),
]


@pytest.mark.linux("makes a pipe and links")
@pytest.mark.parametrize(("make", "why"), WRONG)
def test_whatever_else_is_there_is_recorded_as_a_problem(
    make: Callable[[Path], object], why: str, tmp_path: Path
) -> None:
    folder = tmp_path / "workspace"
    folder.mkdir()
    make(folder)
    found = read_from(folder)
    assert found["reward"] is None and why in found["problem"]


def test_a_path_out_of_the_workspace_is_no_reward(tmp_path: Path) -> None:
    (tmp_path / "reward.txt").write_text("5")
    (tmp_path / "workspace").mkdir()
    assert read_from(tmp_path / "workspace", "../reward.txt")["reward"] is None


def test_it_is_read_after_each_action_of_a_run(tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    texts = [json.dumps({"actions": [each]}) for each in (CLICK, {**CLICK, "x": 20}, DONE)]
    bench = Bench(
        ScriptedModel(*texts), tmp_path / "runs", environments=(Files(workspace),), reward_file="reward.txt"
    )

    def hear(event: object) -> None:
        if isinstance(event, say.Action):
            (workspace / "reward.txt").write_text(f"{event.number / 10}")

    bench.on_event = hear
    bench.run()
    (log,) = (tmp_path / "runs").glob("*/events.jsonl")
    rewards = [each.data for each in read(log) if each.kind == "reward"]
    assert rewards == [
        {"turn": 1, "action": 1, "reward": 0.1, "value": None},
        {"turn": 2, "action": 2, "reward": 0.2, "value": None},
    ]
