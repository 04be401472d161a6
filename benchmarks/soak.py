"""Eight agents at work for half an hour, each on a display of its own: what leaks, and what is not told."""

from __future__ import annotations

import json
import os
import tempfile
import threading
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

from benchmarks.report import Goal, Report, counted, report
from desktop_agent.extras.console.agents.agent_folders import AgentFolders
from desktop_agent.extras.console.agents.roster import Roster
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.agent_events import FeedEvent
from tests.support.served_console import OnDisplays
from tests.support.waiting import until

AGENTS = 8
NONE = Goal(0)
GROWTH = Goal(64)
"""MB that the memory of this process may have grown after the first round."""
STEPS = (
    '{"actions": [{"op": "open", "target": "xterm"}]}',
    '{"actions": [{"op": "move", "x": 300, "y": 300}, {"op": "click"}, {"op": "type", "text": "echo hello"}]}',
    '{"actions": [{"op": "key_combo", "keys": ["ctrl", "c"]}, {"op": "type", "text": "exit\\n"}]}',
    '{"actions": [{"op": "done", "summary": "Done."}]}',
)


class Round:
    """Follows one round: every agent gets a goal, and ends."""

    def __init__(self, roster: Roster) -> None:
        self._roster = roster
        self._lock = threading.Lock()
        self.goals: Counter[str] = Counter()
        self.ends: Counter[str] = Counter()
        self.failed: list[str] = []
        self._take_back = roster.subscribe(self._hear)

    def _hear(self, name: str, event: FeedEvent) -> None:
        with self._lock:
            if isinstance(event, say.Goal):
                self.goals[name] += 1
            if isinstance(event, say.Error):
                self.failed.append(f"{name}: {event.message}")
            if isinstance(event, say.Status) and event.state in ("done", "error", "stopped"):
                self.ends[name] += 1

    def close(self) -> None:
        self._take_back()


def run(quick: bool) -> Report:
    """Half an hour, two minutes with --quick."""
    seconds = 120.0 if quick else 1_800.0
    with tempfile.TemporaryDirectory() as folder:
        return soaked(Path(folder), AGENTS, seconds)


def soaked(folder: Path, agents: int, seconds: float) -> Report:
    """Rounds of goals to so many agents for so long; figures of what was left after the last of them."""
    build = OnDisplays(*STEPS)
    roster = Roster(AgentFolders(folder), build)
    names = [roster.create().name for _ in range(agents)]
    for name in names:
        roster.start(name)
    following = Round(roster)
    began, rounds = time.monotonic(), 0
    before = (0, 0, 0, 0.0)
    while time.monotonic() - began < seconds or rounds < 2:
        rounds += 1
        for name in names:
            model = build.models[name]
            model.texts = list(STEPS)
            model.seen.clear()  # it keeps all that it was shown, which is the test's and not the program's
            model.asked.clear()
            roster.say(name, f"goal {rounds}")
        until(lambda done=rounds: all(following.ends[name] == done for name in names), f"round {rounds}", 300)  # type: ignore[misc]
        if rounds == 1:
            before = _held()
    after = _held()
    following.close()
    lost = sum(following.goals[name] != rounds for name in names)
    unsaid = sum(_goals_in(folder / "context" / name / "original.jsonl") != rounds for name in names)
    roster.close()
    left = sum(each != "main" for each in _children())
    return report(
        "soak",
        counted("rounds", rounds, agents, ""),
        counted("runs that failed", len(following.failed), agents, "", NONE),
        counted("agents that missed an event", lost, agents, "", NONE),
        counted("agents whose conversation lacks a goal", unsaid, agents, "", NONE),
        counted("open files more than after the first round", max(0, after[0] - before[0]), rounds, "", NONE),
        counted("threads more than after the first round", max(0, after[1] - before[1]), rounds, "", NONE),
        counted("processes more than after the first round", max(0, after[2] - before[2]), rounds, "", NONE),
        counted("memory more than after the first round", max(0.0, after[3] - before[3]), rounds, "MB", GROWTH),
        counted("processes left at the end", left, agents, "", NONE),
        notes=following.failed[:5],
    )  # fmt: skip


def _held() -> tuple[int, int, int, float]:
    """Open files, threads and child processes of this process, and its memory in MB."""
    files = len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - as the kernel lists them
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return files, threading.active_count(), len(_children()), pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def _children() -> list[str]:
    found = []
    for task in Path("/proc/self/task").iterdir():
        with suppress(OSError):  # the thread has ended meanwhile
            found += (task / "children").read_text().split()
    return found


def _goals_in(path: Path) -> int:
    lines = [json.loads(each) for each in path.read_text(encoding="utf-8").splitlines()]
    return sum(
        line["role"] == "user"
        and any(str(part.get("text", "")).startswith("goal ") for part in line["content"])
        for line in lines
    )
