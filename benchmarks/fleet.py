"""Agents of a fleet that act once a second: what one takes of processor and memory, and what is lost with a node."""

from __future__ import annotations

import importlib.util
import tempfile
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from benchmarks.report import BenchmarkError, Figure, Goal, Report, counted, measured, report
from desktop_agent.extras.fleet.desktop_actor import Launch
from desktop_agent.extras.fleet.dispatcher import Told
from desktop_agent.extras.fleet.fleet_folder import LOG, FleetFolder, GoalResult, events
from desktop_agent.extras.fleet.fleet_run import FleetOptions, run_fleet
from desktop_agent.extras.fleet.goals_file import FleetGoal
from tests.support import fleet_program, fleet_stand_in
from tests.support.ray_nodes import RayNodes, gone, ray_nodes
from tests.support.waiting import until

NONE = Goal(0)
GOALS, FREE = 20, 8
"""In the fleet of which a node is killed, and how many of them have ended by then."""
ACTED = 3
"""Texts that every agent has typed before it is looked at."""
_MARK = b"XDG_DATA_HOME="
_OURS = "desktop-agent-fleet-"


class Used(NamedTuple):
    """What the processes of one agent use: seconds of processor so far, and megabytes that are their own share."""

    seconds: float
    megabytes: float


def run(quick: bool) -> Report:
    """On three nodes of this machine with two desktops each, the nodes' own processes beside it."""
    for package in ("ray", "psutil"):
        if importlib.util.find_spec(package) is None:
            raise BenchmarkError(f"the package {package} is not installed")
    seconds = 4.0 if quick else 20.0
    with ray_nodes(3) as nodes, tempfile.TemporaryDirectory() as folder:
        found: list[Figure] = []
        for agents in (2,) if quick else (1, 2, 4, 6):
            found += _agents(nodes, Path(folder) / str(agents), agents, seconds)
        return report("fleet", *found, *_killed(nodes, Path(folder) / "killed"), notes=_notes(nodes))


def _worked(nodes: RayNodes, folder: Path, goals: Sequence[FleetGoal], launch: Launch, at_once: int) -> list[GoalResult]:  # fmt: skip
    with FleetFolder(folder / "out") as out:
        run_fleet(goals, out, FleetOptions(nodes.address, at_once), launch, Told(), 1)
        return list(out.results(goals).values())


def _agents(nodes: RayNodes, folder: Path, agents: int, seconds: float) -> list[Figure]:
    """So many agents at work at once, looked at from outside for so long once all of them act."""
    words = fleet_program.typing_goal(int(1.4 * seconds) + 2 * ACTED)
    goals = [FleetGoal(f"g{number}", words, words, "display", "offline") for number in range(agents)]
    watch = _Watch(agents, seconds)
    watching = threading.Thread(target=watch.look)
    watching.start()
    results = _worked(nodes, folder, goals, fleet_program.launch, agents)
    watching.join()
    if any(each.exit_code for each in results) or not watch.shares:
        raise BenchmarkError(f"an agent failed: {[each.summary for each in results]} {watch.fault}")
    named = f"{agents} at once" if agents > 1 else "alone"
    return [
        measured(f"texts typed a second, each agent, {named}", watch.rates, "1/s"),
        measured(f"processor, each agent, {named}", watch.shares, "% of a core"),
        measured(f"memory (PSS), each agent, {named}", watch.megabytes, "MB"),
    ]


class _Watch:
    """Looks at all agents twice; each figure has a sample an agent."""

    def __init__(self, agents: int, seconds: float) -> None:
        self._agents, self._seconds = agents, seconds
        self.rates: list[float] = []
        self.shares: list[float] = []
        self.megabytes: list[float] = []
        self.fault = ""

    def look(self) -> None:
        """Returns when it has seen all; `fault` says why it has not."""
        try:
            folders = until(self._all_act, "every agent acts", 120.0)
            before, typed, began = _used(), [_typed(each) for each in folders], time.monotonic()
            threading.Event().wait(self._seconds)
            after, lasted = _used(), time.monotonic() - began
            for folder, first in zip(folders, typed, strict=True):
                name = str(folder)
                self.rates.append((_typed(folder) - first) / lasted)
                self.shares.append(100 * (after[name].seconds - before[name].seconds) / lasted)
                self.megabytes.append(after[name].megabytes)
        except (BenchmarkError, KeyError, OSError) as error:
            self.fault = repr(error)

    def _all_act(self) -> list[Path] | None:
        folders = [Path(each) for each in _used()]
        acts = len(folders) == self._agents and all(_typed(each) >= ACTED for each in folders)
        return folders if acts else None


def _used() -> dict[str, Used]:
    """What each agent uses, by its data folder, which all of its processes have in their environment."""
    import psutil

    found: dict[str, list[Used]] = defaultdict(list)
    for process in psutil.process_iter():
        with suppress(psutil.Error, OSError):
            place = _data_folder(process.pid)
            if _OURS in place:
                found[place].append(Used(sum(process.cpu_times()[:4]), process.memory_full_info().pss / 1e6))
    return {
        place: Used(sum(each.seconds for each in used), sum(each.megabytes for each in used))
        for place, used in found.items()
    }


def _data_folder(pid: int) -> str:
    variables = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    return next((each.removeprefix(_MARK).decode() for each in variables if each.startswith(_MARK)), "")


def _typed(data: Path) -> int:
    """Texts that an agent has typed, by the log of its run."""
    lines = [
        line
        for log in data.glob("desktop-agent/runs/*/events.jsonl")
        for line in log.read_bytes().splitlines()
    ]
    return sum(b'"kind":"result"' in line and b'"words":"Typed ' in line for line in lines)


def _killed(nodes: RayNodes, folder: Path) -> list[Figure]:
    """A node is killed in the middle of goals of a stand-in program; what becomes of them."""
    folder.mkdir()
    goals = [_waiting_goal(number, folder) for number in range(1, GOALS + 1)]
    moments: list[float] = []

    def kill() -> None:
        until(lambda: _begun(folder) == FREE + 3 * 2, "all desktops are at work", 120.0)
        workers = nodes.workers(-1)
        journal = fleet_stand_in.journal_of(folder / "journal")
        programs = [each["pid"] for each in journal if each.get("parent") in workers]
        moments.append(time.time())
        nodes.kill_last()
        until(lambda: all(map(gone, programs)), "the programs of that node have ended with it")
        (folder / "gate").touch()

    killing = threading.Thread(target=kill)
    killing.start()
    results = _worked(nodes, folder, goals, fleet_stand_in.launch, 6)
    killing.join()
    what = Counter(each["what"] for each in fleet_stand_in.journal_of(folder / "journal"))
    told = events(folder / "out" / LOG)
    ends = Counter(each["id"] for each in told if each["event"] == "ended")
    noticed = [each["time"] - moments[0] for each in told if each["event"] == "lost"]
    return [
        counted("goals lost when a node is killed", GOALS - len(results), GOALS, "", NONE),
        counted("goals that ended more than once", sum(ends.values()) - len(ends), GOALS, "", NONE),
        counted("goals that ran twice at a time", what["twice"], GOALS, "", NONE),
        counted("goals that were begun anew", what["begun"] - GOALS, GOALS, ""),
        measured("from the kill to its being known", noticed, "s"),
    ]


def _waiting_goal(number: int, folder: Path) -> FleetGoal:
    gate: dict[str, Any] = {"gate": str(folder / "gate")} if number > FREE else {}
    words = fleet_stand_in.words_for(f"g{number}", folder / "journal", **gate)
    return FleetGoal(f"g{number}", words, words)


def _begun(folder: Path) -> int:
    with suppress(msgspec.DecodeError, ValueError):
        return sum(each["what"] == "begun" for each in fleet_stand_in.journal_of(folder / "journal"))
    return 0


def _notes(nodes: RayNodes) -> list[str]:
    import psutil

    memory = []
    for name, pid in nodes.processes():
        with suppress(psutil.Error):
            memory.append((name, psutil.Process(pid).memory_full_info().pss / 1e6))
    total = sum(each for _, each in memory)
    return [f"Ray's own processes of the nodes left: {total:.0f} MB (PSS): " + ", ".join(f"{name} {each:.0f}" for name, each in memory)]  # fmt: skip
