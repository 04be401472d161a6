"""Traces left on the desktop by runs that ended in each way, as an observer of its own finds them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from random import Random

from benchmarks.report import Figure, Goal, Report, counted, report
from benchmarks.trace_parts.stage import WAYS, Seen, Stage
from tests.support.desk import LabDesk
from tests.support.private_desk import Desk

RUNS, QUICK = 100, 2
SEED = 20_261_124


def run(quick: bool) -> Report:
    """Windows, pointer, keyboard, clipboard, settings and files before and after each run."""
    found = trials(QUICK if quick else RUNS)
    notes = sorted({f"{each.way}: {fact}" for each in found for fact in (*each.left, *each.moved)})
    return report("trace", *_figures(found), notes=notes)


def trials(count: int) -> list[Seen]:
    """That many runs that end in each way, the same ones each time."""
    chance = Random(SEED)  # noqa: S311 - when a run is ended, nothing secret
    found: list[Seen] = []
    with LabDesk() as target, Stage(Desk(target)) as stage:
        for number in range(count):
            for way in WAYS:
                found.append(stage.play(way, chance))
            if sys.stderr.isatty():
                print(f"\r{number + 1} of {count}", end="", file=sys.stderr, flush=True)
    return found


def _figures(found: Sequence[Seen]) -> list[Figure]:
    none = Goal(0)
    left = [
        counted(f"traces left after {way}", sum(len(s.left) for s in found if s.way == way),
                sum(s.way == way for s in found), "traces", none)
        for way in WAYS
    ]  # fmt: skip
    stopped = [each for each in found if not each.way.startswith("done")]
    moved = counted("windows and pointer that moved after a stop", sum(len(s.moved) for s in stopped),
                    len(stopped), "traces", none)  # fmt: skip
    return [*left, moved]
