"""What a batch keeps held is let go at the first reason there is, and in any case when its lease is over."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from desktop_agent.hand.injector.controller import Controller
from desktop_agent.hand.injector.stop_gate import LEASE
from desktop_agent.hand.ipc.shared_block import Reason, Word
from desktop_agent.protocol import ops
from desktop_agent.protocol.batch import LET_GO, Batch, OpResult
from desktop_agent.protocol.input_events import ButtonUp, KeyUp
from tests.hand.controlled import VIEW, Bench

PRESS = (ops.MouseDown("left", 100, 100), ops.KeyDown("w"))
RELEASE = (ops.MouseUp("left", 140, 100), ops.KeyUp("w"))


class Clocked(Bench):
    """A bench whose clock the test sets."""

    def __post_init__(self) -> None:
        self.now = 1_000.0
        self.controller = Controller(self.input, self.shared, clock=lambda: self.now)

    def tick(self, *operations: ops.Op, keeps: float = LEASE) -> list[OpResult]:
        batch = Batch("tick", operations, VIEW, generation=self.shared.generation, seconds=1_000, keeps=keeps)
        return self.controller.execute(batch, self.told.append)


@pytest.fixture
def bench() -> Clocked:
    return Clocked()


def test_it_stays_held_from_batch_to_batch(bench: Clocked) -> None:
    assert [each.outcome for each in bench.tick(*PRESS)] == ["done", "done"]
    for _ in range(5):
        bench.now += LEASE * 0.9
        bench.controller.rest()
        assert set(bench.controller.held) == {"left button", "w"} and bench.shared.holding
        assert bench.shared[Word.BUSY] == 1, "to the guard it is the middle of a batch"
        bench.tick(ops.Move(110, 100))
    assert [each.outcome for each in bench.tick(*RELEASE)] == ["done", "done"]
    bench.assert_nothing_held()


def test_it_is_let_go_when_the_next_batch_does_not_come(bench: Clocked) -> None:
    bench.tick(*PRESS)
    bench.now += LEASE * 1.01
    bench.controller.rest()
    bench.assert_nothing_held()
    assert {ButtonUp("left"), KeyUp("w")} <= set(bench.input.events)
    assert bench.tick(*RELEASE)[0].outcome == "refused", "what is not held cannot be released"


def test_a_batch_that_goes_on_is_told_that_it_was_let_go(bench: Clocked) -> None:
    bench.tick(*PRESS)
    on = Batch("tick", (ops.Move(110, 100),), VIEW, seconds=1_000, keeps=LEASE, goes_on=True)
    assert bench.controller.execute(on, bench.told.append)[0].outcome == "done"
    bench.now += LEASE * 1.01
    bench.controller.rest()
    (result,) = bench.controller.execute(on, bench.told.append)
    assert (result.outcome, result.detail) == ("refused", LET_GO)
    bench.assert_nothing_held()


def test_nobody_can_ask_for_more_than_a_lease(bench: Clocked) -> None:
    bench.tick(*PRESS, keeps=1_000)
    bench.now += LEASE * 1.01
    bench.controller.rest()
    bench.assert_nothing_held()


REASONS: list[Callable[[Clocked], object]] = [
    lambda bench: bench.shared.stop(Reason.BRAIN),
    lambda bench: bench.shared.stop(Reason.ESCAPE, guard=True),
    lambda bench: bench.shared.reset(),
    lambda bench: bench.shared.__setitem__(Word.PAUSED, 1),
    lambda bench: bench.shared.__setitem__(Word.TAKEN, 7),
]


@pytest.mark.parametrize("reason", REASONS)
def test_whatever_ends_a_batch_ends_the_keeping(reason: Callable[[Clocked], object], bench: Clocked) -> None:
    bench.shared[Word.ARMED] = 7
    bench.tick(*PRESS)
    bench.controller.rest()
    assert bench.controller.keeping
    reason(bench)
    bench.controller.rest()
    bench.assert_nothing_held()


@pytest.mark.parametrize("reason", REASONS)
def test_after_that_no_batch_takes_it_on(reason: Callable[[Clocked], object], bench: Clocked) -> None:
    bench.shared[Word.ARMED] = 7
    bench.tick(*PRESS)
    old = bench.shared.generation
    reason(bench)
    bench.controller.execute(Batch("tick", (), VIEW, generation=old, keeps=LEASE), bench.told.append)
    bench.assert_nothing_held()


def test_an_ordinary_batch_begins_with_nothing_held(bench: Clocked) -> None:
    bench.tick(*PRESS)
    bench.do(ops.KeyDown("w"), ops.KeyUp("w"))
    bench.assert_nothing_held()


@pytest.mark.parametrize("bad", [ops.KeyUp("a"), ops.MouseDown("right", 5_000, 10)])
def test_a_batch_that_fails_keeps_nothing(bad: ops.Op, bench: Clocked) -> None:
    bench.tick(*PRESS)
    assert bench.tick(bad)[0].outcome == "refused"
    bench.assert_nothing_held()


def test_a_silent_guard_ends_it() -> None:
    bench = Clocked()
    bench.controller = Controller(bench.input, bench.shared, guarded=True, clock=lambda: bench.now)
    bench.shared.beat(Word.GUARD_BEAT)
    bench.tick(*PRESS)
    bench.shared[Word.GUARD_BEAT] = 1  # long ago
    bench.controller.rest()
    bench.assert_nothing_held()


def test_what_is_not_a_keeping_batch_is_as_it_was() -> None:
    assert msgspec.convert(msgspec.to_builtins(Batch("b", (), VIEW)), Batch).keeps == 0


def hold(bench: Clocked, *operations: ops.Op) -> list[OpResult]:
    batch = Batch("hold", operations, VIEW, generation=bench.shared.generation, holds_buttons=True)
    return bench.controller.execute(batch, bench.told.append)


def test_a_held_button_outlives_every_lease_and_moves_with_later_batches(bench: Clocked) -> None:
    hold(bench, *PRESS)
    assert bench.controller.held == ("left button",), "a key is let go at the end of its batch"
    bench.now += 10_000
    bench.controller.rest()
    hold(bench, ops.Move(110, 100))
    assert bench.controller.held == ("left button",)
    (up,) = hold(bench, ops.MouseUp("left", 140, 100))
    assert up.outcome == "done"
    bench.assert_nothing_held()


@pytest.mark.parametrize("reason", REASONS)
def test_a_held_button_is_let_go_at_the_first_reason(
    reason: Callable[[Clocked], object], bench: Clocked
) -> None:
    bench.shared[Word.ARMED] = 7
    hold(bench, PRESS[0])
    reason(bench)
    bench.controller.rest()
    bench.assert_nothing_held()


def test_a_batch_that_holds_no_buttons_or_fails_lets_go_of_them(bench: Clocked) -> None:
    hold(bench, PRESS[0])
    bench.do(ops.Move(110, 100))
    bench.assert_nothing_held()
    hold(bench, PRESS[0])
    assert hold(bench, ops.Move(5_000, 10))[0].outcome == "refused"
    bench.assert_nothing_held()
