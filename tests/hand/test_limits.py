"""When the controller acts: not while stopped, late, paused or unguarded, and never too fast."""

from __future__ import annotations

from desktop_agent.hand.injector.controller import Controller
from desktop_agent.hand.injector.gestures import CHUNK
from desktop_agent.hand.injector.rate_limit import BURST
from desktop_agent.hand.ipc.shared_block import Reason, Word
from desktop_agent.protocol import ops
from desktop_agent.protocol.errors import OffReason
from desktop_agent.protocol.input_events import ButtonDown, ButtonUp, InputEvent, Move
from tests.hand.controlled import Bench


def test_nothing_happens_while_stopped_nor_in_an_old_generation(bench: Bench) -> None:
    bench.shared.stop(Reason.ESCAPE, guard=True)
    assert bench.do(ops.Move(5, 5))[0].detail == "ESC was pressed"
    bench.shared.reset()
    assert [r.outcome for r in bench.do(ops.Move(5, 5), ops.Move(6, 6), generation=0)] == [
        "stopped",
        "skipped",
    ]
    assert bench.input.events == []
    assert bench.outcomes(ops.Move(5, 5)) == ["done"]


def test_a_stop_that_was_reset_meanwhile_still_ends_the_batch(bench: Bench) -> None:
    def stop_and_reset(event: InputEvent) -> None:
        bench.shared.stop(Reason.BRAIN)
        bench.shared.reset()

    bench.input.after = stop_and_reset
    assert bench.outcomes(ops.Move(5, 5), ops.Move(6, 6)) == ["done", "stopped"]


def test_a_batch_that_takes_too_long_ends(bench: Bench) -> None:
    results = bench.do(ops.KeyDown("shift"), ops.Wait(30), ops.Move(5, 5), seconds=0.05)
    assert [r.outcome for r in results] == ["done", "failed", "skipped"]
    assert "longer than 0.05 s" in results[1].detail
    bench.assert_nothing_held()


def test_pause_skips_what_is_left(bench: Bench) -> None:
    def pause(event: InputEvent) -> None:
        if isinstance(event, ButtonDown):
            bench.shared[Word.PAUSED] = 1

    bench.input.after = pause
    results = bench.do(ops.Click(5, 5), ops.Move(6, 6), ops.Wait(30))
    assert [(r.outcome, r.detail) for r in results] == [("done", "")] + [("skipped", "paused")] * 2


def test_paused_before_anything_is_held_nothing_more_goes_out(bench: Bench) -> None:
    def pause(event: InputEvent) -> None:
        bench.shared[Word.PAUSED] = 1

    bench.input.after = pause
    results = bench.do(ops.Click(5, 5), ops.Move(6, 6))
    assert [(r.outcome, r.detail) for r in results] == [("skipped", "paused")] * 2
    assert [type(event) for event in bench.input.events] == [Move]


def test_while_it_is_off_nothing_goes_out_but_what_lets_go(bench: Bench) -> None:
    def lock(event: InputEvent) -> None:
        if isinstance(event, ButtonDown):
            bench.shared[Word.OFF] = OffReason.LOCKED

    bench.input.after = lock
    results = bench.do(ops.Drag((ops.Spot(5, 5), ops.Spot(50, 50)), "left"), ops.Move(6, 6))
    assert [r.outcome for r in results] == ["skipped"] * 2 and "locked" in results[0].detail
    assert [type(event) for event in bench.input.events] == [Move, ButtonDown, ButtonUp]
    bench.input.after = lambda event: None
    assert [r.outcome for r in bench.do(ops.Type("x"), ops.Open("a program"))] == ["skipped"] * 2
    bench.shared[Word.OFF] = 0
    assert [r.outcome for r in bench.do(ops.Move(7, 7))] == ["done"]


def test_what_the_human_allowed_to_fill_the_screen_does_not_switch_off(bench: Bench) -> None:
    bench.shared[Word.OFF], bench.shared[Word.FULL_SCREEN_WINDOW] = OffReason.FULL_SCREEN, 7
    assert [r.outcome for r in bench.do(ops.Move(7, 7))] == ["skipped"]
    bench.shared[Word.FULL_SCREEN_ALLOWED] = 7
    assert [r.outcome for r in bench.do(ops.Move(7, 7))] == ["done"]
    bench.shared[Word.OFF] |= OffReason.LOCKED
    assert [r.outcome for r in bench.do(ops.Move(7, 7))] == ["skipped"]


def test_pause_ends_a_wait_and_a_long_text(bench: Bench) -> None:
    def pause(event: InputEvent) -> None:
        bench.shared[Word.PAUSED] = 1

    bench.input.after = pause
    assert bench.do(ops.Type("x" * 100))[0].detail == f"paused ({CHUNK} of 100 characters were typed)"
    bench.shared[Word.PAUSED] = 0
    results = bench.do(ops.Type("x"), ops.Wait(30))
    assert [r.outcome for r in results] == ["done", "skipped"]


def test_a_silent_guard_stops_the_hand() -> None:
    bench = Bench(guarded=True)
    results = bench.do(ops.Move(5, 5))
    assert results[0].outcome == "failed" and "guard" in results[0].detail
    assert bench.input.events == []


def test_a_guard_that_falls_silent_mid_press_lets_go_at_once() -> None:
    bench = Bench(guarded=True)
    bench.shared.beat(Word.GUARD_BEAT)

    def silence(event: InputEvent) -> None:
        if isinstance(event, ButtonDown):
            bench.shared[Word.GUARD_BEAT] = 1

    bench.input.after = silence
    assert bench.outcomes(ops.Drag((ops.Spot(10, 10), ops.Spot(90, 90)))) == ["failed"]
    bench.assert_nothing_held()
    assert bench.input.events == [Move(10, 10), ButtonDown("left"), ButtonUp("left")]


def test_the_rate_holds_over_all_events() -> None:
    """A bound from below: fewer seconds would break the promise, more are a busy machine."""
    bench = Bench()
    bench.controller = Controller(bench.input, bench.shared, max_rate=200)
    result = bench.do(ops.Scroll(dy=-(BURST + 30)))[0]
    assert result.seconds >= 30 / 200


def test_own_escape_is_counted_before_it_goes_out(bench: Bench) -> None:
    counts: list[tuple[int, int]] = []
    words = bench.shared
    bench.input.before = lambda event: counts.append((words[Word.ESCAPES_SENT], words[Word.ESCAPES_DONE]))
    bench.do(ops.KeyCombo(("Esc",)))
    assert counts == [(1, 0), (1, 1)]
