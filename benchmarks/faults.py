"""Inputs still held after a fault injected at every single call into the system, in every way it can go wrong."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import product
from typing import NamedTuple, cast

from benchmarks.report import BenchmarkError, Figure, Goal, Report, counted, report
from desktop_agent.hand.client import Hands
from desktop_agent.hand.injector.controller import Controller
from desktop_agent.hand.ipc.shared_block import Shared, Word
from desktop_agent.platforms.base import BUTTONS, Input
from desktop_agent.platforms.x11.connection import Display
from desktop_agent.platforms.x11.input.input import X11Input
from desktop_agent.platforms.x11.input_watch.release import X11Releaser
from desktop_agent.protocol.batch import Batch, OpResult, Progress
from desktop_agent.protocol.errors import HandError
from desktop_agent.protocol.geometry import Viewport
from desktop_agent.protocol.input_events import ButtonDown, KeyDown
from desktop_agent.protocol.ops import Op
from desktop_agent.targets import display
from desktop_agent.targets._embedded import EmbeddedDisplay
from desktop_agent.targets.base import Address
from tests.support.cutter import Cutter
from tests.support.faulty import Fault, Faulty
from tests.support.held import Held
from tests.support.jobs import ELEMENTS, reference
from tests.support.memory_input import SCREEN, MemoryInput
from tests.support.waiting import until

HASTE = 20
"""How much faster than the real one the hand's clock goes, so that its pauses take no time."""
BATCH_SECONDS = 60.0 * HASTE
READER = ["xterm", "-geometry", "60x20-0-0", "-e", "sh", "-c", "stty raw -echo; exec cat > /dev/null"]
QUICK, QUICK_CUTS = 17, 60
"""Only each so-manyth call in the short form."""
STALLS = (16, 18, 20, 22, 24)
"""Writes at which every batch holds something; a stuck hand takes seconds to be found out."""
BATCHES = tuple(reference())
STALLED = ("holding", "dragging", "typing foreign")
CLEANING_SECONDS, REAL_SECONDS = 5.0, 3.0
IN_PROCESS = tuple(fault for fault in Fault if fault is not Fault.CLOSED)


class Trial(NamedTuple):
    """A fault at call `at` of a batch, and what stayed held or changed."""

    fault: Fault
    batch: str
    at: int
    left: tuple[str, ...]


def run(quick: bool) -> Report:
    """First on inputs in memory, then on a real display, in the end with real hands whose connection is cut."""
    figures = _figures("in memory", in_memory(QUICK if quick else 1))
    target = display.create(display.Options())
    target.start()
    try:
        place = Place(target)
        figures += _figures("on X11", on_display(place, QUICK if quick else 1))
        closed = real_hands(place, Fault.CLOSED, range(1, 1_000, QUICK_CUTS if quick else 1))
        silent = real_hands(place, Fault.HANG, (18,) if quick else STALLS, STALLED)
        figures += _figures("on X11, real processes", closed + silent)
    finally:
        target.stop()
    return report("faults", *figures)


def _figures(where: str, found: list[Trial]) -> list[Figure]:
    figures = []
    for fault in dict.fromkeys(trial.fault for trial in found):
        chosen = [trial for trial in found if trial.fault is fault]
        left = [trial for trial in chosen if trial.left]
        for trial in left:
            print(f"{where}: {trial}", file=sys.stderr)
        name = f"inputs held, {where}: {fault}"
        figures.append(counted(name, len(left), len(chosen), "faults", Goal(0)))
    return figures


class Clock:
    """The hand's clock: goes fast, and can be put forward."""

    def __init__(self) -> None:
        self._ahead = 0.0

    def __call__(self) -> float:
        return time.monotonic() * HASTE + self._ahead

    def hang(self) -> None:
        """More time passes than a batch has."""
        self._ahead += 2 * BATCH_SECONDS


# ---- one hand, one fault ---------------------------------------------------------------------


class Attempt:
    """A hand over an input that fails at call `at`."""

    def __init__(self, inner: Input, fault: Fault, at: int) -> None:
        clock = Clock()
        self.fault = fault
        self.shared = Shared.private()
        self.input = Faulty(inner, fault, at, clock.hang)
        self._controller = Controller(self.input, self.shared, clock=clock)

    def carry_out(self, operations: tuple[Op, ...], viewport: Viewport) -> None:
        """The batch, then the end of the hand, as its process does it."""
        with contextlib.suppress(Exception):  # a hand that fails here ends, and its guard cleans up
            self.shared.add_codes(Word.SPARES, self.input.spare_codes())
            batch = Batch("b", operations, viewport, ELEMENTS, 0, BATCH_SECONDS)
            self._controller.execute(batch, _ignore)
        with contextlib.suppress(Exception):
            self.input.close()
            self.shared.drop_codes(Word.SPARES, self.shared.codes(Word.SPARES))


def _ignore(message: Progress | OpResult) -> None:
    """Nobody listens to how far it is."""


def _trials(
    make: Callable[[], Input],
    viewport: Viewport,
    look: Callable[[Attempt, Input], list[str]],
    faults: tuple[Fault, ...],
    step: int,
) -> Iterator[Trial]:
    number = 0
    for name, operations in reference().items():
        whole = Attempt(make(), Fault.EXCEPTION, 0)
        whole.carry_out(operations, viewport)
        for fault, at in product(faults, range(1, whole.input.calls + 1)):
            number += 1
            if number % step == 0:
                inner = make()
                attempt = Attempt(inner, fault, at)
                attempt.carry_out(operations, viewport)
                yield Trial(fault, name, at, tuple(look(attempt, inner)))


def in_memory(step: int) -> list[Trial]:
    """Every fault on inputs that live in memory."""
    viewport = Viewport(SCREEN, SCREEN.size, 1)
    return list(_trials(MemoryInput, viewport, _left_in_memory, tuple(Fault), step))


def _left_in_memory(attempt: Attempt, inner: Input) -> list[str]:
    """What is down; where nothing can be released any more, what is down and not in the guard's ledger."""
    inner, shared = cast(MemoryInput, inner), attempt.shared
    if attempt.fault is not Fault.CLOSED:
        return sorted(inner.down)
    inner.down.difference_update(
        button for button in BUTTONS if inner.codes(ButtonDown(button))[0] in shared.codes(Word.BUTTONS)
    )
    known = set(shared.codes(Word.KEYS))
    return [
        name for name in inner.down if name in BUTTONS or not known.issuperset(inner.codes(KeyDown(name)))
    ]


# ---- on a real display -----------------------------------------------------------------------


class Place:
    """A display with a terminal that reads what is typed."""

    def __init__(self, target: EmbeddedDisplay) -> None:
        self.environment: Mapping[str, str] = target.environment
        layout = target.geometry()
        self.viewport = Viewport(layout.bounds, layout.bounds.size, layout.epoch)
        target.launch(READER)
        until(lambda: any(window.application.lower() == "xterm" for window in target.windows()), "a terminal")
        self.held = Held(self.environment)
        self.mapping = self.held.mapping()

    def batch(self, operations: tuple[Op, ...], hands: Hands) -> Callable[[], Batch]:
        """To be made when the hands' generation is known."""
        return lambda: Batch("b", operations, self.viewport, ELEMENTS, hands.generation, REAL_SECONDS)

    def await_nothing_left(self) -> tuple[str, ...]:
        """What is left in the end."""
        with contextlib.suppress(BenchmarkError):
            until(lambda: not self.left(), "all released", CLEANING_SECONDS)
        return tuple(self.left())

    def left(self) -> list[str]:
        """What is down, and whether the key map is another one."""
        return self.held.down() + (["the key map"] if self.held.mapping() != self.mapping else [])


def on_display(place: Place, step: int) -> list[Trial]:
    """Every fault of single calls over the real X11 input."""
    releaser = X11Releaser(Display(place.environment).connection)

    def look(attempt: Attempt, inner: Input) -> list[str]:
        down = place.held.down()  # by the hand's own doing
        releaser.unmap(attempt.shared.codes(Word.SPARES))  # the guard's part, when the hand could not
        left = [*down, *place.left()]
        inner.close()
        releaser.release(range(8, 256) if down else (), range(9) if down else ())  # for the next one
        return left

    return list(_trials(lambda: X11Input(place.environment), place.viewport, look, IN_PROCESS, step))


def real_hands(
    place: Place, fault: Fault, writes: Iterable[int], names: Collection[str] = BATCHES
) -> list[Trial]:
    """A real hand whose connection is cut in the middle of a write, or passes on nothing any more from there."""
    found: list[Trial] = []
    with Cutter(int(place.environment["DISPLAY"].lstrip(":"))) as cutter:
        hands = Hands(Address("display", {**place.environment, "DISPLAY": cutter.name}))
        for name in names:
            for at in writes:
                broken = _break(hands, cutter, fault, at, place.batch(reference()[name], hands))
                found.append(Trial(fault, name, at, place.await_nothing_left()))
                if not broken:
                    break
        hands.close()
    return found


def _break(hands: Hands, cutter: Cutter, fault: Fault, at: int, batch: Callable[[], Batch]) -> bool:
    """Break the hand's connection at its write `at` of a batch; False when the batch has fewer."""
    hands.reset()
    connection = cutter.first_of(hands.pids[0])
    if fault is Fault.CLOSED:
        connection.cut_at = connection.writes + at
    else:
        connection.stall_at = connection.writes + at
    try:
        hands.execute(batch())
    except HandError:
        return True
    connection.cut_at = connection.stall_at = 0
    hands.close()  # a hand that lives keeps its part of the key map
    return False
