"""The hand of a simulated place: the same promises as hand and guard, in one process."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
import pytest

from desktop_agent.hand.client import Hands
from desktop_agent.hand.in_process import InlineHands
from desktop_agent.platforms.base import Input
from desktop_agent.protocol import ops
from desktop_agent.protocol.batch import Batch, OpResult, Progress
from desktop_agent.protocol.errors import HandError, TargetError
from desktop_agent.protocol.geometry import Geometry, Rect, Viewport
from desktop_agent.startup.assembly import hand_maker
from desktop_agent.support.config import Config
from desktop_agent.targets.faces import Simulated
from tests.desk import until
from tests.support.memory_desk import MemoryTarget
from tests.support.memory_input import SCREEN, MemoryInput

VIEW = Viewport(SCREEN, SCREEN.size, epoch=1)
HOLDING = (ops.KeyDown("shift"), ops.MouseDown("left", 20, 500), ops.KeyDown("x"), ops.Wait(25))


class WatchedInput(MemoryInput):
    """Reports an ESC, vanishes, and remembers that it was closed."""

    def __init__(self) -> None:
        super().__init__()
        self.presses: list[bool] = []
        self.gone = self.closed = False

    def escapes(self) -> Sequence[bool]:
        told, self.presses = self.presses, []
        return told

    def geometry(self) -> Geometry:
        if self.gone:
            raise TargetError("The place is gone.")
        return super().geometry()

    def close(self) -> None:
        assert self.down == set()
        self.closed = True


@dataclass
class Place:
    """Inline hands, the inputs they made, and the stops they told."""

    inputs: list[WatchedInput] = field(default_factory=list)
    stops: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.hands = InlineHands(self._connect, on_stop=self.stops.append)

    def _connect(self) -> Input:
        self.inputs.append(WatchedInput())
        return self.inputs[-1]

    @property
    def input(self) -> WatchedInput:
        return self.inputs[-1]

    def batch(self, *operations: ops.Op) -> Batch:
        return Batch("b", operations, VIEW, {}, self.hands.generation, 60)

    def outcomes(self, *operations: ops.Op) -> list[str]:
        return [each.outcome for each in self.hands.execute(self.batch(*operations))]


@pytest.fixture
def place() -> Place:
    found = Place()
    found.hands.start()
    return found


class Job(threading.Thread):
    """A batch under way that holds two keys and a button; made when it waits."""

    def __init__(self, place: Place) -> None:
        super().__init__()
        self.results: list[OpResult] = []
        self._place, self._waits = place, threading.Event()
        self.start()
        until(self._waits.is_set, "the wait")
        assert place.input.down == {"shift", "left", "x"}

    def run(self) -> None:
        self.results = self._place.hands.execute(self._place.batch(*HOLDING), self._follow)

    def _follow(self, progress: Progress) -> None:
        if progress.index == len(HOLDING) - 1:
            self._waits.set()


def test_work_is_done_and_nothing_is_held(place: Place) -> None:
    assert place.outcomes(ops.Click(20, 500), ops.Type("words"), ops.KeyDown("shift")) == ["done"] * 3
    assert place.input.down == set() and place.input.text == "words"
    assert place.hands.pids == () and not place.hands.witness(Path("/log"), "head", True)


def test_a_stop_from_another_thread_ends_the_batch_under_way(place: Place) -> None:
    job = Job(place)
    before = place.batch(ops.Move(5, 5))
    place.hands.stop("you pressed Stop")
    job.join(20)
    assert [each.outcome for each in job.results] == ["done", "done", "done", "stopped"]
    assert place.input.down == set()
    until(lambda: place.stops == ["you pressed Stop"], "the stop told")
    place.hands.stop("once more")
    assert place.hands.stopped and place.hands.stop_reason == "you pressed Stop"
    assert place.outcomes(ops.Move(5, 5)) == ["stopped"]
    place.hands.reset()
    assert not place.hands.stopped and place.hands.stop_reason == ""
    assert [each.outcome for each in place.hands.execute(before)] == ["stopped"]
    assert place.outcomes(ops.Move(5, 5)) == ["done"]
    place.hands.stop()
    until(lambda: place.stops == ["you pressed Stop", "stopped"], "the second stop told, and none twice")


def test_an_escape_that_the_input_reports_stops(place: Place) -> None:
    job = Job(place)
    place.input.presses.append(False)
    job.join(20)
    assert job.results[-1].outcome == "stopped" and place.input.down == set()
    until(lambda: place.stops == ["ESC was pressed"], "the stop told")


def test_a_listener_may_use_the_hand(place: Place) -> None:
    told = threading.Event()
    lock = threading.Lock()

    def listen(reason: str) -> None:
        with lock:
            assert place.hands.stop_reason == reason
            told.set()

    place.hands = InlineHands(WatchedInput, on_stop=listen)
    place.hands.start()
    with lock:
        place.hands.stop()
    assert told.wait(20)


def test_one_batch_at_a_time_and_none_before_the_start(place: Place) -> None:
    job = Job(place)
    with pytest.raises(HandError, match="at work"):
        place.outcomes(ops.Move(5, 5))
    place.hands.stop()
    job.join(20)
    with pytest.raises(HandError, match="not been started"):
        InlineHands(WatchedInput).execute(place.batch(ops.Move(5, 5)))


def test_the_end_stops_a_batch_and_closes_the_input(place: Place) -> None:
    job = Job(place)
    before = place.batch(ops.Move(5, 5))
    place.hands.close()
    job.join(20)
    assert job.results[-1].outcome == "stopped" and place.input.closed and place.stops == []
    place.hands.close()
    place.hands.start()
    assert len(place.inputs) == 2
    assert [each.outcome for each in place.hands.execute(before)] == ["stopped"]
    assert place.outcomes(ops.Move(5, 5)) == ["done"]


def test_a_place_that_vanishes_is_told(place: Place) -> None:
    place.input.gone = True
    with pytest.raises(HandError, match="place is gone"):
        place.outcomes(ops.Wait(0))


def test_a_listener_that_fails_leaves_nothing_held(place: Place) -> None:
    def fail(progress: Progress) -> None:
        if progress.index == 1:
            raise OSError("the log is full")

    with pytest.raises(OSError, match="log is full"):
        place.hands.execute(place.batch(*HOLDING), fail)
    assert place.input.down == set() and place.hands.stopped
    place.hands.reset()
    assert place.outcomes(ops.Move(5, 5)) == ["done"]


def test_pausing_protecting_and_confining(place: Place) -> None:
    place.hands.pause(True)
    assert place.outcomes(ops.Move(5, 5)) == ["skipped"]
    place.hands.pause(False)
    place.input.windows = [(Rect(0, 0, 100, 100), 77)]
    place.hands.protect([77])
    assert place.outcomes(ops.Click(50, 50)) == ["refused"]
    place.hands.confine(Rect(200, 200, 10, 10))
    assert place.outcomes(ops.Move(150, 150)) == ["refused"]
    place.hands.close()
    place.hands.start()  # what was said holds for the next input, too
    assert place.outcomes(ops.Move(150, 150)) == ["refused"]


class SimulatedMemory(MemoryTarget, Simulated):
    """The desktop in memory as one where nothing real can be reached."""


def test_the_target_decides_who_works_it() -> None:
    target = MemoryTarget()
    assert isinstance(hand_maker(Config(), target)(target.address(), print), Hands)
    target = SimulatedMemory()
    hands = hand_maker(Config(), target)(target.address(), print)
    hands.start()
    view = Viewport(SCREEN, SCREEN.size, epoch=1)
    hands.execute(Batch("b", (ops.Type("words"),), view, {}, hands.generation, 60), lambda progress: None)
    assert isinstance(hands, InlineHands) and target.input.text == "words"


def test_one_thread_lets_go_of_what_batches_keep(place: Place) -> None:
    for _ in range(20):
        batch = place.batch(ops.KeyDown("shift"))
        place.hands.execute(msgspec.structs.replace(batch, keeps=1.0))
    assert sum(each.name == "rest" for each in threading.enumerate()) == 1
    place.hands.close()
