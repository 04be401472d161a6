"""What the controller holds is written down first and always let go of."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from desktop_agent.hand.ipc.shared_block import Reason, Word
from desktop_agent.protocol import ops
from desktop_agent.protocol.batch import OpResult
from desktop_agent.protocol.errors import CannotAct, TargetError
from desktop_agent.protocol.input_events import ButtonDown, ButtonUp, InputEvent, KeyDown, KeyUp, Move, Text
from tests.hand.controlled import Bench


def test_held_between_operations_and_released_at_the_end(bench: Bench) -> None:
    seen: list[set[str]] = []
    bench.input.after = lambda event: seen.append(set(bench.input.down))
    bench.do(ops.KeyDown("shift"), ops.MouseDown("left", 10, 10), ops.Move(20, 20))
    assert {"shift", "left"} in seen
    bench.assert_nothing_held()
    assert bench.input.events[-2:] == [ButtonUp("left"), KeyUp("shift")]


def test_release_all_releases_in_the_middle(bench: Bench) -> None:
    bench.do(ops.KeyDown("shift"), ops.ReleaseAll(), ops.Move(1, 1))
    assert bench.input.events == [KeyDown("shift"), KeyUp("shift"), Move(1, 1)]


@pytest.mark.parametrize("op", [ops.KeyUp("shift"), ops.MouseUp("left", 3, 3)])
def test_releasing_what_is_not_held_is_refused(bench: Bench, op: ops.Op) -> None:
    assert "not held" in bench.refusal(op)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (ops.KeyDown("a"), ops.KeyDown("a")),
        (ops.MouseDown("left"), ops.Click(5, 5)),
        (ops.MouseDown("left"), ops.DragElement("e1", "e2")),
    ],
)
def test_pressing_what_is_held_is_refused(bench: Bench, first: ops.Op, second: ops.Op) -> None:
    assert "held down already" in bench.refusal(first, second)
    bench.assert_nothing_held()


def test_no_text_while_a_modifier_is_held(bench: Bench) -> None:
    assert "ctrl is held" in bench.refusal(ops.KeyDown("ctrl_right"), ops.Type("w"))
    bench.assert_nothing_held()


def test_the_ledger_is_written_before_each_press(bench: Bench) -> None:
    def look(event: InputEvent) -> None:
        held = bench.shared.codes(Word.KEYS)
        if isinstance(event, KeyDown | Text):
            assert set(bench.input.codes(event)) <= set(held)
        if isinstance(event, ButtonDown):
            assert bench.shared[Word.BUTTONS]
        assert bench.shared[Word.EMITTING_SINCE]

    bench.input.before = look
    outcomes = bench.outcomes(ops.KeyCombo(("ctrl", "s")), ops.Type("abc"), ops.Click(3, 3, "forward"))
    assert outcomes == ["done"] * 3
    bench.assert_nothing_held()


def test_what_a_locked_place_did_not_take_is_not_held(bench: Bench) -> None:
    def lock(event: InputEvent) -> None:
        if event == KeyDown("x"):
            raise CannotAct("Cannot act here: the screen is locked.")

    bench.input.before = lock
    assert bench.outcomes(ops.KeyDown("shift"), ops.KeyDown("x")) == ["done", "failed"]
    assert bench.input.events == [KeyDown("shift"), KeyUp("shift")]
    bench.assert_nothing_held()


EVERYTHING = (
    ops.Click(5, 5, "left", 2, ("ctrl", "shift")),
    ops.Drag((ops.Spot(10, 10), ops.Spot(30, 10)), "middle", ("alt",)),
    ops.KeyDown("shift"),
    ops.MouseDown("right"),
    ops.KeyCombo(("ctrl", "s")),
    ops.MouseUp("right"),
    ops.KeyUp("shift"),
    ops.Scroll(dy=-2),
    ops.Type("hé\nx"),
)


def emits(failure: Callable[[int], None]) -> Bench:
    """Everything carried out, `failure` being called with each event's number before it."""
    bench = Bench()
    count = iter(range(10_000))
    bench.input.before = lambda event: failure(next(count))
    bench.do(*EVERYTHING)
    return bench


NUMBER_OF_EVENTS = len(emits(lambda number: None).input.events)


@pytest.mark.parametrize("error", [TargetError("gone"), RuntimeError("odd"), OSError(5, "io")])
@pytest.mark.parametrize("number", range(NUMBER_OF_EVENTS))
def test_a_fault_at_every_event_leaves_nothing_held(number: int, error: Exception) -> None:
    def fail(n: int) -> None:
        if n == number:
            raise error

    bench = emits(fail)
    bench.input.before = lambda event: None
    results = [told for told in bench.told if isinstance(told, OpResult)]
    assert [r.outcome for r in results].count("failed") == 1
    assert {r.outcome for r in results} <= {"done", "failed", "skipped"}
    assert bench.input.down == set()
    if not any(
        "keycode" in name or name == "wheel" for name in bench.controller.held
    ):  # the guard lets go of these
        bench.assert_nothing_held()


@pytest.mark.parametrize("number", range(NUMBER_OF_EVENTS))
def test_a_release_that_fails_once_is_tried_again(number: int) -> None:
    def fail(n: int) -> None:
        if n in (number, number + 1):
            raise TargetError("busy")

    assert emits(fail).input.down == set()


@pytest.mark.parametrize("number", range(NUMBER_OF_EVENTS))
def test_a_stop_at_every_event_leaves_nothing_held(number: int) -> None:
    bench = Bench()
    count = iter(range(10_000))
    after: list[InputEvent] = []

    def stop(event: InputEvent) -> None:
        if next(count) == number:
            bench.shared.stop(Reason.ESCAPE, guard=True)
        elif bench.shared.stopped:
            after.append(event)

    bench.input.after = stop
    results = bench.do(*EVERYTHING)
    assert all(isinstance(event, KeyUp | ButtonUp) for event in after)
    assert [r.outcome for r in results if r.outcome not in ("done", "skipped")] in (["stopped"], [])
    bench.assert_nothing_held()


def test_an_interrupted_text_is_left_to_the_guard(bench: Bench) -> None:
    def fail(event: InputEvent) -> None:
        if isinstance(event, Text):
            raise TargetError("half way")

    bench.input.before = fail
    bench.do(ops.Type("a"))
    assert bench.controller.held == (f"keycode {ord('a') + 8}",)
    assert bench.shared.codes(Word.KEYS) == (ord("a") + 8,)
