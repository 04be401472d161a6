"""The guard's own decisions: which ESC is whose, and what is to be done about a silent part."""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import pytest

from desktop_agent.hand.guard.main import LET_GO_AFTER_STOP, Guard
from desktop_agent.hand.ipc.shared_block import Reason, Shared, Word
from desktop_agent.hand.own_escapes import FORGET, Escapes
from desktop_agent.platforms.base import EscapeSink, HumanSink, InputWatch
from desktop_agent.platforms.x11.input_watch.escape_watch import KeymapWatch, RawWatch
from desktop_agent.platforms.x11.input_watch.release import open_connection, runs
from tests.desk import Desk, until
from tests.hand.human import ESCAPE, Human


@dataclass
class Judge:
    """Escapes on a clock of the test's, and how often they stopped."""

    shared: Shared = field(default_factory=Shared.private)
    stops: list[str] = field(default_factory=list)
    now: float = 0.0

    def __post_init__(self) -> None:
        self.escapes = Escapes(self.shared, lambda: self.stops.append("stop"), lambda: self.now)

    def beat(self) -> None:
        self.shared.beat(Word.GUARD_BEAT)

    def hand_presses(self) -> None:
        self.shared[Word.ESCAPES_SENT] += 1
        self.shared[Word.ESCAPES_DONE] += 1


# ---- whose ESC -------------------------------------------------------------------------------


def test_as_many_presses_are_excused_as_the_hand_counted() -> None:
    judge = Judge()
    judge.hand_presses()
    judge.hand_presses()
    judge.escapes.pressed(from_own_device=True)
    judge.escapes.pressed(from_own_device=True)
    assert judge.stops == []
    judge.escapes.pressed(from_own_device=True)
    assert judge.stops == ["stop"]
    judge.hand_presses()
    judge.escapes.pressed(from_own_device=True)
    assert judge.stops == ["stop"]


def test_a_press_of_another_device_is_never_excused() -> None:
    judge = Judge()
    judge.hand_presses()
    judge.escapes.pressed(from_own_device=False)
    assert judge.stops == ["stop"]
    judge.escapes.pressed(from_own_device=True)
    assert judge.stops == ["stop"]


def test_an_own_press_that_never_arrives_is_forgotten() -> None:
    judge = Judge()
    judge.hand_presses()
    judge.escapes.settle()
    judge.now = FORGET / 2
    judge.escapes.settle()
    judge.now = FORGET * 3
    judge.escapes.settle()
    judge.escapes.pressed(from_own_device=True)
    assert judge.stops == ["stop"]


def test_an_own_press_under_way_is_not_forgotten() -> None:
    judge = Judge()
    judge.shared[Word.ESCAPES_SENT] += 1
    for judge.now in (0, FORGET * 2, FORGET * 4):
        judge.escapes.settle()
    judge.escapes.pressed(from_own_device=True)
    assert judge.stops == []


CODES = frozenset({ESCAPE})
RIGHT = 3


def test_escape_down_is_the_humans_unless_the_hand_may_hold_it() -> None:
    judge = Judge()
    before = judge.escapes.snapshot(CODES)
    judge.hand_presses()
    assert not judge.escapes.down(before, judge.escapes.snapshot(CODES))
    judge.shared.add_codes(Word.KEYS, CODES)
    held = judge.escapes.snapshot(CODES)
    assert not judge.escapes.down(held, judge.escapes.snapshot(CODES))
    judge.shared.drop_codes(Word.KEYS, CODES)
    free = judge.escapes.snapshot(CODES)
    assert judge.escapes.down(free, judge.escapes.snapshot(CODES))
    assert judge.stops == ["stop"]


# ---- two ways to see it, each alone ----------------------------------------------------------


def test_the_keymap_alone_shows_a_press(shared_display: Desk, human: Human) -> None:
    judge = Judge()
    KeymapWatch(open_connection(shared_display.environment)).start(judge.escapes, lambda: 0.002, judge.beat)
    human.press(ESCAPE)
    until(lambda: judge.stops, "the stop")
    human.release(ESCAPE)
    assert judge.shared[Word.GUARD_BEAT]


def test_raw_events_alone_show_each_press(shared_display: Desk, human: Human) -> None:
    judge = Judge()
    RawWatch(open_connection(shared_display.environment), lambda: CODES).start(
        judge.escapes, lambda: 0.002, judge.beat
    )
    judge.hand_presses()
    for _ in range(3):
        human.tap()
    until(lambda: len(judge.stops) == 2, "two stops for three presses, of which one is excused")


def test_escape_is_found_on_another_key(shared_display: Desk, human: Human) -> None:
    other = 97  # a key code without a meaning on this display
    watch = KeymapWatch(open_connection(shared_display.environment))
    judge = Judge()
    watch.start(judge.escapes, lambda: 0.002, judge.beat)
    human.display.core.ChangeKeyboardMapping(1, other, 1, [0xFF1B])
    human.display.sync()
    until(lambda: other in watch.escapes, "the new key map")
    human.press(other)
    until(lambda: judge.stops, "the stop")
    human.release(other)
    human.display.core.ChangeKeyboardMapping(1, other, 1, [0])
    human.display.sync()


def test_neighbours_are_changed_together() -> None:
    assert runs([8, 9, 10, 20, 22, 23]) == [(8, 3), (20, 1), (22, 2)]
    assert runs([]) == []


# ---- silence ---------------------------------------------------------------------------------


class Keys(InputWatch):
    """Keys and buttons in memory: what was released and unmapped. Nobody presses ESC there."""

    def __init__(self) -> None:
        self.released: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
        self.unmapped: list[int] = []

    def watch_escape(
        self, escapes: EscapeSink, interval: Callable[[], float], beat: Callable[[], None]
    ) -> None:
        beat()

    def watch_human(self, human: HumanSink) -> bool:
        return False

    def watching(self) -> bool:
        return True

    def release(self, keys: Sequence[int], buttons: Sequence[int]) -> bool:
        self.released.append((tuple(keys), tuple(buttons)))
        return True

    def unmap(self, codes: Sequence[int]) -> int:
        self.unmapped.extend(codes)
        return len(codes)


@dataclass
class Watched:
    """A running guard whose hand is a process that does nothing."""

    shared: Shared
    keys: Keys
    hand: subprocess.Popen[bytes]
    brain: int
    guard: threading.Thread

    def await_end(self) -> None:
        self.guard.join(30)
        assert not self.guard.is_alive()
        assert self.hand.poll() is not None
        assert not self.shared.holding


@pytest.fixture
def watched() -> Iterator[Watched]:
    shared, keys = Shared.private(), Keys()
    hand = subprocess.Popen(["sleep", "600"])
    ours, brain = os.pipe()
    shared.begin_brain(0)
    shared[Word.HAND_PID] = hand.pid
    guard = Guard(shared, keys, pipe=ours)
    guard.start()
    thread = threading.Thread(target=guard.run)
    thread.start()
    shared.add_codes(Word.KEYS, (38, 50))
    shared.add_codes(Word.SPARES, (97,))
    shared[Word.BUTTONS] = 1 << RIGHT
    shared[Word.BUSY] = 1
    made = Watched(shared, keys, hand, brain, thread)
    yield made
    guard.brain_is_gone()
    thread.join(30)
    hand.kill()
    hand.wait()
    os.close(made.brain)


def test_an_event_that_takes_too_long_is_a_stuck_hand(watched: Watched) -> None:
    watched.shared[Word.EMITTING_SINCE] = 1
    watched.await_end()
    assert watched.keys.released[0] == ((38, 50), (RIGHT,))
    assert watched.keys.unmapped == [97]


def test_a_hand_that_is_stuck_in_a_question_and_holds_something_is_ended(
    watched: Watched, capfd: pytest.CaptureFixture[str]
) -> None:
    watched.shared[Word.HAND_BEAT] = 1
    watched.await_end()
    assert watched.keys.released
    assert "stop HAND_WEDGED" in capfd.readouterr().out


def test_a_hand_that_does_not_let_go_after_a_stop_is_ended(watched: Watched) -> None:
    watched.shared.stop(Reason.BRAIN)
    watched.await_end()
    assert watched.keys.released


def test_a_hand_that_lets_go_and_does_not_end_its_batch_after_a_stop_is_ended(watched: Watched) -> None:
    watched.shared.clear_held()
    watched.shared.stop(Reason.BRAIN)
    watched.await_end()


def test_stop_upon_stop_gives_a_stuck_hand_no_more_time(watched: Watched) -> None:
    over = threading.Event()

    def hammer() -> None:
        while not over.wait(LET_GO_AFTER_STOP / 5):
            watched.shared.stop(Reason.BRAIN)

    thread = threading.Thread(target=hammer)
    thread.start()
    try:
        watched.await_end()
    finally:
        over.set()
        thread.join()


def test_a_hand_that_keeps_the_desktop_waiting_is_ended_without_any_stop(watched: Watched) -> None:
    watched.shared.grabbing(True)
    watched.await_end()
    assert watched.keys.released[0] == ((38, 50), (RIGHT,))
    assert watched.shared.reason is Reason.HAND_WEDGED and watched.shared[Word.HAND_KILLED]


def test_the_end_of_a_hand_that_did_not_answer_a_stop_is_no_other_reason(watched: Watched) -> None:
    watched.shared.stop(Reason.ESCAPE, guard=True)
    watched.await_end()
    assert watched.shared.reason is Reason.ESCAPE


def test_a_hand_that_lets_go_is_left_alone(watched: Watched, capfd: pytest.CaptureFixture[str]) -> None:
    watched.shared.clear_held()
    watched.shared[Word.BUSY] = 0
    watched.shared.stop(Reason.BRAIN)
    said: list[str] = []

    def released() -> bool:
        said.append(capfd.readouterr().out)
        return "released" in "".join(said)

    until(released, "the guard's word that all is released")
    assert watched.hand.poll() is None


def test_a_brain_that_falls_silent_during_a_batch_stops_it(watched: Watched) -> None:
    watched.shared.clear_held()
    watched.shared[Word.BRAIN_BEAT] = 1
    until(lambda: watched.shared.reason is Reason.BRAIN_SILENT, "the stop")


def test_the_end_of_the_pipe_is_the_end_of_the_brain(watched: Watched) -> None:
    os.close(watched.brain)
    watched.brain = os.dup(0)
    watched.await_end()
    assert watched.shared.reason is Reason.BRAIN_GONE
