"""What each operation becomes, on an input that lives in memory."""

from __future__ import annotations

import pytest

from desktop_agent.protocol import ops
from desktop_agent.protocol.batch import Batch, OpResult, Progress
from desktop_agent.protocol.errors import Refused
from desktop_agent.protocol.geometry import Point, Rect, Size, Viewport
from desktop_agent.protocol.input_events import (
    ButtonDown,
    ButtonUp,
    InputEvent,
    KeyDown,
    KeyUp,
    Move,
    Text,
    Wheel,
)
from tests.hand.controlled import VIEW, Bench


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


def test_a_capital_beside_other_keys_is_the_key(bench: Bench) -> None:
    bench.do(ops.KeyCombo(("CTRL", "S")))
    lower = list(bench.input.events)
    bench.input.events.clear()
    bench.do(ops.KeyCombo(("ctrl", "s")))
    assert lower == bench.input.events


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
