"""The same clicks with nothing swapped: every refusal is a false one."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.report import BenchmarkError
from benchmarks.swapping.stage import Program, Stage
from desktop_agent.agent.looking.observer import PATIENCE
from desktop_agent.protocol import ops
from desktop_agent.protocol.batch import OpResult
from desktop_agent.protocol.ops import Op
from desktop_agent.vision.observation import Element, Observation
from tests.support.waiting import until

PAGE = Path(__file__).with_name("page.html")
# Debian's settings, in which text cursors blink (an embedded display's own ones stop them).
BLINKING = ("env", "XDG_CONFIG_DIRS=/etc/xdg")
Choose = Callable[[Observation], tuple[Op, ...]]


@dataclass
class Calm:
    """Operations done, and the words of each refusal, by application."""

    done: Counter[str] = field(default_factory=Counter)
    refusals: list[str] = field(default_factory=list)

    def count(self, name: str, results: list[OpResult]) -> None:
        stale = [result for result in results if result.stale]
        self.done[name] += len([result for result in results if result.outcome == "done"]) + len(stale)
        self.refusals += [f"{name}: operation {result.index + 1}: {result.detail}" for result in stale]
        odd = [result for result in results if result.outcome in ("failed", "stopped") or _other(result)]
        if odd:
            raise BenchmarkError(f"{name}: an operation was {odd[0].outcome}: {odd[0].detail}")


def _other(result: OpResult) -> bool:
    return result.outcome == "refused" and not result.stale


def work(stage: Stage, times: int, names: Iterable[str] = ()) -> Calm:
    """So many looks, each followed by a batch, in every application, or in those named."""
    calm = Calm()
    for name in names or APPLICATIONS:
        for choose in APPLICATIONS[name](stage):
            for _ in range(times):
                observation = stage.look()
                for batch in _cut(choose(observation)):
                    calm.count(name, stage.act(stage.batch(observation, *batch)))
                stage.settle(observation, patience=PATIENCE)
    return calm


def _cut(operations: tuple[Op, ...]) -> list[tuple[Op, ...]]:
    """Clicks, then keys, each sent for itself as the agent does; both made for one look."""
    keys = tuple(op for op in operations if isinstance(op, ops.Type | ops.KeyCombo))
    clicks = tuple(op for op in operations if op not in keys)
    return [part for part in (clicks, keys) if part]


def _some(elements: list[Element], observation: Observation) -> tuple[Op, ...]:
    """One to three clicks, on elements or at points, and a move or a turn of the wheel now and then."""
    if not elements:
        raise BenchmarkError(f"there is nothing to click in {observation.window!r}")
    chosen = random.choices(elements, k=random.randint(1, 3))  # noqa: S311
    return tuple(op for each in chosen for op in _act_on(each))


def _act_on(element: Element) -> tuple[Op, ...]:
    bounds = element.bounds
    x = random.randrange(bounds.x + bounds.width // 4, bounds.right - bounds.width // 4)  # noqa: S311
    y = random.randrange(bounds.y + bounds.height // 4, bounds.bottom - bounds.height // 4)  # noqa: S311
    ways: tuple[tuple[Op, ...], ...] = (
        (ops.ClickElement(element.id),),
        (ops.Click(x, y),),
        (ops.Move(x, y), ops.Click(x, y)),
        (ops.HoverElement(element.id),),
    )
    return random.choices(ways, (4, 4, 1, 1))[0]  # noqa: S311


# ---- the applications --------------------------------------------------------------------------


def _qt(stage: Stage) -> Iterator[Choose]:
    program = Program("calm", stage.environment)
    try:
        program.do("show")
        program.do("focus")
        stage.settle()
        names = ("Cancel", "Continue", "Delete")
        yield lambda o: _some([e for e in o.elements if e.name in names or e.role == "text"], o)
    finally:
        program.close()


def _mousepad(stage: Stage) -> Iterator[Choose]:
    stage.launch("Untitled", *BLINKING, "mousepad")

    def write(observation: Observation) -> tuple[Op, ...]:
        area = next(e for e in observation.elements if e.role == "text" and e.bounds.height > 100)
        words = random.choice(("", "and so on ", "a line\n"))  # noqa: S311
        return (*_some([area], observation), *([ops.Type(words)] if words else []))

    yield write


def _galculator(stage: Stage) -> Iterator[Choose]:
    stage.launch("galculator", "galculator")
    yield lambda o: _some([e for e in o.elements if e.name in tuple("0123456789")], o)


def _pcmanfm(stage: Stage) -> Iterator[Choose]:
    stage.launch("share", "pcmanfm", "/usr/share")

    def rows(observation: Observation) -> tuple[Op, ...]:
        low = next(e for e in observation.elements if e.role == "status bar").bounds.y
        return _some([e for e in _rows(observation) if e.bounds.bottom < low], observation)

    until(lambda: _rows(stage.look()), "rows in pcmanfm")
    stage.settle()
    yield rows


def _rows(observation: Observation) -> list[Element]:
    return [e for e in observation.elements if e.role == "table cell" and e.bounds.x > 480]


def _chromium(stage: Stage) -> Iterator[Choose]:
    stage.launch("Calm page", "chromium", PAGE.as_uri())
    stage.settle(patience=1.0)
    roles = ("push button", "link", "entry", "check box", "table cell")
    yield lambda o: _some(
        [e for e in o.elements if e.role in roles and e.bounds.y > 110 and e.application == "Chromium"], o
    )


APPLICATIONS: dict[str, Callable[[Stage], Iterator[Choose]]] = {
    "a Qt window": _qt,
    "mousepad": _mousepad,
    "galculator": _galculator,
    "pcmanfm": _pcmanfm,
    "Chromium": _chromium,
}
