"""Windows swapped between the look and the click: what is refused, what is refused without reason, what it costs."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence

import msgspec

from benchmarks.report import Figure, Goal, Report, counted, measured, report
from benchmarks.swapping import calm, swaps
from benchmarks.swapping.stage import Program, Stage, stage
from benchmarks.swapping.swaps import KINDS, SPREAD, Trial
from desktop_agent.hand.injector.precondition_check import PreconditionCheck
from desktop_agent.platforms.base import Input
from desktop_agent.protocol import ops
from desktop_agent.protocol.batch import Batch, Expect
from desktop_agent.protocol.input_events import ButtonDown, InputEvent, KeyDown
from desktop_agent.targets import display


def run(quick: bool) -> Report:
    """Swap on one private desktop, click in calm applications on another."""
    each, looks = (1, 1) if quick else (25, 30)
    with stage() as desk:
        trials = _swapped(desk, each)
        trials += swaps.pages(desk, 2 if quick else 40)
        costs = _costs(desk, 20 if quick else 300)
    with stage() as desk:
        quiet = calm.work(desk, looks)
    for refusal in quiet.refusals:
        print(f"refused without reason: {refusal}")
    return report("swap", *_figures(trials), *_false(quiet), *costs)


def _swapped(desk: Stage, each: int) -> list[Trial]:
    """Every kind so often before the batch is sent, and as often while the hand is at it."""
    asked, other = Program("asked", desk.environment), Program("other", desk.environment)
    try:
        delays = [delay for _ in range(each) for delay in (None, random.uniform(0, SPREAD))]  # noqa: S311
        return [swaps.trial(desk, asked, other, kind, delay) for kind in KINDS for delay in delays]
    finally:
        asked.close()
        other.close()


def _figures(trials: Sequence[Trial]) -> list[Figure]:
    before = [trial for trial in trials if trial.before]
    during = [trial for trial in trials if not trial.before and not trial.first]
    whole = Goal(1.0, at_least=True)
    kinds = dict.fromkeys(trial.kind for trial in trials)
    return [
        counted("swapped before: refused", _share(before), len(before), "share", whole),
        *(
            counted(f"of that, {KINDS.get(kind, kind)}", _share(mine), len(mine), "share", whole)
            for kind in kinds
            if (mine := [trial for trial in before if trial.kind == kind])
        ),
        counted(
            "what was swapped in and shown got input",
            sum(trial.wrong > 0 for trial in trials),
            len(trials),
            "swaps",
            Goal(0),
        ),
        counted(
            "swapped while acting: refused in time", sum(t.refused for t in during), len(during), "swaps"
        ),
        counted(
            "clicked while the application was about to draw",
            sum(trial.late > 0 for trial in during),
            len(during),
            "swaps",
        ),
        counted(
            "clicked before the swap, and held back by the window manager until it had come",
            sum(trial.held > 0 for trial in during),
            len(during),
            "swaps",
        ),
    ]


def _share(trials: Sequence[Trial]) -> float:
    return sum(trial.refused and not trial.wrong for trial in trials) / max(1, len(trials))


def _false(quiet: calm.Calm) -> list[Figure]:
    total, refused = sum(quiet.done.values()), len(quiet.refusals)
    found = [counted("not swapped: refused all the same", refused / total, total, "share", Goal(0.01))]
    for name, count in quiet.done.items():
        mine = sum(refusal.startswith(f"{name}:") for refusal in quiet.refusals)
        found.append(counted(f"of that, in {name}", mine / count, count, "share"))
    return found


def _costs(desk: Stage, times: int) -> list[Figure]:
    """What the hand does more for one operation: the check before it, and the one at the press or key."""
    hand = display.attach(desk.target.address())
    try:
        looks = [2000 * _seconds(desk.target.scene) for _ in range(times)]
        found = [
            measured(f"more for {name}", [_cost(hand, batch, event) for _ in range(times)], "ms", Goal(2.0))
            for name, batch, event in _batches(desk)
        ]
        return [*found, measured("more for a look: the windows, before and after", looks, "ms")]
    finally:
        hand.close()


def _batches(desk: Stage) -> Iterator[tuple[str, Batch, InputEvent]]:
    observation = desk.look()
    press, key = ButtonDown("left"), KeyDown("a")
    row = max(observation.elements, key=lambda e: e.bounds.width if e.bounds.height < 40 else 0)
    at = row.bounds.center
    yield "a click at a point", desk.batch(desk.look(), ops.Click(400, 300)), press
    element = desk.batch(observation, ops.Click(at.x, at.y))
    yield f"a click on an element, {row.bounds.width}x{row.bounds.height}", element, press
    lit = tuple(_lit(expect) for expect in element.expects)
    yield "the same, where hovering shows", msgspec.structs.replace(element, expects=lit), press
    drag = ops.Drag((ops.Spot(300, 300), ops.Spot(700, 500)))
    yield "a drag", desk.batch(desk.look(), drag), press
    yield "a key", desk.batch(desk.look(), ops.KeyCombo(("a",))), key


def _lit(expect: Expect) -> Expect:
    """As if all colours had been a little lighter when it was looked at."""
    lighter = bytes(min(255, value + 20 if value < 235 else value - 20) for value in expect.pixels)
    return msgspec.structs.replace(expect, pixels=lighter, pointer=None)


def _cost(hand: Input, batch: Batch, event: InputEvent) -> float:
    """Milliseconds."""
    expected = PreconditionCheck(hand)

    def check() -> None:
        expected.begin(batch, 0)
        with expected.kept(event):
            pass

    return 1000 * _seconds(check)


def _seconds(act: Callable[[], object]) -> float:
    began = time.perf_counter()
    act()
    return time.perf_counter() - began
