"""Takeover: from the human's key, button, motion or wheel to the agent's last event, and to the pause being told."""

from __future__ import annotations

import random
import select
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from typing import NamedTuple

from benchmarks.report import BenchmarkError, Figure, Goal, Report, counted, measured, report
from desktop_agent.hand.client import Hands
from desktop_agent.platforms.x11.connection import Display
from desktop_agent.protocol import ops
from desktop_agent.protocol.batch import Batch, OpResult, Progress
from desktop_agent.protocol.errors import HandError
from desktop_agent.protocol.geometry import Viewport
from tests.support import rfb
from tests.support.desk import LabDesk
from tests.support.observer import Kind, Observer, Record
from tests.support.waiting import Late, until

TRIALS, QUICK_TRIALS = 300, 12
ROUNDS, QUICK_ROUNDS = 30, 2
AWHILE = 20.0
BUTTON_MASK = 0x1F00
MIXED = "Zwölf Boxkämpfer jagen 你好 – ¿qué? Ωμέγα, ЖЯ. "
BATCHES: dict[str, tuple[ops.Op, ...]] = {
    "typing": (ops.Type(("The quick brown Fox jumps over 13 lazy dogs. " * 250)[:10_000]),),
    "dragging": tuple(
        ops.Drag((ops.Spot(900, 300), ops.Spot(1200, 400), ops.Spot(900, 600)), "left", ("shift",))
        for _ in range(40)
    ),
    "waiting": (ops.KeyDown("ctrl"), ops.Wait(30.0)),
}
ALONE: tuple[ops.Op, ...] = (
    ops.Click(300, 300), ops.Type(MIXED * 3), ops.KeyCombo(("escape",)), ops.Scroll(0, -4, 300, 300),
    ops.KeyDown("shift"), ops.Wait(0.6), ops.KeyUp("shift"), ops.Click(1000, 500, count=2), *BATCHES["dragging"][:2],
)  # fmt: skip
HUMAN = (Kind.KEY_PRESS, Kind.BUTTON_PRESS, Kind.MOTION)
TERMINAL = ("xterm", "-T", "reader", "-geometry", "80x24+20+20")
READER = ("-e", "sh", "-c", "stty raw -echo; exec cat > /dev/null")


# Return, Left, F5, 7: none that the agent presses, as Xvnc drops its viewer's press of a key that is down.
KEYS = (0xFF0D, 0xFF51, 0xFFC2, 0x37)


def key(human: rfb.Human, chance: random.Random) -> None:
    human.tap(chance.choice(KEYS))


def motion(human: rfb.Human, chance: random.Random) -> None:
    human.pointer_event(chance.randint(20, 1200), chance.randint(20, 700))


def button(human: rfb.Human, chance: random.Random) -> None:
    at = chance.randint(20, 1200), chance.randint(20, 700)
    human.pointer_event(*at, chance.choice((rfb.LEFT, rfb.MIDDLE, rfb.RIGHT)))
    human.pointer_event(*at)


def wheel(human: rfb.Human, chance: random.Random) -> None:
    human.pointer_event(600, 400, chance.choice((rfb.WHEEL_UP, rfb.WHEEL_DOWN)))
    human.pointer_event(600, 400)


ACTS = (key, motion, button, wheel)


class Trial(NamedTuple):
    """`last`: seconds from the human's input to the last event injected after it (0 without one), both by
    the observer; `characters` typed after it, in the server's order; `told`: from the human's viewer sending it to the pause being told (None when it was not)."""

    act: str
    doing: str
    last: float
    characters: int
    told: float | None
    ended: bool
    held: int


def run(quick: bool) -> Report:
    """A human at an Xvnc display takes over while a batch runs, and an observer process keeps the time."""
    with _Stage() as stage:
        alone = stage.work_alone(QUICK_ROUNDS if quick else ROUNDS)
        chance = random.Random("takeover")  # noqa: S311 - when to act, nothing secret
        kinds = [(act, doing) for act in ACTS for doing in BATCHES]
        count = QUICK_TRIALS if quick else TRIALS
        trials = [stage.trial(*kinds[n % len(kinds)], chance) for n in range(count)]
    return report("takeover", *_latencies(trials), *_counts(trials), alone)


def _latencies(trials: Sequence[Trial]) -> Iterator[Figure]:
    goal = Goal(50.0, "p99")
    told = [trial for trial in trials if trial.told is not None]
    yield measured("human input to paused (told)", [1000 * (t.told or 0) for t in told], "ms", goal)
    for act in ACTS:
        some = [1000 * (t.told or 0) for t in told if t.act == act.__name__]
        yield measured(f"  {act.__name__}", some, "ms", goal)
    yield measured("human input to last injected event", [1000 * t.last for t in trials], "ms", goal)
    for doing in BATCHES:
        yield measured(f"  {doing}", [1000 * t.last for t in trials if t.doing == doing], "ms", goal)


def _counts(trials: Sequence[Trial]) -> Iterator[Figure]:
    def count(name: str, unit: str, of: Callable[[Trial], int]) -> Figure:
        return counted(name, sum(map(of, trials)), len(trials), unit, Goal(0.0))

    typed = [float(t.characters) for t in trials]
    yield measured("characters after a human's input", typed, "characters", Goal(2.0, "max"))
    yield count("takeovers missed", "inputs", lambda t: t.told is None or not t.ended)
    yield count("keys and buttons held afterwards", "inputs", lambda t: t.held)


class _Stage:
    """The desk with a program that takes the text, hand and guard, the human and the observer."""

    def __enter__(self) -> _Stage:
        with ExitStack() as stack:
            self._desk = stack.enter_context(LabDesk())
            self._observer = stack.enter_context(Observer(self._desk.environment))
            self._human = stack.enter_context(self._desk.human())
            self._open_reader()
            self._told: list[float] = []
            self._stopped: list[str] = []
            self._hands = Hands(self._desk.address(), on_stop=self._stopped.append)
            self._hands.on_takeover = self._hear
            stack.callback(self._hands.close)
            self._hands.start()
            self._display = Display(self._desk.environment)
            stack.callback(self._display.close)
            self._modifiers = {*self._display.core.GetModifierMapping().reply().keycodes}
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def _hear(self, _means: str) -> None:
        self._told.append(time.monotonic())

    def _open_reader(self) -> None:
        self._desk.launch([*TERMINAL, *READER])
        until(
            lambda: any(window.title == "reader" for window in self._desk.windows()[:1]),
            "the terminal",
            AWHILE,
        )

    def work_alone(self, rounds: int) -> Figure:
        """How often the agent's own work is taken for the human's."""
        for _ in range(rounds):
            results = self._hands.execute(self._batch(ALONE))
            if any(result.outcome != "done" for result in results) and not self._told:
                raise BenchmarkError(f"working alone: {results[-1].outcome} {self._stopped}")
            self._hands.stand_down()
        false, self._told = len(self._told), []
        return counted("false pauses with nobody there", false, rounds * len(ALONE), "pauses", Goal(0.0))

    def trial(
        self, act: Callable[[rfb.Human, random.Random], None], doing: str, chance: random.Random
    ) -> Trial:
        self._hands.stand_down()
        self._told.clear()
        batch = _Running(self._hands, self._batch((ops.Click(300, 300), *BATCHES[doing])))
        select.select([], [], [], chance.uniform(0.02, 0.3))
        self._observer.clear()
        sent = time.monotonic()
        act(self._human, chance)
        results = batch.end()
        with suppress(Late):
            until(lambda: self._told, "the takeover", seconds=1.0)
        if act is not motion:  # the human's own key or button is not what may be held
            self._observer.until(_let_go, "the human's release")
        records = self._observer.sync()
        seen = next((n for n, r in enumerate(records) if not r.injected and r.kind in HUMAN), None)
        if seen is None or self._stopped:
            raise BenchmarkError(f"{act.__name__}, {doing}: the human was not seen {self._stopped}")
        human, after = records[seen], records[seen + 1 :]
        last = max([r.at - human.at for r in after if _comes_after(r, human)], default=0.0)
        characters = sum(
            r.injected and r.kind == Kind.KEY_PRESS and r.detail not in self._modifiers for r in after
        )
        told = self._told[0] - sent if self._told else None
        ended = results[-1].outcome == "skipped" and "you took over" in results[-1].detail
        return Trial(act.__name__, doing, max(0.0, last), characters, told, ended, self._held())

    def _batch(self, operations: tuple[ops.Op, ...]) -> Batch:
        layout = self._desk.geometry()
        view = Viewport(layout.bounds, layout.bounds.size, layout.epoch)
        return Batch("b", operations, view, {}, self._hands.generation, 60.0)

    def _held(self) -> int:
        """How many keys and buttons are down."""
        keys = bytes(self._display.core.QueryKeymap().reply().keys)
        mask = int(self._display.core.QueryPointer(self._display.root).reply().mask)
        return sum(byte.bit_count() for byte in keys) + (mask & BUTTON_MASK).bit_count()


class _Running:
    """A batch under way in a thread; made once its second operation has begun."""

    def __init__(self, hands: Hands, batch: Batch) -> None:
        self._results: list[OpResult] = []
        self._error: HandError | None = None
        self._began = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(hands, batch), daemon=True)
        self._thread.start()
        if not self._began.wait(AWHILE):
            raise BenchmarkError(f"the batch did not begin: {self._error or self._results}")

    def _run(self, hands: Hands, batch: Batch) -> None:
        def follow(progress: Progress) -> None:
            if progress.index == 1:
                self._began.set()

        try:
            self._results = hands.execute(batch, follow)
        except HandError as error:
            self._error = error

    def end(self) -> list[OpResult]:
        self._thread.join(AWHILE * 3)
        if not self._results:
            raise BenchmarkError(f"the batch did not end: {self._error}")
        return self._results


def _comes_after(record: Record, human: Record) -> bool:
    """An injected event that does something: letting go of what is held has to come."""
    return record.injected and record.kind in HUMAN and record.at > human.at


def _let_go(records: Sequence[Record]) -> bool:
    return any(not r.injected and r.kind in (Kind.KEY_RELEASE, Kind.BUTTON_RELEASE) for r in records)
