"""ESC at the human's own display while the agent works a place through a VNC server: what still arrives there afterwards."""

from __future__ import annotations

import random
import select
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from benchmarks.report import BenchmarkError, Figure, Goal, counted, measured
from desktop_agent.protocol import ops
from tests.support import rfb, worked_afar
from tests.support.acting import Order
from tests.support.agent import Agent
from tests.support.desk import LabDesk
from tests.support.held import Held
from tests.support.observer import Kind, Observer, Record
from tests.support.worked_afar import Afar

TRIALS, QUICK = 100, 3
ESCAPE_CODE = 9
HELD_SECONDS = 0.06
EVENTS = 60
"""The most of its events after which ESC comes."""
WORK: tuple[tuple[ops.Op, ...], ...] = (
    (ops.Type("The quick brown Fox jumps over 13 lazy dogs. " * 200),),
    tuple(
        ops.Drag((ops.Spot(900, 300 + n % 2 * 200), ops.Spot(1200, 400), ops.Spot(900, 600)), "left", ("shift",))
        for n in range(20)
    ),
)  # fmt: skip


class Trial(NamedTuple):
    """One press: milliseconds from it to the last event in the place (0 for none after it), keys pressed there after it by the X servers' clocks, what was held, how it ended, how often
    guard and hand have each noticed ESC by themselves."""

    milliseconds: float
    keys: int
    held: int
    outcome: str
    guard: int
    hand: int


def figures(quick: bool, notes: list[str]) -> Iterator[Figure]:
    """For each place that can be made here; the others are told in the notes. `quick`: without containers, whose start takes longer."""
    with LabDesk() as desk:
        for afar in worked_afar.every(notes, () if quick else worked_afar.ENGINES):
            found = trials(desk, afar, QUICK if quick else TRIALS)
            times = [each.milliseconds for each in found]
            typed = [float(each.keys) for each in found]
            missed = sum(each.outcome != "stopped" for each in found)
            held = sum(each.held for each in found)
            none = Goal(0.0)
            yield measured(f"ESC to last event, {afar.name}", times, "ms", Goal(50.0, "max"))
            yield measured(f"keys after ESC, {afar.name}", typed, "keys", Goal(2.0, "max"))
            yield counted(f"ESC missed, {afar.name}", missed, len(found), "presses", none)
            for ear in ("guard", "hand"):
                alone = sum(not getattr(each, ear) for each in found)
                yield counted(
                    f"ESC missed by the {ear} alone, {afar.name}", alone, len(found), "presses", none
                )
            yield counted(f"keys and buttons held afterwards, {afar.name}", held, len(found), "inputs", none)


def trials(desk: LabDesk, afar: Afar, count: int) -> list[Trial]:
    """So many presses, at the same moments every time."""
    chance = random.Random(afar.name)  # noqa: S311 - when to press, nothing secret
    down = Held(afar.environment)
    try:
        with (
            Observer(desk.environment) as near,
            Observer(afar.environment) as far,
            desk.human() as human,
            Agent(afar.target, desk.environment) as agent,
        ):
            found = []
            for number in range(count):
                near.clear()
                far.clear()
                agent.begin(Order(WORK[number % len(WORK)]))
                far.until_count(chance.randint(1, EVENTS))
                human.key_event(rfb.ESCAPE, True)
                select.select([], [], [], HELD_SECONDS)
                human.key_event(rfb.ESCAPE, False)
                ending = agent.end()
                pressed = _escape(near.sync())
                agent.reset()
                after = [each for each in far.sync() if each.at > pressed.at]
                # When a busy observer hears of an event is not when it came: both X servers count the same milliseconds.
                late = [each for each in after if each.server_time > pressed.server_time]
                found.append(
                    Trial(
                        1000 * max((each.at - pressed.at for each in after), default=0.0),
                        sum(each.kind is Kind.KEY_PRESS for each in late),
                        len(down.down()),
                        ending.outcome,
                        ending.guard,
                        ending.hand,
                    )
                )
            return found
    finally:
        down.close()


def _escape(records: Sequence[Record]) -> Record:
    for record in records:
        if record.kind is Kind.KEY_PRESS and record.detail == ESCAPE_CODE:
            return record
    raise BenchmarkError("the observer saw no ESC")
