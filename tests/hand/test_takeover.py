"""Whose input it is, when it counts, and how to behave before a batch."""

from __future__ import annotations

import struct
import threading
import time
from dataclasses import dataclass

import pytest

from desktop_agent.hand.guard import takeover
from desktop_agent.hand.guard.takeover import STILL, Takeover, Turns
from desktop_agent.hand.ipc.shared_block import Reason, Shared, Word
from desktop_agent.platforms.base import MEANS, Means
from desktop_agent.platforms.pointer_movement import Movement
from desktop_agent.platforms.x11.human_means import DeviceAxes
from desktop_agent.platforms.x11.xinput2 import _axes
from desktop_agent.protocol.geometry import Point
from tests.desk import until

# ---- how far it moved ------------------------------------------------------------------------


def test_a_hand_that_trembles_moves_nothing() -> None:
    mouse = Movement()
    steps = [(1, 0), (0, 1), (-1, -1), (2, 0), (-2, 1)] * 20
    assert not any(mouse.by(x, y, n * 0.01) for n, (x, y) in enumerate(steps) if n % 5 < 3)


def test_small_steps_in_one_direction_add_up() -> None:
    mouse = Movement()
    assert [mouse.by(1, 0, n * 0.01) for n in range(5)] == [False, False, False, True, True]


def test_after_a_rest_it_counts_from_the_new_place() -> None:
    mouse = Movement()
    assert not any(mouse.by(1, 0, n * 1.0) for n in range(50))
    assert mouse.by(40, 0, 100) and not mouse.by(1, 0, 101)


def test_a_place_is_compared_with_the_one_where_it_rested() -> None:
    tablet = Movement((100, 100))
    assert not tablet.to(103, 98, 0)
    assert tablet.to(104, 98, 0.1)
    assert not tablet.to(105, 98, 10)


def test_the_first_place_of_an_unknown_device_counts() -> None:
    tablet = Movement()
    assert tablet.to(3, 3, 0) and not tablet.to(4, 4, 10)


# ---- devices ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Fixed:
    """An FP3232."""

    integral: int
    frac: int = 0


@dataclass(frozen=True)
class Axis:
    """A class of a device as XIQueryDevice gives it."""

    number: int
    type: int = 2
    mode: int = 0
    min: Fixed = Fixed(0)
    max: Fixed = Fixed(-1)
    value: Fixed = Fixed(0)


SIZE = (1000, 500)


def nowhere() -> Point:
    return Point(-1, -1)


def test_the_wheel_counts_however_little() -> None:
    mouse = DeviceAxes([Axis(0), Axis(1), Axis(3), Axis(3, type=3)], SIZE)
    assert mouse.moved({3: 0.25}, nowhere, False)
    assert not mouse.moved({3: 0.0}, nowhere, False)
    assert not mouse.moved({2: 700.0}, nowhere, False)  # pressure


def test_places_are_taken_in_pixels() -> None:
    axes = [Axis(n, mode=1, max=Fixed(9999), value=Fixed(5000)) for n in (0, 1)]
    tablet = DeviceAxes(axes, SIZE)  # ten units a pixel, twenty downwards
    assert not tablet.moved({0: 5025.0}, nowhere, False)
    assert tablet.moved({0: 5045.0}, nowhere, False)


def test_a_tablet_takes_the_pointer_out_of_a_drag() -> None:
    tablet = DeviceAxes([Axis(n, mode=1, max=Fixed(9999)) for n in (0, 1)], SIZE)
    assert not tablet.moved({0: 1.0}, nowhere, False)
    assert tablet.moved({0: 2.0}, nowhere, True)
    mouse = DeviceAxes([Axis(0), Axis(1)], SIZE)
    assert not mouse.moved({0: 1.0}, nowhere, True)


def test_places_that_are_called_steps_are_known_by_where_the_pointer_is() -> None:
    viewer = DeviceAxes([Axis(0), Axis(1)], SIZE)
    assert viewer.moved({0: 300.0, 1: 200.0}, lambda: Point(300, 200), False)
    assert viewer.moved({0: 310.0, 1: 202.0}, nowhere, False)


def test_a_mouse_is_no_viewer_for_long() -> None:
    mouse = DeviceAxes([Axis(0), Axis(1)], SIZE)
    assert mouse.moved({0: 20.0, 1: 10.0}, lambda: Point(20, 10), False)  # out of the corner
    assert mouse.moved({0: -5.0, 1: 1.0}, nowhere, False)
    assert mouse.moved({0: 5.0, 1: 5.0}, nowhere, False)


def test_axes_are_read_by_their_mask() -> None:
    values = [(7, 1 << 31), (-3, 0), (120, 0)]
    body = struct.pack("=II", 0b1001, 0b10) + b"".join(struct.pack("=iI", *each) for each in values * 2)
    assert dict(_axes(body, 2)) == {0: 7.5, 3: -3.0, 33: 120.0}


# ---- when it counts --------------------------------------------------------------------------

BRAIN = 4_000_000


class Judge:
    """The guard's judgement over a block in memory."""

    def __init__(self) -> None:
        self.shared = Shared.private()
        self.told: list[str] = []
        self.over_ours = False
        self.shared[Word.BRAIN_PID] = BRAIN
        self.takeover = Takeover(self.shared, self.told.append)

    def seen(self, means: Means) -> None:
        self.takeover.seen(means, lambda: BRAIN if self.over_ours else BRAIN + 1)


def test_only_an_armed_period_can_be_taken_and_only_once() -> None:
    judge = Judge()
    judge.seen("mouse")
    assert judge.told == [] and judge.shared.age(Word.HUMAN_TIME) < 10
    judge.shared[Word.ARMED] = 3
    judge.seen("keyboard")
    judge.seen("mouse")
    assert judge.told == ["takeover keyboard 3"] and judge.shared[Word.TAKEN] == 3
    judge.shared[Word.ARMED] = 4
    judge.seen("mouse")
    assert judge.told[1:] == ["takeover mouse 4"]


def test_what_the_hand_alone_has_seen_is_told_once() -> None:
    judge = Judge()
    judge.takeover.follow()
    judge.shared[Word.ARMED] = 3
    judge.takeover.follow()
    assert judge.told == []
    judge.shared[Word.HAND_MEANS], judge.shared[Word.HAND_TAKEN] = MEANS.index("keyboard"), 3
    judge.takeover.follow()
    judge.seen("mouse")
    judge.takeover.follow()
    assert judge.told == ["takeover keyboard 3"] and judge.shared[Word.TAKEN] == 3
    assert judge.shared.age(Word.HUMAN_TIME) < STILL


def test_after_a_stop_there_is_nothing_to_take() -> None:
    judge = Judge()
    judge.shared[Word.ARMED] = 1
    judge.shared.stop(Reason.ESCAPE, guard=True)
    judge.seen("mouse")
    assert judge.told == []


def test_talking_to_us_counts_only_while_a_batch_runs() -> None:
    judge = Judge()
    judge.over_ours = True
    judge.shared[Word.ARMED] = 1
    judge.seen("keyboard")
    assert judge.told == []
    judge.shared[Word.BUSY] = 1
    judge.seen("keyboard")
    assert judge.told == ["takeover keyboard 1"]


# ---- manners ---------------------------------------------------------------------------------


def begun(turns: Turns, shared: Shared) -> tuple[threading.Thread, list[bool]]:
    results: list[bool] = []
    thread = threading.Thread(target=lambda: results.append(turns.begin(shared)))
    thread.start()
    return thread, results


def test_a_batch_begins_once_the_human_is_still() -> None:
    shared, turns = Shared.private(), Turns(threading.Event(), wanted=True)
    shared.beat(Word.HUMAN_TIME)
    assert turns.begin(shared)
    assert shared.age(Word.HUMAN_TIME) >= STILL and shared[Word.ARMED] == 1
    turns.stand_down(shared)
    assert shared[Word.ARMED] == 0
    assert turns.begin(shared) and shared[Word.ARMED] == 2


def test_a_human_who_does_not_rest_keeps_the_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(takeover, "PATIENCE", 0.1)
    shared, turns = Shared.private(), Turns(threading.Event(), wanted=True)
    shared[Word.HUMAN_TIME] = time.perf_counter_ns() + 10**12  # always just now
    assert not turns.begin(shared) and shared[Word.ARMED] == 0


def test_a_stop_ends_the_waiting() -> None:
    stopped = threading.Event()
    shared, turns = Shared.private(), Turns(stopped, wanted=True)
    shared[Word.HUMAN_TIME] = time.perf_counter_ns() + 10**12
    thread, results = begun(turns, shared)
    shared.stop(Reason.BRAIN)
    stopped.set()
    until(lambda: results, "the end of the waiting", seconds=takeover.PATIENCE / 2)
    thread.join()
    assert results == [True] and shared[Word.ARMED] == 0  # the hand itself refuses the batch


def test_what_was_taken_stays_taken_until_the_human_is_asked() -> None:
    shared, turns = Shared.private(), Turns(threading.Event(), wanted=True)
    turns.begin(shared)
    shared[Word.TAKEN] = shared[Word.ARMED]
    shared.beat(Word.HUMAN_TIME)
    assert turns.begin(shared) and shared[Word.ARMED] == shared[Word.TAKEN] == 1
    turns.stand_down(shared)
    shared[Word.HUMAN_TIME] = 1
    turns.begin(shared)
    shared[Word.HAND_TAKEN] = shared[Word.ARMED]  # the guard has not followed yet
    shared.beat(Word.HUMAN_TIME)
    assert turns.begin(shared) and shared[Word.ARMED] == 2


def test_without_it_nobody_waits_and_nothing_is_armed() -> None:
    shared, turns = Shared.private(), Turns(threading.Event(), wanted=False)
    shared.beat(Word.HUMAN_TIME)
    assert turns.begin(shared) and shared[Word.ARMED] == 0
