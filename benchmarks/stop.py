"""ESC stops everything: how long until the last injected event, whatever else is happening."""

from __future__ import annotations

import random
import select
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from typing import NamedTuple

from benchmarks.report import BenchmarkError, Figure, Goal, Report, counted, measured, report
from desktop_agent.platforms.x11.connection import Display
from desktop_agent.protocol import ops
from tests.support import freezing, rfb, stops_afar
from tests.support.acting import Order
from tests.support.agent import Agent, Ending
from tests.support.desk import LabDesk
from tests.support.load import Load
from tests.support.observer import Kind, Observer, Record
from tests.support.silent_model import SilentModel

LENGTH = 10_000
SENTENCE = "The quick brown Fox jumps over 13 lazy dogs. "
TEXT = (SENTENCE * (LENGTH // len(SENTENCE) + 1))[:LENGTH]
TYPING = (ops.Type(TEXT),)
DRAGGING = tuple(
    ops.Drag((ops.Spot(900, 300 + n % 2 * 200), ops.Spot(1200, 400), ops.Spot(900, 600)), "left", ("shift",))
    for n in range(20)
)
WORKING = tuple(
    op
    for n in range(40)
    for op in (
        ops.Move(900 + n * 7, 300 + n * 5),
        ops.Scroll(0, -2),
        ops.Type("Some words. "),
        ops.Wait(0.005),
    )
)
TROUBLE_SECONDS = 0.4
HELD_SECONDS = 0.06
START_SECONDS = 20.0
QUICK = 1
BUTTON_MASK = 0x1F00
ESCAPE_CODE = 9
TERMINAL = ("xterm", "-T", "reader", "-geometry", "80x24+20+20")
READER = ("-e", "sh", "-c", "stty raw -echo; exec cat > /dev/null")


class Scenario(NamedTuple):
    """What the agent does, after how many of its events (at most) ESC comes, and what is wrong meanwhile."""

    name: str
    operations: tuple[ops.Op, ...]
    events: int
    trials: int
    trouble: str = ""
    busy: int = 0  # processes per core


SCENARIOS = (
    Scenario("idle", WORKING, 200, 250),
    Scenario("interface blocked", TYPING, 2000, 100, "interface"),
    Scenario("lock held in C", TYPING, 400, 100, "lock"),
    Scenario("model hung", TYPING, 2000, 100, "model"),
    Scenario("2x load, typing", TYPING, 2000, 100, busy=2),
    Scenario("2x load, dragging", DRAGGING, 60, 50, busy=2),
    Scenario("mid-drag", DRAGGING, 60, 150),
    Scenario("mid-type", TYPING, 6000, 200),
)


class Trial(NamedTuple):
    """One press of ESC. Milliseconds from it to the last injected event after it (0 without one), by the
    observer's clock and by the X server's, which counts whole ones; `characters` typed after it, `late`
    events of a reply that came after the stop."""

    milliseconds: float
    server_milliseconds: float
    characters: int
    late: int
    held: int
    ending: Ending


def run(quick: bool) -> Report:
    """A human at an Xvnc display presses ESC while the agent works, and an observer process keeps the time."""
    with _Stage() as stage:
        speeds = [stage.speed() for _ in range(1 if quick else 5)]
        trials = {scenario: stage.play(scenario, quick) for scenario in SCENARIOS}
        still = stage.standing_still(freezing.QUICK if quick else freezing.TRIALS)
    notes = [f"missed, {scenario.name}: {trial.ending}" for scenario, found in trials.items() for trial in found
             if trial.ending.outcome != "stopped"]  # fmt: skip
    afar = list(stops_afar.figures(quick, notes))
    return report("stop", *still, *_latencies(trials), *_counts([each for found in trials.values() for each in found]),
                  measured(f"typing {LENGTH} characters", speeds, "characters/s"), *afar, notes=notes)  # fmt: skip


def _latencies(trials: dict[Scenario, list[Trial]]) -> Iterator[Figure]:
    name = "ESC to last injected event: "
    for scenario, found in trials.items():
        goal = Goal(10.0, "p99") if scenario.name == "idle" else Goal(50.0, "max")
        yield measured(name + scenario.name, [trial.milliseconds for trial in found], "ms", goal)
    everything = [trial for found in trials.values() for trial in found]
    yield measured(name + "all", [trial.milliseconds for trial in everything], "ms", Goal(50.0, "max"))
    by_server = [trial.server_milliseconds for trial in everything]
    yield measured(name + "all, by the X server's clock", by_server, "ms", Goal(50.0, "max"))


def _counts(trials: Sequence[Trial]) -> Iterator[Figure]:
    def count(name: str, unit: str, of: Callable[[Trial], int], goal: Goal | None) -> Figure:
        return counted(name, sum(map(of, trials)), len(trials), unit, goal)

    none = Goal(0.0)
    yield count("ESC missed", "presses", lambda t: t.ending.outcome != "stopped", none)
    yield count("ESC missed by the guard alone", "presses", lambda t: not t.ending.guard, none)
    yield count("ESC missed by the hand alone", "presses", lambda t: not t.ending.hand, none)
    typed = [float(t.characters) for t in trials]
    yield measured("characters after ESC", typed, "characters", Goal(2.0, "max"))
    yield count("keys and buttons held afterwards", "inputs", lambda t: t.held, none)
    yield count("events of replies that came after the stop", "events", lambda t: t.late, none)


class _Stage:
    """The desk with a program that takes the text, the agent, the human and the observer."""

    def __enter__(self) -> _Stage:
        with ExitStack() as stack:
            self._desk = stack.enter_context(LabDesk())
            self._observer = stack.enter_context(Observer(self._desk.environment))
            self._human = stack.enter_context(self._desk.human())
            self._model = stack.enter_context(SilentModel())
            self._open_reader()
            self._agent = stack.enter_context(Agent(self._desk))
            self._display = Display(self._desk.environment)
            stack.callback(self._display.close)
            self._modifiers = {*self._display.core.GetModifierMapping().reply().keycodes}
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def _open_reader(self) -> None:
        self._desk.launch([*TERMINAL, *READER])
        deadline = time.monotonic() + START_SECONDS
        while not any(window.title == "reader" for window in self._desk.windows()[:1]):
            if time.monotonic() > deadline:
                raise BenchmarkError("the terminal did not come up")
            select.select([], [], [], 0.05)

    def standing_still(self, trials: int) -> list[Figure]:
        """For how long programs wait for us when one of our processes is frozen; the agent of the other trials has ended."""
        self._agent.close()
        return list(freezing.figures(self._desk, trials))

    def speed(self) -> float:
        """Characters a second with nobody in the way."""
        ending = self._agent.carry_out(Order(TYPING))
        if ending.outcome != "done":
            raise BenchmarkError(f"typing: {ending.outcome} {ending.detail}")
        return LENGTH / ending.seconds

    def play(self, scenario: Scenario, quick: bool) -> list[Trial]:
        """All trials of a scenario, always the same ones."""
        chance = random.Random(scenario.name)  # noqa: S311 - when to press, nothing secret
        with Load(scenario.busy):
            return [self._trial(scenario, chance) for _ in range(QUICK if quick else scenario.trials)]

    def _trial(self, scenario: Scenario, chance: random.Random) -> Trial:
        self._observer.clear()
        order = Order(scenario.operations, scenario.trouble, TROUBLE_SECONDS, self._model.url)
        self._agent.begin(order)
        if scenario.trouble in ("interface", "lock"):
            self._agent.await_trouble(scenario.trouble)
        if scenario.trouble == "model":
            self._model.await_call()
        self._observer.until_count(chance.randint(1, scenario.events))
        self._press_escape(chance)
        ending = self._agent.end()
        records = self._observer.sync()
        late = self._let_reply_come() if scenario.trouble == "model" else 0
        if scenario.trouble != "model":
            self._agent.reset()
        pressed, after = _split(records)
        seconds = max((record.at - pressed.at for record in after), default=0.0)
        ticks = max((record.server_time - pressed.server_time for record in after), default=0)
        typed = sum(r.kind is Kind.KEY_PRESS and r.detail not in self._modifiers for r in after)
        return Trial(seconds * 1000, float(ticks), typed, late, self._held(), ending)

    def _let_reply_come(self) -> int:
        """The model answers after stop and reset; returns how many events its batch injects."""
        self._agent.reset_before_reply()
        before = len(self._observer.sync())
        self._model.answer()
        if self._agent.late_outcome() == "done":
            raise BenchmarkError("a batch from before the stop was carried out")
        return sum(record.injected for record in self._observer.sync(before))

    def _press_escape(self, chance: random.Random) -> None:
        """A quick tap, or as long as people take."""
        if chance.random() < 0.5:
            self._human.tap()
            return
        self._human.key_event(rfb.ESCAPE, True)
        select.select([], [], [], HELD_SECONDS)
        self._human.key_event(rfb.ESCAPE, False)

    def _held(self) -> int:
        """How many keys and buttons are down."""
        keys = self._display.core.QueryKeymap().reply().keys
        mask = self._display.core.QueryPointer(self._display.root).reply().mask
        return sum(int(byte).bit_count() for byte in keys) + (int(mask) & BUTTON_MASK).bit_count()


def _split(records: Sequence[Record]) -> tuple[Record, list[Record]]:
    """The human's ESC, and all injected events after it in the order the X server took them."""
    for index, record in enumerate(records):
        if record.kind is Kind.KEY_PRESS and record.detail == ESCAPE_CODE and not record.injected:
            return record, [each for each in records[index + 1 :] if each.injected]
    raise BenchmarkError("the observer saw no ESC")
