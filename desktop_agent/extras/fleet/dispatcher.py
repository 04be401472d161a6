"""The driver: hands goals out to desktops, gives those that were lost to others, and keeps how each ended.

A goal is at one desktop at a time: it is handed out anew only when its desktop is known to be gone, or, where that
cannot be known, when that desktop's lease has run out.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from desktop_agent.extras.fleet.desktops import (
    DesktopGone,
    DesktopLost,
    DesktopReady,
    Desktops,
    GoalEnded,
    Happening,
    NotWorked,
)
from desktop_agent.extras.fleet.ended_goal import EndedGoal
from desktop_agent.extras.fleet.fleet_folder import FleetFolder, GoalResult, ended_facts
from desktop_agent.extras.fleet.goals_file import FleetGoal
from desktop_agent.protocol.errors import TargetError

IN_VAIN = 5
"""Desktops that may be lost one after another before any has worked, beside one for each that is open at once."""
_LOOK = 0.5


@dataclass
class Task:
    """A goal that has not ended; it is handed out at `not_before`, on the clock of the dispatcher, or later."""

    goal: FleetGoal
    tries: int = 0
    not_before: float = 0.0


@dataclass(frozen=True)
class Counts:
    """How far a fleet is."""

    done: int
    failed: int
    running: int
    left: int


class Told:
    """Who is told how it goes; this one keeps it to itself."""

    def ended(self, result: GoalResult, counts: Counts) -> None:
        """A goal has ended."""

    def lost(self, goal: FleetGoal, node: str, why: str, counts: Counts) -> None:
        """A goal's desktop was lost."""

    def looked(self, counts: Counts) -> None:
        """It goes on; called about twice a second."""


class Dispatcher:
    """Works goals to their ends, with so many desktops at once; a goal whose desktops were lost `tries` times is given up."""

    def __init__(
        self,
        goals: Sequence[FleetGoal],
        desktops: Desktops,
        folder: FleetFolder,
        *,
        at_once: int,
        tries: int,
        told: Told,
        before: Sequence[GoalResult] = (),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._desktops, self._folder, self._told, self._clock = desktops, folder, told, clock
        self._at_once, self._tries = at_once, tries
        self._waiting = deque(Task(each) for each in goals)
        self._nodes: dict[str, str] = {}  # every open desktop, "" where it is not ready
        self._free: deque[str] = deque()
        self._running: dict[str, Task] = {}
        self._in_vain = 0
        self._done = sum(each.exit_code == 0 for each in before)
        self._failed = len(before) - self._done

    @property
    def counts(self) -> Counts:
        """How far it is."""
        return Counts(self._done, self._failed, len(self._running), len(self._waiting))

    def run(self, stopped: Callable[[], bool]) -> Counts:
        """Return when every goal has ended or was given up, or when it was stopped. Raises TargetError, StoreError."""
        while (self._waiting or self._running) and not stopped():
            self._open_or_drop()
            self._hand_out()
            for each in self._desktops.happenings(_LOOK):
                self._take(each)
            self._told.looked(self.counts)
        for task in self._running.values():
            self._folder.note("stopped", id=task.goal.id)
        return self.counts

    def _open_or_drop(self) -> None:
        """Have as many desktops as there is work for."""
        wanted = min(self._at_once, len(self._waiting) + len(self._running))
        while len(self._nodes) < wanted:
            self._nodes[self._desktops.open()] = ""
        while len(self._nodes) > wanted and self._free:
            self._drop(self._free.popleft())

    def _hand_out(self) -> None:
        now = self._clock()
        for task in [each for each in self._waiting if each.not_before <= now]:
            if not self._free:
                return
            desktop = self._free.popleft()
            self._waiting.remove(task)
            task.tries += 1
            self._running[desktop] = task
            self._folder.note("started", id=task.goal.id, node=self._nodes[desktop], number=task.tries)
            self._desktops.give(desktop, task.goal.arguments())

    def _take(self, happening: Happening) -> None:
        desktop = happening.desktop
        if desktop not in self._nodes:
            return
        match happening:
            case DesktopReady():
                self._nodes[desktop] = happening.node
                self._free.append(desktop)
            case GoalEnded():
                self._in_vain = 0
                self._ended(desktop, happening.goal)
            case NotWorked():
                self._lost(desktop, happening.why, 0.0)
            case DesktopLost():
                self._lost(desktop, happening.why, happening.hold)

    def _ended(self, desktop: str, ended: EndedGoal) -> None:
        """Keep how a goal ended before its record is fetched: it is not to be worked again, whatever comes."""
        task = self._running.pop(desktop)
        result = _result(task, ended, self._nodes[desktop])
        self._folder.keep(result)
        result = self._with_recording(desktop, result, ended)
        self._folder.note("ended", **ended_facts(result))
        if result.exit_code == 0:
            self._done += 1
        else:
            self._failed += 1
        if desktop in self._nodes:
            self._free.append(desktop)
        self._told.ended(result, self.counts)

    def _with_recording(self, desktop: str, result: GoalResult, ended: EndedGoal) -> GoalResult:
        """The result as it is kept in the end, with the record beside it or a word on why there is none."""
        if not ended.recording:
            return result
        try:
            self._folder.keep_recording(
                result.id, ended.recording, self._desktops.recording(desktop, ended.size)
            )
            result = replace(result, recording=ended.recording)
        except (DesktopGone, OSError, ValueError) as error:
            words = f"{result.summary} (Its recording was lost: {error})".strip()
            result = replace(result, summary=words)
            self._folder.note("recording lost", id=result.id, why=str(error))
        self._folder.keep(result)
        return result

    def _lost(self, desktop: str, why: str, hold: float) -> None:
        node = self._nodes[desktop]
        task = self._running.pop(desktop, None)
        self._drop(desktop)
        self._in_vain += 1
        if task is not None:
            self._again(task, node, why, hold)
        if self._in_vain >= IN_VAIN + self._at_once:
            raise TargetError(f"Desktops are lost one after another, the last one so: {why}")

    def _again(self, task: Task, node: str, why: str, hold: float) -> None:
        """Have a goal worked anew that was lost, or give it up."""
        self._folder.note("lost", id=task.goal.id, node=node, number=task.tries, why=why)
        if task.tries < self._tries:
            task.not_before = self._clock() + hold
            self._waiting.appendleft(task)
        else:
            self._folder.note("given up", id=task.goal.id, tries=task.tries)
            self._failed += 1
        self._told.lost(task.goal, node, why, self.counts)

    def _drop(self, desktop: str) -> None:
        del self._nodes[desktop]
        if desktop in self._free:
            self._free.remove(desktop)
        self._desktops.drop(desktop)


def _result(task: Task, ended: EndedGoal, node: str) -> GoalResult:
    return GoalResult(
        id=task.goal.id,
        goal=task.goal.shown,
        exit_code=ended.exit_code,
        seconds=ended.seconds,
        node=node,
        tries=task.tries,
        summary=ended.summary,
        cost=ended.dollars,
        cost_complete=ended.dollars_complete,
        steps=ended.steps,
        target=task.goal.target,
        model=task.goal.model,
    )
