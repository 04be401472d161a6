"""Inputs still held after SIGKILL of brain, hand or guard at random points, and how soon they are released: in every target."""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from random import Random
from typing import Literal, NamedTuple, Self, TypeAlias, TypeVar

import msgspec

from benchmarks.report import BenchmarkError, Figure, Goal, Report, counted, measured, report
from desktop_agent.protocol.geometry import Viewport
from desktop_agent.targets import display
from desktop_agent.targets._embedded import EmbeddedDisplay
from desktop_agent.targets.base import Target
from tests.support import jobs, together, worked_afar
from tests.support.brain import Order
from tests.support.desk import LabDesk
from tests.support.killing import Kill, Seen
from tests.support.process import LabProcess, started

Victim: TypeAlias = Literal["brain", "hand", "guard"]
VICTIMS: tuple[Victim, ...] = ("brain", "hand", "guard")
KILLS, QUICK_KILLS = 1_002, 24
KILLS_AFAR, QUICK_AFAR = 300, 6
"""In each place that is worked through a VNC server."""
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
    notes: list[str] = []
    alone = _figures(rounds(QUICK_KILLS if quick else KILLS))
    afar = rounds_afar(QUICK_AFAR if quick else KILLS_AFAR, notes)
    return report(
        "kill",
        *alone,
        *(figure for place, found in afar for figure in _figures(found, f", {place}")),
        *together.figures(together.QUICK if quick else together.TRIALS),
        notes=notes,
    )


def rounds(count: int) -> list[Round]:
    """Carry out that many kills on a display of their own."""
    with ExitStack() as stack:
        target = display.create(display.Options())
        stack.callback(target.stop)
        target.start()
        target.launch(READER)
        _await_reader(target)
        environment = {**os.environ, **target.environment}
        return _carried_out(stack.enter_context(_Place(target, environment, environment)), count)


def rounds_afar(count: int, notes: list[str]) -> Iterator[tuple[str, list[Round]]]:
    """As many where the work is done through a VNC server and the human sits at a display of their own; each place's name with its rounds."""
    with LabDesk() as human:
        own = {**os.environ, **human.environment}
        for afar in worked_afar.every(notes):
            with _Place(afar.target, own, {**os.environ, **afar.environment}) as place:
                yield afar.name, _carried_out(place, count)


def _carried_out(place: _Place, count: int) -> list[Round]:
    random = Random(SEED)  # noqa: S311 - the same kills each time
    found: list[Round] = []
    for number in range(count):
        found.append(place.round(VICTIMS[number % len(VICTIMS)], random))
        _show(number + 1, count, found)
    return found


def _await_reader(target: EmbeddedDisplay) -> None:
    for _ in range(600):
        if any(window.application.lower() == "xterm" for window in target.windows()):
            return
        select.select([], [], [], 0.05)
    raise BenchmarkError("no terminal came up: apt-get install xterm")


def _show(number: int, count: int, found: Sequence[Round]) -> None:
    if sys.stderr.isatty():
        print(f"\r{number} of {count}, {sum(map(_stuck, found))} held", end="", file=sys.stderr, flush=True)


def _stuck(each: Round) -> bool:
    return each.seen.released is None


def _figures(found: Sequence[Round], place: str = "") -> list[Figure]:
    held = [each for each in found if each.seen.held and not _stuck(each)]
    mapped = [each for each in found if each.seen.mapped]
    lost = [each for each in mapped if each.seen.restored is None]
    alive = [each for each in found if not each.seen.ended]
    victims = (None,) if place else (None, *VICTIMS)
    figures = [_still_held(found, victim, place) for victim in victims]
    figures += [_release(held, victim, place) for victim in victims]
    back = [each.seen.restored for each in mapped if each.seen.restored is not None]
    if mapped and not place:  # a VNC server changes its map by itself, for keys that it lacks
        figures.append(counted(f"key maps not put back{place}", len(lost), len(mapped), "kills", Goal(0)))
    if back and not place:
        figures.append(measured(f"SIGKILL to the old key map{place}", back, "ms"))
    figures.append(
        counted(f"other processes that did not end{place}", len(alive), len(found), "kills", Goal(0))
    )
    return figures


def _still_held(found: Sequence[Round], victim: Victim | None, place: str) -> Figure:
    chosen = [each for each in found if victim in (None, each.victim)]
    name = f"inputs still held after SIGKILL of {victim or 'any'}{place}"
    return counted(name, sum(map(_stuck, chosen)), len(chosen), "kills", Goal(0))


def _release(held: Sequence[Round], victim: Victim | None, place: str) -> Figure:
    chosen = [each.seen.released or 0.0 for each in held if victim in (None, each.victim)]
    return measured(f"SIGKILL of {victim or 'any'} to all released{place}", chosen, "ms", Goal(50, "max"))


# ---- the place -------------------------------------------------------------------------------


class _Place:
    """A place with a terminal that reads, an observer of its X server, and a brain that waits beside the one at work.

    The brain and its human are at the display that `own` leads to.
    """

    def __init__(self, target: Target, own: Mapping[str, str], watched: Mapping[str, str]) -> None:
        self._target, self._own, self._watched = target, own, watched
        layout = target.geometry()
        self._viewport = Viewport(layout.bounds, layout.bounds.size, layout.epoch)
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        self._observer = self._stack.enter_context(started("killing", self._watched))
        self._brain, self._next = self._start("brain"), self._start("brain")
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def _start(self, name: str) -> LabProcess:
        return self._stack.enter_context(started(name, self._own))

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
        self._observer.say(Kill(pids[victim], others, key_map=self._own is self._watched))
        seen = msgspec.json.decode(self._observer.line(), type=Seen)
        if victim == "brain":
            self._brain, self._next = self._next, self._start("brain")
        else:
            self._brain.hear("over")
        return Round(victim, make.__name__, seen)
