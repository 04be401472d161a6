"""Where the controller acts, and where it refuses to."""

from __future__ import annotations

import pytest

from desktop_agent.hand.injector.gestures import CHUNK
from desktop_agent.protocol import ops
from desktop_agent.protocol.geometry import Geometry, Point, Rect, Size, Viewport
from desktop_agent.protocol.input_events import ButtonDown, InputEvent, Move
from tests.hand.controlled import NOBODY, Bench
from tests.support.memory_input import SCREEN, MemoryInput


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
