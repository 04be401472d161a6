"""Trials in which what is under the target changes between the look and the click."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.swapping.stage import News, Program, Stage
from benchmarks.swapping.web import served
from desktop_agent.agent.looking.observer import PATIENCE
from desktop_agent.protocol import ops
from desktop_agent.protocol.batch import Batch, OpResult
from tests.support.waiting import until

KINDS = {
    "relabel": "a button gets another label",
    "page": "another page with another button",
    "popup": "another window pops up",
    "move": "the window moves up",
    "nudge": "the window moves aside",
    "shift": "the window moves by some pixels",
    "resize": "the window changes size and layout",
    "steal": "a new window takes the keyboard",
}
DRAWN = ("relabel", "page", "resize")  # what shows only when the application has drawn it
ARRANGED = ("popup", "move", "nudge", "shift", "resize")  # what the X server does
OURS = ("Cancel", "asked box")
WORDS = "the quick brown fox jumps over the lazy dog"
SPREAD = (
    14.0  # milliseconds after the batch is sent in which a swap may begin: about as long as a click takes
)


@dataclass(frozen=True)
class Trial:
    """What reached the changed thing, counted.

    `late`: before it had drawn itself. `held`: a press made before anything had changed, which the
    window manager held back until something had. `wrong`: all others.
    """

    kind: str
    before: bool
    results: Sequence[OpResult]
    wrong: int
    late: int
    held: int
    first: bool

    @property
    def refused(self) -> bool:
        return any(result.stale for result in self.results)


def trial(stage: Stage, victim: Program, other: Program, kind: str, delay: float | None) -> Trial:
    """One swap, `delay` milliseconds after the batch was sent, or before it when None."""
    batch = _ready(stage, victim, kind)
    swapper = other if kind in ("popup", "steal") else victim
    if delay is None:
        _swap(stage, swapper, kind)
    else:
        swapper.tell(kind, delay)
    results = stage.act(batch)
    shown = (swapper.answer(kind) if delay is not None else {"shown": 0.0})["shown"]
    stage.settle(patience=0.05)
    got = victim.received() + other.received()
    wrong = [news for news in got if news["on"] not in OURS]
    late = [news for news in wrong if delay is not None and kind in DRAWN and news["at"] <= shown + 1]
    held = len(wrong) if kind in ARRANGED and not late and stage.order.pressed_first else 0
    other.do("hide")
    first = _first(got, results)
    return Trial(kind, delay is None, results, len(wrong) - len(late) - held, len(late), held, first)


def _swap(stage: Stage, swapper: Program, kind: str) -> None:
    """Return when it has happened: the window manager moves windows and the keyboard in its own time."""
    focus = stage.focus
    swapper.do(kind)
    if kind in ARRANGED:
        until(lambda: stage.order.changed, f"the swap {kind!r}")
    elif kind == "steal":
        until(lambda: stage.focus != focus, "the keyboard to be taken")
    stage.settle(patience=0.05)


def _first(got: Sequence[News], results: Sequence[OpResult]) -> bool:
    """Everything arrived where it was meant to, before anything changed."""
    return all(result.outcome == "done" for result in results) and all(news["on"] in OURS for news in got)


def _ready(stage: Stage, victim: Program, kind: str) -> Batch:
    victim.do("show")
    victim.do("focus")
    stage.settle(patience=0.05)
    victim.received()
    observation = stage.look()
    stage.order.forget()
    if kind == "steal":
        return stage.batch(observation, ops.Type(WORDS))
    button = stage.find("Cancel", observation)
    middle = button.bounds.center
    way: ops.Op = random.choice((ops.ClickElement(button.id), ops.Click(middle.x + 9, middle.y - 4)))  # noqa: S311
    return stage.batch(observation, way)


def pages(stage: Stage, times: int) -> list[Trial]:
    """Swaps in a page in Chromium that have been drawn before the click: another label, another page."""
    trials = []
    with served() as page:
        stage.launch("Calm page", "chromium", page.address)
        page.drawn("back")
        for number in range(times):
            kind = ("relabel", "navigate")[number % 2]
            stage.settle(patience=PATIENCE)
            observation = stage.look()
            button = stage.find("Cancel", observation)
            middle = button.bounds.center
            way: ops.Op = random.choice((ops.ClickElement(button.id), ops.Click(middle.x + 9, middle.y - 4)))  # noqa: S311
            batch = stage.batch(observation, way)
            page.do(kind)
            stage.settle(patience=0.1)
            results = stage.act(batch)
            page.do("reset" if kind == "relabel" else "back")
            wrong = sum(label != "Cancel" for label in page.pressed)
            trials.append(Trial(f"a page: {kind}", True, results, wrong, 0, 0, False))
            page.pressed.clear()
    return trials
