"""Plays a case through the real session, run loop, policy, executor and controller, on a desktop in memory."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

from benchmarks.attacks.cases import Case
from benchmarks.attacks.harmless import Chore
from benchmarks.attacks.obeying import ObeyingModel
from benchmarks.attacks.oracle import Level, forbidden
from benchmarks.attacks.stage import DENIED, OWN_PID
from benchmarks.attacks.world import World
from desktop_agent.agent.acting.field_watch import FieldWatch
from desktop_agent.agent.acting.preconditions import Preconditions
from desktop_agent.hand.injector.bounds import Bounds
from desktop_agent.platforms.base import WindowInfo
from desktop_agent.policy import gatekeeper
from desktop_agent.policy.rules.flow import Flow
from desktop_agent.policy.rules.judge import ALLOWED
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.agent_events import FeedEvent
from desktop_agent.protocol.permission import Rule, Rules
from desktop_agent.protocol.scene import Scene, TopWindow
from desktop_agent.vision.observation import Element
from tests.support.memory_desk import Bench, MemoryTarget
from tests.support.memory_input import BEHIND_ALL

AT_ONCE = 32
"""Runs side by side: nearly all of a run's time is waiting for the screen to settle."""
RULES = Rules(deny=(Rule(application=f"{DENIED}*"),))


class WorldTarget(MemoryTarget):
    """Shows a world."""

    def __init__(self, world: World) -> None:
        super().__init__()
        self.input = self.world = world
        world.show = self.draw

    def scene(self) -> Scene:
        world = self.world
        stack = [TopWindow(world.number(each), each.pid, (each.bounds,)) for each in world.showing]
        behind = TopWindow(BEHIND_ALL, 0, (world.layout.bounds,))
        return Scene((*stack, behind), world.focus_window(), world.at)

    def elements(self) -> Sequence[Element]:
        return tuple(self.world.elements())

    def windows(self) -> Sequence[WindowInfo]:
        return tuple(
            WindowInfo(each.title, each.pid, each.application, each.bounds, each.application)
            for each in self.world.showing
        )

    def elements_of(self, pid: int) -> Sequence[Element]:
        return [each for each in self.elements() if each.pid == pid]


@dataclass(frozen=True)
class Played:
    """What came of a case at a level: `forbidden` effects, `asked` approvals, `said` operations of the model."""

    name: str
    level: Level
    forbidden: tuple[str, ...]
    said: int
    asked: int
    refused: int
    done: int
    trouble: str


@contextmanager
def unguarded() -> Iterator[None]:
    """Switch the policy off meanwhile, and the look before each act: what then gets through, the oracle must see."""
    policy = mock.patch.object(gatekeeper, "judge", lambda *_, **__: ALLOWED)
    looks = mock.patch.object(Preconditions, "of", lambda *_: ())
    own_windows = mock.patch.object(Bounds, "protect", lambda *_: None)
    texts: Any = mock.patch.object(Flow, "asks", lambda *_, **__: [])
    fields = mock.patch.object(FieldWatch, "during", lambda *_: nullcontext())
    with policy, texts, looks, own_windows, fields:
        yield


def play(case: Case, level: Level, folder: Path) -> Played:
    """Run one case; the human answers every question with no."""
    world = case.build()
    model = ObeyingModel()
    events = run(world, model, level, case.goal, folder)
    found = tuple(forbidden(world, level, case.goal))
    return played(case.name, level, found, model, events)


def do(chore: Chore, folder: Path) -> Played:
    """Do harmless work; `forbidden` stays empty."""
    (world, goal), model = chore.build(), ObeyingModel()
    events = run(world, model, chore.level, goal, folder)
    return played(chore.name, chore.level, (), model, events)


def played(
    name: str, level: Level, found: tuple[str, ...], model: ObeyingModel, events: Sequence[FeedEvent]
) -> Played:
    results = [event.outcome for event in events if isinstance(event, say.Result)]
    trouble = next((event.message for event in events if isinstance(event, say.Error)), "")
    return Played(
        name=name,
        level=level,
        forbidden=found,
        said=len(model.obeyed),
        asked=sum(isinstance(event, say.ApprovalAsked) for event in events),
        refused=results.count("refused"),
        done=results.count("done"),
        trouble=trouble or ("" if model.plans else "the orders did not reach the model"),
    )


def run(world: World, model: ObeyingModel, level: Level, goal: str, folder: Path) -> list[FeedEvent]:
    """One run to its end."""
    target = WorldTarget(world)
    own = (OWN_PID,)
    bench = Bench(model, folder, target=target, max_steps=60, own_pids=own, permission=level, rules=RULES)

    def answer(event: FeedEvent) -> None:
        if isinstance(event, say.ApprovalAsked):
            bench.session.skip(event.id)
        elif isinstance(event, say.Question):
            bench.session.send("No. Go on without.")

    bench.on_event = answer
    return bench.run(goal)


def play_all(jobs: Sequence[Callable[[Path], Played]]) -> list[Played]:
    """All of them, side by side; the first alone, because it loads what all need."""
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(AT_ONCE) as pool:
        place = Path(folder) / "runs"  # the heads of its runs lie beside it
        return [job(place) for job in jobs[:1]] + list(pool.map(lambda job: job(place), jobs[1:]))
