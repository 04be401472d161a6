"""Numeric policies: ticks a second on an embedded display of 1280x800, wanted thirty a second and as fast as it goes."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

from benchmarks.report import BenchmarkError, Figure, Goal, Report, counted, measured, report
from desktop_agent.agent.dependencies import Circumstances, Parts
from desktop_agent.agent.port import AgentInfo
from desktop_agent.agent.session import AgentSession
from desktop_agent.extras.ticks.numeric_policy import NumericPolicy, Tick
from desktop_agent.hand.client import Hands
from desktop_agent.protocol.agent_events import Status
from desktop_agent.protocol.geometry import Size
from desktop_agent.support.config import Config
from desktop_agent.targets import display
from desktop_agent.vision.observation import Element
from tests.support.private_desk import Desk

TICKS, QUICK_TICKS = 600, 150
SIZE = display.Options(1280, 800)
FASTEST = 10_000.0
BUSY = "while :; do echo $RANDOM$RANDOM$RANDOM$RANDOM; sleep 0.01; done"


class Circle(NumericPolicy):
    """Goes round with the left button and a key held half of the time; `times` are when it was asked."""

    def __init__(self, ticks: int) -> None:
        super().__init__("circle")
        self._ticks = ticks
        self.times: list[float] = []

    def act(self, frame: bytes, size: Size, tick: int) -> Tick:
        self.times.append(time.perf_counter())
        if len(frame) != 4 * size.width * size.height:
            raise BenchmarkError("a frame of another size")
        held = tick % 20 < 10
        return Tick(
            x=1_000 + 7 * (tick % 20),
            y=700 + (tick % 7),
            buttons=frozenset(("left",)) if held else frozenset(),
            keys=frozenset(("shift",)) if held else frozenset(),
            value=tick / self._ticks,
            done=tick == self._ticks - 1,
        )


def run(quick: bool) -> Report:
    """At thirty a second and without a limit, on a screen that is still and on one where a terminal runs."""
    ticks = QUICK_TICKS if quick else TICKS
    figures: list[Figure] = []
    for screen in ("still", "busy"):
        with started() as desk:
            if screen == "busy":
                desk.launch("xterm", "-T", "busy", "-e", "bash", "-c", BUSY, title="busy")
            times = _times(desk, ticks, 30.0)
            seconds = times[-1] - times[0]
            figures.append(
                counted(f"ticks a second, 30 wanted, {screen} screen", (ticks - 1) / seconds, ticks, "1/s", Goal(29, at_least=True))
            )  # fmt: skip
            gaps = [1_000 * (after - before) for before, after in pairwise(times)]
            figures.append(measured(f"between two ticks, 30 wanted, {screen} screen", gaps, "ms"))
            times = _times(desk, ticks, FASTEST)
            gaps = [1_000 * (after - before) for before, after in pairwise(times)]
            figures.append(measured(f"frame, tick and hand, no limit, {screen} screen", gaps, "ms"))
    return report("ticks", *figures)


@contextmanager
def started() -> Iterator[Desk]:
    """An embedded display of our own."""
    target = display.create(SIZE)
    target.start()
    try:
        yield Desk(target)
    finally:
        target.stop()


def _times(desk: Desk, ticks: int, rate: float) -> list[float]:
    policy = Circle(ticks)
    with tempfile.TemporaryDirectory(prefix="ticks-") as folder:
        ends = _work(desk, policy, Path(folder), rate)
    if ends != "done" or len(policy.times) != ticks:
        raise BenchmarkError(f"the run ended with {ends} after {len(policy.times)} ticks")
    return policy.times


def _read_nothing(*_: object) -> tuple[Element, ...]:
    return ()


def _work(desk: Desk, policy: Circle, folder: Path, rate: float) -> str:
    states: list[Status] = []
    parts = Parts(
        desk.target,
        policy,
        lambda address, on_stop: Hands(address, on_stop=on_stop),
        _read_nothing,
    )
    info = AgentInfo("display", policy.name, "off", 60, True)
    policy.rate = rate
    circumstances = Circumstances(folder / "runs")
    session = AgentSession(parts, Config(), circumstances, info)
    session.subscribe(lambda event: states.append(event) if isinstance(event, Status) else None)
    session.send("go round")
    try:
        session.run_next()
    finally:
        if session._hand is not None:
            session._hand.close()
    last = states[-1]
    return last.state if last.state == "done" else f"{last.state}: {last.detail}"
