"""Every goal ends exactly once and is at one desktop at a time, whatever desktops are lost and when."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

from desktop_agent.extras.fleet.desktops import (
    DesktopGone,
    DesktopLost,
    DesktopReady,
    GoalEnded,
    Happening,
    NotWorked,
)
from desktop_agent.extras.fleet.dispatcher import Counts, Dispatcher, Told
from desktop_agent.extras.fleet.ended_goal import EndedGoal
from desktop_agent.extras.fleet.fleet_folder import LOG, FleetFolder, GoalResult, events
from desktop_agent.extras.fleet.goals_file import FleetGoal
from desktop_agent.protocol.errors import TargetError

HOLD = 15.0
Choose = Callable[[Sequence[str]], str]


class PlayedDesktops:
    """Desktops on a played clock; `choose` picks what happens next. A goal that may still go on somewhere is remembered."""

    def __init__(self, choose: Choose) -> None:
        self._choose = choose
        self.now = 0.0
        self.names: dict[str, str] = {}  # what each is at: "opening", "free" or its goal
        self.maybe: dict[str, float] = {}  # until when a goal may still go on at a lost desktop
        self.begun: Counter[str] = Counter()
        self.most = self._opened = 0

    def open(self) -> str:
        self._opened += 1
        self.names[name := f"d{self._opened}"] = "opening"
        self.most = max(self.most, len(self.names))
        return name

    def give(self, desktop: str, arguments: Sequence[str]) -> None:
        goal = arguments[-1]
        assert self.names[desktop] == "free"
        assert goal not in self.names.values(), "it is at another desktop"
        assert self.maybe.get(goal, 0.0) <= self.now, "it may still go on at another desktop"
        self.names[desktop] = goal
        self.begun[goal] += 1

    def recording(self, desktop: str, size: int) -> Iterator[bytes]:
        raise DesktopGone("gone")

    def happenings(self, seconds: float) -> Sequence[Happening]:
        self.now += seconds
        found: list[Happening] = []
        for name, at in list(self.names.items()):
            words = self._choose(("go on", "lose", "lose sight") if at == "free" else ("go on", "end", "lose", "lose sight", "fail"))  # fmt: skip
            if words == "lose":
                found.append(DesktopLost(name, "died"))
            elif words == "lose sight":
                self.maybe[at] = self.now + HOLD
                found.append(DesktopLost(name, "not seen", HOLD))
            elif words == "fail" and at != "opening":
                found.append(NotWorked(name, "no"))
            elif words == "end" and at == "opening":
                self.names[name] = "free"
                found.append(DesktopReady(name, "node"))
            elif words == "end":
                self.names[name] = "free"
                found.append(GoalEnded(name, EndedGoal(0 if at != "bad" else 1, 1.0, recording="r", size=1)))
        return found

    def drop(self, desktop: str) -> None:
        del self.names[desktop]

    def close(self) -> None: ...


def goals(*names: str) -> list[FleetGoal]:
    return [FleetGoal(each, each, each) for each in names]


def dispatched(
    path: Path, desktops: PlayedDesktops, names: Sequence[str], at_once: int = 2, tries: int = 3
) -> Counts:
    with FleetFolder(path) as folder:
        clock = lambda: desktops.now  # noqa: E731
        return Dispatcher(
            goals(*names), desktops, folder, at_once=at_once, tries=tries, told=Told(), clock=clock
        ).run(lambda: False)


def quickly(choices: Sequence[str]) -> str:
    return "end" if "end" in choices else "go on"


def test_all_goals_are_worked_with_no_more_desktops_than_there_is_work_for(tmp_path: Path) -> None:
    desktops = PlayedDesktops(quickly)
    counts = dispatched(tmp_path, desktops, ("a", "bad", "c"), at_once=9)
    assert counts == Counts(2, 1, 0, 0) and desktops.most == 3 and set(desktops.begun.values()) == {1}
    ends = [each for each in events(tmp_path / LOG) if each["event"] == "ended"]
    assert {each["id"]: each["exit_code"] for each in ends} == {"a": 0, "bad": 1, "c": 0}
    assert all("recording was lost" in each["summary"] for each in ends)


@given(some.data())
def test_whatever_is_lost_each_goal_ends_once(
    tmp_path_factory: pytest.TempPathFactory, data: some.DataObject
) -> None:
    path = tmp_path_factory.mktemp("fleet")
    names = [f"g{number}" for number in range(data.draw(some.integers(1, 8)))]
    tries, at_once = data.draw(some.integers(1, 3)), data.draw(some.integers(1, 4))
    left = [60]

    def choose(choices: Sequence[str]) -> str:
        left[0] -= 1
        return data.draw(some.sampled_from(choices)) if left[0] > 0 else quickly(choices)

    desktops = PlayedDesktops(choose)
    try:
        counts = dispatched(path, desktops, names, at_once, tries)
    except TargetError:
        return  # too many in a row
    assert counts.done + counts.failed == len(names) and not counts.running and not counts.left
    told = Counter((each["event"], each["id"]) for each in events(path / LOG))
    for name in names:
        assert told["ended", name] + told["given up", name] == 1
        assert (
            told["started", name] == desktops.begun[name] == told["lost", name] + told["ended", name] <= tries
        )
        assert (path / name / "result.json").exists() == bool(told["ended", name])


def test_a_goal_whose_desktops_are_lost_is_given_up_and_has_no_result(tmp_path: Path) -> None:
    desktops = PlayedDesktops(
        lambda choices: "lose" if desktops.begun and "fail" in choices else quickly(choices)
    )

    def choose(choices: Sequence[str]) -> str:
        return "lose" if any(each == "a" for each in desktops.names.values()) else quickly(choices)

    desktops._choose = choose
    counts = dispatched(tmp_path, desktops, ("a",), at_once=1, tries=2)
    assert counts == Counts(0, 1, 0, 0) and desktops.begun == {"a": 2}
    assert not (tmp_path / "a").exists()


def test_desktops_that_never_come_up_end_the_fleet(tmp_path: Path) -> None:
    with pytest.raises(TargetError, match="one after another, the last one so: died"):
        dispatched(tmp_path, PlayedDesktops(lambda _: "lose"), ("a",))


def test_when_stopped_it_says_what_was_running(tmp_path: Path) -> None:
    desktops = PlayedDesktops(lambda choices: "end" if "go on" in choices and not desktops.begun else "go on")
    with FleetFolder(tmp_path) as folder:
        made = Dispatcher(goals("a", "b"), desktops, folder, at_once=1, tries=3, told=Told())
        counts = made.run(lambda: bool(desktops.begun))
    assert (counts.running, counts.left) == (1, 1)
    assert [each["event"] for each in events(tmp_path / LOG)] == ["started", "stopped"]


def test_results_from_before_are_counted(tmp_path: Path) -> None:
    before = [GoalResult("x", "x", 0, 1, "n", 1), GoalResult("y", "y", 4, 1, "n", 1)]
    with FleetFolder(tmp_path) as folder:
        made = Dispatcher(goals("a"), PlayedDesktops(quickly), folder, at_once=1, tries=3, told=Told(), before=before)  # fmt: skip
        assert made.run(lambda: False) == Counts(2, 1, 0, 0)
