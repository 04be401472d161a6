"""A fleet on a real Ray cluster of three nodes: every goal ends once, also where a node is killed in the middle."""

from __future__ import annotations

import importlib.util
import os
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from desktop_agent.extras.fleet.dispatcher import Counts, Told
from desktop_agent.extras.fleet.fleet_folder import LOG, FleetFolder, events
from desktop_agent.extras.fleet.fleet_run import FleetOptions, run_fleet
from desktop_agent.extras.fleet.goals_file import Defaults, FleetGoal, read_goals
from desktop_agent.protocol.errors import ConfigError
from tests.support import fleet_stand_in as stand_in
from tests.support.ray_nodes import RayNodes, ray_nodes
from tests.support.waiting import until

# Not imported: Ray reads how it is to be set up when it is loaded.
pytestmark = [
    pytest.mark.linux("Ray's nodes are killed as Linux does it"),
    pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="the extra fleet is not installed"),
]
ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def nodes() -> Iterator[RayNodes]:
    with ray_nodes(3) as made:
        yield made


def lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def goals(folder: Path, count: int, **more: Any) -> tuple[FleetGoal, ...]:
    lines = []
    for number in range(1, count + 1):
        gate = {"gate": str(folder / "gate")} if number > more.get("free", count) else {}
        words = stand_in.words_for(f"g{number}", folder / "journal", exit=more.get("exit", 0), **gate)
        lines.append(FleetGoal(f"g{number}", words, words))
    return tuple(lines)


def worked(folder: Path, given: tuple[FleetGoal, ...], nodes: RayNodes, **options: Any) -> Counts:
    chosen = FleetOptions(nodes.address, lease=5.0, **options)
    with FleetFolder(folder / "out") as out:
        counts, stopped = run_fleet(given, out, chosen, stand_in.launch, Told(), 1)
    assert not stopped
    return counts


def begun(folder: Path) -> dict[str, int]:
    return {
        each["name"]: each["pid"]
        for each in stand_in.journal_of(folder / "journal")
        if each["what"] == "begun"
    }


def told(folder: Path) -> Counter[tuple[str, str]]:
    return Counter((each["event"], each["id"]) for each in events(folder / "out" / LOG))


def test_goals_are_worked_at_all_nodes_and_their_records_come_back(nodes: RayNodes, tmp_path: Path) -> None:
    given = goals(tmp_path, 8)
    assert worked(tmp_path, given, nodes) == Counts(8, 0, 0, 0)
    for goal in given:
        folder = tmp_path / "out" / goal.id
        assert (folder / stand_in.RUN / "events.jsonl").read_text() == f"{goal.id}\n"
        assert b'"summary": "' + goal.id.encode() + b' is done"' in (folder / "result.json").read_bytes()
    parents = {
        each["parent"] for each in stand_in.journal_of(tmp_path / "journal") if each["what"] == "begun"
    }
    assert 1 < len(parents) <= 6
    until(lambda: not any(map(lives, parents)), "the actors have ended with their fleet")
    given = (*given, FleetGoal("more", goals(tmp_path, 9)[8].goal, "more"))
    assert worked(tmp_path, given, nodes) == Counts(9, 0, 0, 0)
    assert told(tmp_path) == {(each, goal.id): 1 for goal in given for each in ("started", "ended")}


def test_a_goal_that_failed_is_not_worked_again(nodes: RayNodes, tmp_path: Path) -> None:
    assert worked(tmp_path, goals(tmp_path, 2, exit=4), nodes) == Counts(0, 2, 0, 0)
    assert set(told(tmp_path).values()) == {1}


def test_a_killed_actor_s_goal_is_worked_by_another(nodes: RayNodes, tmp_path: Path) -> None:
    given = goals(tmp_path, 3, free=0)

    def kill() -> None:
        until(lambda: len(begun(tmp_path)) == 3, "all have begun")
        first = next(each for each in stand_in.journal_of(tmp_path / "journal") if each["name"] == "g1")
        os.kill(first["parent"], signal.SIGKILL)
        until(lambda: not lives(first["pid"]), "the program has ended with it")
        (tmp_path / "gate").touch()

    killer = threading.Thread(target=kill)
    killer.start()
    assert worked(tmp_path, given, nodes) == Counts(3, 0, 0, 0)
    killer.join()
    found = told(tmp_path)
    assert found["lost", "g1"] == 1 and found["started", "g1"] == 2
    assert all(found["ended", each.id] == 1 for each in given)


def test_a_node_that_is_killed_in_the_middle_loses_no_goal(nodes: RayNodes, tmp_path: Path) -> None:
    given = goals(tmp_path, 20, free=8)
    lost: set[str] = set()

    def kill() -> None:
        until(lambda: len(begun(tmp_path)) == 14, "eight have ended and six wait")
        workers = nodes.workers(-1)
        there = [each for each in stand_in.journal_of(tmp_path / "journal") if each.get("parent") in workers]
        nodes.kill_last()
        running = {each["name"]: each["pid"] for each in there if int(each["name"][1:]) > 8}
        lost.update(running)
        until(lambda: not any(map(lives, running.values())), "its programs have ended with it")
        (tmp_path / "gate").touch()

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        assert worked(tmp_path, given, nodes) == Counts(20, 0, 0, 0)
    finally:
        killer.join()
        nodes.replace_last()
    found, what = told(tmp_path), Counter(each["what"] for each in stand_in.journal_of(tmp_path / "journal"))
    assert lost and {name for event, name in found if event == "lost"} == lost
    assert all(found["ended", each.id] == 1 for each in given) and not what["twice"]
    assert what["ended"] == 20 and what["begun"] == 20 + len(lost)


def test_a_fleet_that_is_stopped_ends_its_programs_and_goes_on_later(nodes: RayNodes, tmp_path: Path) -> None:
    lines = [stand_in.words_for(f"g{n}", tmp_path / "journal", **({"gate": str(tmp_path / "gate")} if n > 1 else {})) for n in (1, 2, 3)]  # fmt: skip
    (tmp_path / "goals.txt").write_text("".join(f"go {each}\n" for each in lines))
    script = "import sys; from desktop_agent.extras.fleet.commands.fleet import main; from tests.support.fleet_stand_in import launch; sys.exit(main(sys.argv[1:], launch))"
    command = [sys.executable, "-c", script, "run", "--address", nodes.address]
    environ = {**os.environ, "XDG_STATE_HOME": str(tmp_path / "state"), "PYTHONPATH": str(ROOT)}
    first = subprocess.Popen(
        [*command, str(tmp_path / "goals.txt"), "--out", str(tmp_path / "out")],
        cwd=tmp_path, env=environ, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    until(lambda: len(begun(tmp_path)) == 3 or first.poll() is not None, "all have begun", 120)
    until(lambda: list((tmp_path / "out").glob("*/result.json")) or first.poll() is not None, "one has ended")
    first.send_signal(signal.SIGINT)
    said = first.communicate(timeout=120)[0]
    assert first.returncode == 3 and f"fleet run --resume {tmp_path / 'out'}" in said
    assert not any(map(lives, begun(tmp_path).values()))
    (tmp_path / "gate").touch()
    again = subprocess.run(
        [*command, "--resume", str(tmp_path / "out")], cwd=tmp_path, env=environ, check=False
    )
    assert again.returncode == 0
    given = read_goals(tmp_path / "goals.txt", Defaults())
    found = told(tmp_path)
    assert all(found["ended", each.id] == 1 for each in given)
    assert sorted(found["started", each.id] for each in given) == [1, 2, 2]


@pytest.mark.parametrize(
    "address", ["127.0.0.1:1", "ray://127.0.0.1:1", "127.0.0.1:x", "127.0.0.1:99999999999"]
)
def test_a_cluster_that_is_not_there_is_named(address: str, tmp_path: Path) -> None:
    with (
        FleetFolder(tmp_path / "out") as out,
        pytest.raises(ConfigError, match=f"no Ray cluster at {address}"),
    ):
        run_fleet(goals(tmp_path, 1), out, FleetOptions(address), stand_in.launch, Told(), 1)


def test_the_program_itself_on_a_cluster_of_this_machine_alone(tmp_path: Path) -> None:
    (tmp_path / "goals.txt").write_text('wait 1 second\n{"goal": "Dance on the moon", "id": "moon"}\n')
    script = (
        "import sys; from desktop_agent.extras.fleet.commands.fleet import main\n"
        "sys.exit(main(sys.argv[2:], lambda *words, root=sys.argv[1], python=sys.executable: "
        "['/usr/bin/env', 'PYTHONPATH=' + root, python, '-m', 'desktop_agent', *words]))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script, str(ROOT), "run", "goals.txt", "--out", "out", "--model", "offline", "--at-once", "2"],
        cwd=tmp_path, env={**own_environment(), "XDG_STATE_HOME": str(tmp_path / "state"), "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 1 and "1 done, 1 failed, 0 running, 0 left" in ran.stdout, ran.stdout
    assert {
        each["id"]: each["exit_code"] for each in events(tmp_path / "out" / LOG) if each["event"] == "ended"
    } == {
        "0001-wait-1-second": 0,
        "moon": 4,
    }
    assert len(list((tmp_path / "out").glob("*/*/events.jsonl"))) == 2


def own_environment() -> dict[str, str]:
    """What this process has, without what lets it into the cluster of the other tests."""
    return {name: value for name, value in os.environ.items() if not name.startswith("RAY_")}
