"""More than one thing broken at once, with the real brain and its window, on a busy machine.

Each round is a run of the program's own session in its own window, whose model asks for a batch that holds keys and a
button or types; at a random moment the victims are killed, or the hand is frozen and Esc pressed. The observer is
`lab.killing`, a process of its own that asks the X server.
"""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

import msgspec

from benchmarks.report import BenchmarkError, Figure, Goal, counted, measured
from desktop_agent.platforms.x11.connection import Display
from desktop_agent.platforms.x11.windows.ewmh import EwmhWindows
from desktop_agent.protocol import ops
from desktop_agent.protocol.geometry import Size, Viewport
from desktop_agent.targets import display
from desktop_agent.targets._embedded import EmbeddedDisplay
from tests.support import jobs
from tests.support.brain import Order
from tests.support.killing import Kill, Seen
from tests.support.load import Load
from tests.support.process import LabProcess, started

TRIALS, QUICK = 100, 2
"""Of each case."""
PER_CORE = 2
"""Busy processes beside: on two processors a load of four."""
SEED = 20_261_123
LATEST = 0.3
HOMES = "PLAYED_BRAIN_HOMES"
"""Environment variable of `lab.window_brain`, which is not imported here: it loads the window."""
LEFT, ROOM = 500, Size(840, 700)
"""Where batches click: between the terminal and the docked window."""
READER = ["xterm", "-geometry", "78x24+0+0", "-e", "sh", "-c", "stty raw -echo; exec cat > /dev/null"]


class Case(NamedTuple):
    """What is killed (the first letters of brain, hand, guard, watcher), or frozen before Esc."""

    name: str
    victims: str
    freeze: bool = False
    next_start: bool = False


CASES = (
    Case("frozen hand and Esc", "h", freeze=True),
    Case("SIGKILL of the real brain", "b"),
    Case("SIGKILL of brain and hand", "bh"),
    Case("SIGKILL of brain and guard", "bg"),
    Case("SIGKILL of hand and guard", "hg"),
    Case("SIGKILL of brain, hand and guard", "bhg"),
    Case("SIGKILL of all four, and the next start", "bhgw", next_start=True),
)


def _holding(random: Random) -> tuple[ops.Op, ...]:
    return jobs.holding(random, LEFT, ROOM)


def _dragging(random: Random) -> tuple[ops.Op, ...]:
    return jobs.dragging(random, LEFT, ROOM)


def _typing(random: Random) -> tuple[ops.Op, ...]:
    """Nothing is clicked before: the run refuses to type where the keyboard has moved to."""
    return _typed(random, jobs.LETTERS)


def _typing_foreign(random: Random) -> tuple[ops.Op, ...]:
    return _typed(random, jobs.FOREIGN)


def _typed(random: Random, letters: str) -> tuple[ops.Op, ...]:
    words = "".join(random.choice(letters) for _ in range(3000))
    return ops.KeyDown(random.choice(jobs.PLAIN_KEYS)), ops.Type(words, 0.002)


KINDS = (_holding, _dragging, _typing, _typing_foreign)


def figures(trials: int) -> Iterator[Figure]:
    """Of each case: what stayed held or mapped, and how long it took."""
    for case, found in _rounds(trials):
        held = [each for each in found if each.held]
        mapped = [each for each in found if each.mapped]
        stuck = sum(each.released is None for each in found)
        yield counted(f"{case.name}: still held", stuck, len(found), "rounds", Goal(0))
        lost = sum(each.restored is None for each in mapped)
        yield counted(f"{case.name}: key map not put back", lost, len(mapped) or 1, "rounds", Goal(0))
        times = [each.released for each in held if each.released is not None]
        if times and not case.next_start:
            yield measured(f"{case.name}: to all released", times, "ms", Goal(50, "max"))


def _rounds(trials: int) -> Iterator[tuple[Case, list[Seen]]]:
    random = Random(SEED)  # noqa: S311 - the same rounds each time
    with ExitStack() as stack:
        target = display.create(display.Options())
        stack.callback(target.stop)
        target.start()
        place = stack.enter_context(_Place(target))
        for case in CASES:
            found = []
            for number in range(trials):
                found.append(place.round(case, random))
                if sys.stderr.isatty():
                    print(f"\r{case.name}: {number + 1} of {trials} ", end="", file=sys.stderr, flush=True)
            yield case, found


class _Place:
    """A display with a terminal that reads, the observer, and a brain with its window."""

    def __init__(self, target: EmbeddedDisplay) -> None:
        self._target = target
        self._homes = TemporaryDirectory(prefix="played-brains-", ignore_cleanup_errors=True)
        self._environment = {**os.environ, **target.environment, HOMES: self._homes.name}
        layout = target.geometry()
        self._view = Viewport(layout.bounds, layout.bounds.size, layout.epoch)
        self._stack = ExitStack()
        self._brains = ExitStack()
        self._brain: LabProcess | None = None

    def __enter__(self) -> _Place:
        self._target.launch(READER)
        for _ in range(600):
            if any(window.application.lower() == "xterm" for window in self._target.windows()):
                break
            select.select([], [], [], 0.05)
        else:
            raise BenchmarkError("no terminal came up: apt-get install xterm")
        self._observer = self._stack.enter_context(started("killing", self._environment))
        return self

    def __exit__(self, *_: object) -> None:
        self._brains.close()
        self._stack.close()
        self._homes.cleanup()

    def _living_brain(self) -> LabProcess:
        if self._brain is None:
            self._brains.close()
            self._brain = self._brains.enter_context(started("window_brain", self._environment))
            self._brain.hear("shown")
            self._turn_to_reader(self._brain)
        return self._brain

    def _turn_to_reader(self, brain: LabProcess) -> None:
        """Give the terminal the keyboard, which a window that was killed took along. Raises BenchmarkError."""
        display = Display(self._environment)
        windows = EwmhWindows(display)
        for _ in range(600):
            focused = self._target.focused_window()
            if focused is not None and focused.application.lower() == "xterm":
                break
            windows.activate_other_than([brain.pid])
            select.select([], [], [], 0.05)
        else:
            raise BenchmarkError("the terminal does not get the keyboard")
        display.close()

    def round(self, case: Case, random: Random) -> Seen:
        """One run, one breaking; the load is there from before the run until all is seen."""
        brain = self._living_brain()
        operations = random.choice(KINDS)(random)
        with Load(PER_CORE):
            brain.say(Order(self._target.address(), self._view, operations))
            hand, guard, watcher = (int(pid) for pid in brain.hear("pids"))
            while int(brain.hear("began")[0]) < len(operations) - 1:
                pass
            select.select([], [], [], random.uniform(0, LATEST))
            pids = {"b": brain.pid, "h": hand, "g": guard, "w": watcher}
            victim, *also = (pids[each] for each in case.victims)
            others = tuple(pids[each] for each in "hgw" if each not in case.victims)
            kill = Kill(victim, others, tuple(also), case.freeze, case.next_start)
            self._observer.say(kill)
            seen = msgspec.json.decode(self._observer.line(), type=Seen)
        if "b" in case.victims:
            self._brain = None
        else:
            brain.hear("over")
        return seen


def one(name: str, trials: int) -> Sequence[Seen]:
    """The rounds of one case alone, to look into it."""
    with ExitStack() as stack:
        target = display.create(display.Options())
        stack.callback(target.stop)
        target.start()
        place = stack.enter_context(_Place(target))
        case = next(each for each in CASES if each.name == name)
        random = Random(SEED)  # noqa: S311 - the same rounds each time
        return [place.round(case, random) for _ in range(trials)]
