"""The controller's rules, one by one, on an input that lives in memory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from benchmarks.lab.memory_input import SCREEN, MemoryInput
from desktop_agent.hand.controller import Controller
from desktop_agent.hand.gestures import CHUNK
from desktop_agent.hand.rate import BURST
from desktop_agent.hand.shared import Reason, Shared, Word
from desktop_agent.protocol import ops
from desktop_agent.protocol.batch import Batch, OpResult, Progress
from desktop_agent.protocol.errors import Refused, TargetError
from desktop_agent.protocol.events import (
    ButtonDown,
    ButtonUp,
    InputEvent,
    KeyDown,
    KeyUp,
    Move,
    Text,
    Wheel,
)
from desktop_agent.protocol.geometry import Geometry, Point, Rect, Size, Viewport

VIEW = Viewport(SCREEN, SCREEN.size, epoch=1)
BOX = {"e1": Rect(100, 100, 40, 20), "e2": Rect(300, 300, 40, 20), "off": Rect(900, 10, 40, 20)}
NOBODY = Rect(700, 0, 100, 600)


@dataclass
class Bench:
    """A controller on its input, and what it told."""

    input: MemoryInput = field(default_factory=MemoryInput)
    shared: Shared = field(default_factory=Shared.private)
    told: list[Progress | OpResult] = field(default_factory=list)
    view: Viewport = VIEW
    guarded: bool = False

    def __post_init__(self) -> None:
        self.controller = Controller(self.input, self.shared, guarded=self.guarded)

    def do(self, *operations: ops.Op, seconds: float = 20, generation: int | None = None) -> list[OpResult]:
        current = self.shared.generation if generation is None else generation
        batch = Batch("b", operations, self.view, BOX, current, seconds)
        results = self.controller.execute(batch, self.told.append)
        assert len(results) == len(operations)
        return results

    def outcomes(self, *operations: ops.Op) -> list[str]:
        return [result.outcome for result in self.do(*operations)]

    def refusal(self, *operations: ops.Op) -> str:
        """The detail of the last operation, which must have been refused."""
        last = self.do(*operations)[-1]
        assert last.outcome == "refused", last
        return last.detail

    def assert_nothing_held(self) -> None:
        assert self.input.down == set()
        assert self.controller.held == ()
        assert not self.shared.holding
        assert self.shared[Word.EMITTING_SINCE] == self.shared[Word.BUSY] == 0


@pytest.fixture
def bench() -> Bench:
    return Bench()


# ---- gestures --------------------------------------------------------------------------------


def test_click_moves_presses_and_releases(bench: Bench) -> None:
    assert bench.outcomes(ops.Click(400, 300)) == ["done"]
    assert bench.input.events == [Move(400, 300), ButtonDown("left"), ButtonUp("left")]
    assert bench.told == [Progress("b", 0, Point(400, 300)), *bench.told[1:]]
    assert isinstance(bench.told[1], OpResult)


def test_a_picture_pixel_becomes_its_screen_pixel() -> None:
    bench = Bench(view=Viewport(Rect(100, 50, 400, 200), Size(200, 100), 1))
    bench.do(ops.Move(10, 10))
    assert bench.input.events == [Move(121, 71)]


def test_triple_click_with_modifiers_holds_them_around(bench: Bench) -> None:
    bench.do(ops.Click(5, 5, "right", 3, ("shift", "Control")))
    clicks = [ButtonDown("right"), ButtonUp("right")] * 3
    held = [KeyDown("shift"), KeyDown("ctrl"), *clicks, KeyUp("ctrl"), KeyUp("shift")]
    assert bench.input.events == [Move(5, 5), *held]


def test_click_without_coordinates_is_where_the_pointer_is(bench: Bench) -> None:
    bench.input.at = Point(33, 44)
    bench.do(ops.Click())
    assert bench.input.events == [ButtonDown("left"), ButtonUp("left")]


def test_half_a_coordinate_is_refused(bench: Bench) -> None:
    assert "Only one of x and y" in bench.refusal(ops.Click(5, None))
    assert bench.input.events == []


def test_drag_has_points_between_and_ends_at_the_last(bench: Bench) -> None:
    bench.do(ops.Drag((ops.Spot(10, 10), ops.Spot(100, 10), ops.Spot(100, 60))))
    moves = [event for event in bench.input.events if isinstance(event, Move)]
    assert bench.input.events[:2] == [Move(10, 10), ButtonDown("left")]
    assert bench.input.events[-2:] == [Move(100, 60), ButtonUp("left")]
    assert Move(100, 10) in moves and len(moves) > 8


def test_scroll_turns_notch_by_notch(bench: Bench) -> None:
    bench.do(ops.Scroll(dx=1, dy=-2, x=9, y=9))
    assert bench.input.events == [Move(9, 9), Wheel(0, -1), Wheel(0, -1), Wheel(1, 0)]
    assert "nothing to scroll" in bench.refusal(ops.Scroll())


def test_combo_presses_modifiers_first_and_releases_in_reverse(bench: Bench) -> None:
    bench.do(ops.KeyCombo(("s", "shift", "ctrl")))
    assert [event.key for event in bench.input.events if isinstance(event, KeyDown)] == ["shift", "ctrl", "s"]
    assert [event.key for event in bench.input.events if isinstance(event, KeyUp)] == ["s", "ctrl", "shift"]


def test_a_held_modifier_stays_held_through_a_combo(bench: Bench) -> None:
    bench.do(ops.KeyDown("ctrl"), ops.KeyCombo(("ctrl", "a")), ops.KeyCombo(("c",)), ops.KeyUp("ctrl"))
    keys = [("+" if isinstance(e, KeyDown) else "-") + e.key for e in bench.input.events if hasattr(e, "key")]
    assert keys == ["+ctrl", "+a", "-a", "+c", "-c", "-ctrl"]


def test_text_comes_in_chunks_with_its_keys(bench: Bench) -> None:
    words = "x" * 40 + "\n\tä\n\n" + "y" * 17
    bench.do(ops.Type(words))
    assert bench.input.text == words
    assert max(len(e.chunk) for e in bench.input.events if isinstance(e, Text)) <= 32
    assert bench.input.prepared == [words]


def test_a_delay_types_character_by_character(bench: Bench) -> None:
    bench.do(ops.Type("abc", delay=0.001))
    assert bench.input.events == [Text("a"), Text("b"), Text("c")]


def test_element_operations_use_the_bounds_of_the_look(bench: Bench) -> None:
    bench.do(ops.ClickElement("e1"), ops.HoverElement("e2"), ops.ScrollElement("e1", dy=1))
    moves = [Move(120, 110), Move(320, 310), Move(120, 110)]
    assert [event for event in bench.input.events if isinstance(event, Move)] == moves
    bench.do(ops.DragElement("e1", "e2"), ops.FocusElement("e2"), ops.Type("hi", element="e1"))
    assert bench.input.text == "hi"


@pytest.mark.parametrize("element", ["e9", "off"])
def test_an_element_that_is_not_there_is_refused(bench: Bench, element: str) -> None:
    assert bench.outcomes(ops.ClickElement(element)) == ["refused"]
    assert bench.input.events == []


def test_a_half_visible_element_is_met_in_its_visible_part(bench: Bench) -> None:
    batch = Batch("b", (ops.ClickElement("tall"),), VIEW, {"tall": Rect(100, 500, 100, 4000)})
    bench.controller.execute(batch, bench.told.append)
    assert bench.input.events[0] == Move(150, 550)


def test_open_says_what_was_opened(bench: Bench) -> None:
    assert [r.detail for r in bench.do(ops.Open("text editor"))] == ["opened text editor"]
    assert bench.outcomes(ops.Open("nothing")) == ["refused"]


def test_a_release_that_was_refused_is_tried_again(bench: Bench) -> None:
    refusals = [Refused("Not now.")]

    def refuse_once(event: InputEvent) -> None:
        if isinstance(event, ButtonUp) and refusals:
            raise refusals.pop()

    bench.input.before = refuse_once
    assert bench.outcomes(ops.Click(5, 5)) == ["refused"]
    bench.assert_nothing_held()


def test_unknown_key_is_refused_before_anything_is_pressed(bench: Bench) -> None:
    assert "no key called" in bench.refusal(ops.KeyCombo(("ctrl", "frobnicate")))
    assert bench.input.events == []


@pytest.mark.parametrize(
    "op",
    [ops.Run("bash", "ls"), ops.Look(), ops.Done("x"), ops.Pause(), ops.Stop(), ops.Approve(), ops.Resume()],
)
def test_other_operations_do_not_belong_to_the_hand(bench: Bench, op: ops.Op) -> None:
    assert "not an operation of mouse or keyboard" in bench.refusal(op)


# ---- what is held ----------------------------------------------------------------------------


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


# ---- where -----------------------------------------------------------------------------------


def test_outside_the_picture_is_refused(bench: Bench) -> None:
    assert "outside the picture" in bench.refusal(ops.Click(800, 10))
    assert bench.input.events == []


def test_a_hole_between_monitors_is_refused() -> None:
    bench = Bench(
        MemoryInput(Rect(0, 0, 400, 300), Rect(400, 0, 400, 600)),
        view=Viewport(Rect(0, 0, 800, 600), Size(800, 600), 1),
    )
    assert "on no monitor" in bench.refusal(ops.Move(100, 400))


def test_negative_origins_are_reached() -> None:
    left = Rect(-400, -100, 400, 300)
    bench = Bench(MemoryInput(SCREEN, left), view=Viewport(left, left.size, 1))
    bench.do(ops.Move(0, 0))
    assert bench.input.events == [Move(-400, -100)]


def test_outside_the_region_is_refused(bench: Bench) -> None:
    bench.controller.confine(Rect(0, 0, 200, 200))
    assert bench.outcomes(ops.Click(100, 100)) == ["done"]
    assert "outside the region" in bench.refusal(ops.Click(300, 100))
    bench.input.at = Point(500, 500)
    assert "outside the region" in bench.refusal(ops.Scroll(dy=1))
    bench.controller.confine(None)
    assert bench.outcomes(ops.Click(300, 100)) == ["done"]


@pytest.mark.parametrize(
    "op",
    [
        ops.Click(750, 10),
        ops.Move(750, 10),
        ops.Scroll(dy=1, x=750, y=10),
        ops.Drag((ops.Spot(10, 10), ops.Spot(790, 10))),
    ],
)
def test_a_protected_window_is_never_touched(bench: Bench, op: ops.Op) -> None:
    bench.input.windows = [(NOBODY, 77), (SCREEN, 5)]
    bench.controller.protect([77])
    assert "agent's own" in bench.refusal(op)
    assert not any(isinstance(e, Move) and NOBODY.contains(Point(e.x, e.y)) for e in bench.input.events)
    bench.assert_nothing_held()


@pytest.mark.parametrize("op", [ops.Type("secret"), ops.KeyCombo(("ctrl", "q")), ops.KeyDown("a")])
def test_a_protected_window_is_never_typed_into(bench: Bench, op: ops.Op) -> None:
    bench.controller.protect([77])
    bench.input.focus = 77
    assert "has the keyboard" in bench.refusal(op)
    assert bench.input.events == []


def test_focus_that_goes_to_a_protected_window_mid_type_ends_it(bench: Bench) -> None:
    bench.controller.protect([77])

    def steal(event: InputEvent) -> None:
        bench.input.focus = 77

    bench.input.after = steal
    detail = bench.refusal(ops.Type("x" * 100))
    assert f"{CHUNK} of 100 characters were typed" in detail
    assert len(bench.input.text) == CHUNK


def test_typing_waits_until_the_clicked_window_has_the_keyboard(bench: Bench) -> None:
    bench.input.windows = [(SCREEN, 5)]
    bench.input.focus, bench.input.focus_follows = 9, False
    assert "did not take the keyboard" in bench.refusal(ops.Click(5, 5), ops.Type("x"))
    assert bench.input.text == ""
    bench.input.focus_follows = True
    assert bench.outcomes(ops.Click(5, 5), ops.Type("x")) == ["done", "done"]


def test_a_pointer_that_someone_else_moved_is_not_pressed(bench: Bench) -> None:
    def nudge(event: InputEvent) -> None:
        if isinstance(event, Move):
            bench.input.at = Point(event.x + 50, event.y)

    bench.input.after = nudge
    assert "moved the pointer" in bench.refusal(ops.Click(5, 5))
    assert [e for e in bench.input.events if isinstance(e, ButtonDown)] == []


def test_a_batch_for_another_geometry_is_refused(bench: Bench) -> None:
    bench.input.layout = Geometry((SCREEN,), epoch=2)
    assert bench.outcomes(ops.Move(5, 5), ops.Type("x")) == ["refused", "skipped"]
    assert bench.input.events == []


def test_a_display_that_changes_mid_batch_ends_it(bench: Bench) -> None:
    def shrink(event: InputEvent) -> None:
        if isinstance(event, Move) and event.x > 40:
            bench.input.layout = Geometry((Rect(0, 0, 640, 480),), epoch=2)

    bench.input.after = shrink
    results = bench.do(ops.Drag((ops.Spot(10, 10), ops.Spot(100, 10))), ops.Click(5, 5))
    assert [r.outcome for r in results] == ["refused", "skipped"]
    assert "changed its size" in results[0].detail
    assert "operation 1 was refused" in results[1].detail
    bench.assert_nothing_held()


# ---- when ------------------------------------------------------------------------------------


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
        bench.shared[Word.PAUSED] = 1

    bench.input.after = pause
    results = bench.do(ops.Click(5, 5), ops.Move(6, 6), ops.Wait(30))
    assert [(r.outcome, r.detail) for r in results] == [("done", "")] + [("skipped", "paused")] * 2


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
