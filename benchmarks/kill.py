"""Inputs still held after SIGKILL of brain, hand or guard at random points, and how soon they are released."""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from random import Random
from typing import Literal, NamedTuple, Self, TypeAlias, TypeVar

import msgspec

from benchmarks.lab import jobs, together
from benchmarks.lab.brain import Order
from benchmarks.lab.killing import Kill, Seen
from benchmarks.lab.process import LabProcess, started
from benchmarks.report import BenchmarkError, Figure, Goal, Report, counted, measured, report
from desktop_agent.protocol.geometry import Viewport
from desktop_agent.targets import display
from desktop_agent.targets._embedded import EmbeddedDisplay

Victim: TypeAlias = Literal["brain", "hand", "guard"]
VICTIMS: tuple[Victim, ...] = ("brain", "hand", "guard")
KILLS, QUICK_KILLS = 1_002, 24
SEED = 20_261_122
LATEST = 0.3
"""Seconds into a batch by which the kill has come: most batches hold something from early on."""
LEFT = 760
"""Pixels from the left that belong to the terminal; batches click to the right of it."""
READER = ["xterm", "-geometry", "80x24+0+0", "-e", "sh", "-c", "stty raw -echo; exec cat > /dev/null"]
T = TypeVar("T")


class Round(NamedTuple):
    """Who was killed during which kind of batch, and what was seen."""

    victim: Victim
    kind: str
    seen: Seen


def run(quick: bool) -> Report:
    """Kill one after another, each time with a new hand and a new guard; then more than one, with the real brain."""
    alone = _figures(rounds(QUICK_KILLS if quick else KILLS))
    return report("kill", *alone, *together.figures(together.QUICK if quick else together.TRIALS))


def rounds(count: int) -> list[Round]:
    """Carry out that many kills on a display of their own."""
    random = Random(SEED)  # noqa: S311 - the same kills each time
    with ExitStack() as stack:
        target = display.create(display.Options())
        stack.callback(target.stop)
        target.start()
        place = stack.enter_context(_Place(target))
        found = []
        for number in range(count):
            found.append(place.round(VICTIMS[number % len(VICTIMS)], random))
            _show(number + 1, count, found)
        return found


def _show(number: int, count: int, found: Sequence[Round]) -> None:
    if sys.stderr.isatty():
        print(f"\r{number} of {count}, {sum(map(_stuck, found))} held", end="", file=sys.stderr, flush=True)


def _stuck(each: Round) -> bool:
    return each.seen.released is None


def _figures(found: Sequence[Round]) -> list[Figure]:
    held = [each for each in found if each.seen.held and not _stuck(each)]
    mapped = [each for each in found if each.seen.mapped]
    lost = [each for each in mapped if each.seen.restored is None]
    alive = [each for each in found if not each.seen.ended]
    figures = [_still_held(found, None), *(_still_held(found, victim) for victim in VICTIMS)]
    figures += [_release(held, None), *(_release(held, victim) for victim in VICTIMS)]
    back = [each.seen.restored for each in mapped if each.seen.restored is not None]
    if mapped:
        figures.append(counted("key maps not put back", len(lost), len(mapped), "kills", Goal(0)))
    if back:
        figures.append(measured("SIGKILL to the old key map", back, "ms"))
    figures.append(counted("other processes that did not end", len(alive), len(found), "kills", Goal(0)))
    return figures


def _still_held(found: Sequence[Round], victim: Victim | None) -> Figure:
    chosen = [each for each in found if victim in (None, each.victim)]
    name = f"inputs still held after SIGKILL of {victim or 'any'}"
    return counted(name, sum(map(_stuck, chosen)), len(chosen), "kills", Goal(0))


def _release(held: Sequence[Round], victim: Victim | None) -> Figure:
    chosen = [each.seen.released or 0.0 for each in held if victim in (None, each.victim)]
    return measured(f"SIGKILL of {victim or 'any'} to all released", chosen, "ms", Goal(50, "max"))


# ---- the place -------------------------------------------------------------------------------


class _Place:
    """A display with a terminal that reads, an observer, and a brain that waits beside the one at work."""

    def __init__(self, target: EmbeddedDisplay) -> None:
        self._target = target
        self._environment = {**os.environ, **target.environment}
        layout = target.geometry()
        self._viewport = Viewport(layout.bounds, layout.bounds.size, layout.epoch)
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        self._target.launch(READER)
        self._await_reader()
        self._observer = self._start("killing")
        self._brain, self._next = self._start("brain"), self._start("brain")
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def _await_reader(self) -> None:
        for _ in range(600):
            if any(window.application.lower() == "xterm" for window in self._target.windows()):
                return
            select.select([], [], [], 0.05)
        raise BenchmarkError("no terminal came up: apt-get install xterm")

    def _start(self, name: str) -> LabProcess:
        return self._stack.enter_context(started(name, self._environment))

    def round(self, victim: Victim, random: Random) -> Round:
        """One batch, one kill."""
        make = random.choice(jobs.KINDS)
        order = Order(self._target.address(), self._viewport, make(random, LEFT, self._viewport.image))
        self._brain.say(order)
        hand, guard = (int(pid) for pid in self._brain.hear("pids"))
        self._brain.hear("began")
        select.select([], [], [], random.uniform(0, LATEST))
        pids = {"brain": self._brain.pid, "hand": hand, "guard": guard}
        others = tuple(pid for name, pid in pids.items() if name not in (victim, "brain"))
        self._observer.say(Kill(pids[victim], others))
        seen = msgspec.json.decode(self._observer.line(), type=Seen)
        if victim == "brain":
            self._brain, self._next = self._next, self._start("brain")
        else:
            self._brain.hear("over")
        return Round(victim, make.__name__, seen)
