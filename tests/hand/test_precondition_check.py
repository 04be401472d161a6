"""An operation whose place is not as it was looked at any more is refused before it does anything."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import msgspec
import pytest

from desktop_agent.hand.injector.controller import Controller
from desktop_agent.hand.injector.gestures import CHUNK
from desktop_agent.hand.ipc.shared_block import Shared
from desktop_agent.protocol import ops
from desktop_agent.protocol.batch import Batch, Expect, OpResult, sealed
from desktop_agent.protocol.geometry import Point, Rect, Viewport
from desktop_agent.protocol.input_events import ButtonDown, ButtonUp, InputEvent, KeyDown, Move, Text
from tests.support.memory_input import SCREEN, WINDOW, MemoryInput

LEFT, RIGHT = Rect(0, 0, 400, 600), Rect(400, 0, 400, 600)
PATCH = Rect(90, 90, 20, 20)
AT = Point(100, 100)
CLICK = ops.Click(AT.x, AT.y)


class Screen(MemoryInput):
    """Two windows, of processes 1 and 2; an area has spots of the shade that `shades` has for its corner."""

    def __init__(self) -> None:
        super().__init__()
        self.windows = [(LEFT, 1), (RIGHT, 2)]
        self.focus = 1
        self.shades: dict[Point, int] = {}
        self.show = self.draw
        self.grabs = 0
        self.grabbed = False

    def draw(self, area: Rect) -> bytes:
        shade = self.shades.get(Point(area.x, area.y), 0)
        spots = (x * y % 5 > 2 for y in range(area.height) for x in range(area.width))
        return b"".join(bytes([shade * spot] * 4) for spot in spots)

    @contextmanager
    def still(self) -> Iterator[None]:
        self.grabs, self.grabbed = self.grabs + 1, True
        yield
        self.grabbed = False


@pytest.fixture
def screen() -> Screen:
    return Screen()


def place(screen: Screen, at: Point = AT, patch: Rect = PATCH, *, index: int = 0, pid: int = 1) -> Expect:
    """What is there now, as a look would tell."""
    return Expect(index, at, (WINDOW + pid,), 0, patch, screen.pixels(patch), pointer=screen.at)


def do(
    screen: Screen, *operations: ops.Op, expects: tuple[Expect, ...], approval: str = ""
) -> list[OpResult]:
    shared = Shared.private()
    view = Viewport(SCREEN, SCREEN.size, epoch=1)
    batch = Batch("b", operations, view, expects=expects, approval=approval)
    return Controller(screen, shared).execute(batch, lambda news: None)


def test_what_is_as_it_was_is_done(screen: Screen) -> None:
    (result,) = do(screen, CLICK, expects=(place(screen),))
    assert (result.outcome, result.stale) == ("done", False)
    assert screen.grabs == 1


def test_another_window_at_the_place_is_refused_before_the_pointer_moves(screen: Screen) -> None:
    expected = place(screen)
    screen.windows.insert(0, (Rect(80, 80, 50, 50), 9))
    first, second = do(screen, CLICK, ops.Type("hello"), expects=(expected,))
    assert (first.outcome, first.stale, second.outcome) == ("refused", True, "skipped")
    assert "Another window is at 100,100" in first.detail and "Look again." in first.detail
    assert screen.events == []


def test_other_pixels_at_the_place_are_refused(screen: Screen) -> None:
    expected = place(screen)
    screen.shades[Point(PATCH.x, PATCH.y)] = 250
    (result,) = do(screen, CLICK, expects=(expected,))
    assert (result.outcome, result.stale) == ("refused", True)
    assert "What is at 100,100 is not what was looked at." in result.detail
    assert screen.events == []


def test_a_window_that_comes_between_the_check_and_the_press_gets_nothing(screen: Screen) -> None:
    expected = place(screen)

    def pop_up(event: InputEvent) -> None:
        if isinstance(event, Move):
            screen.windows.insert(0, (Rect(80, 80, 50, 50), 9))

    screen.after = pop_up
    (result,) = do(screen, CLICK, expects=(expected,))
    assert (result.outcome, result.stale) == ("refused", True)
    assert screen.events == [Move(100, 100)]


def test_another_label_between_the_check_and_the_press_is_refused(screen: Screen) -> None:
    expected = place(screen)

    def relabel(event: InputEvent) -> None:
        screen.shades[Point(PATCH.x, PATCH.y)] = 250

    screen.after = relabel
    (result,) = do(screen, CLICK, expects=(expected,))
    assert (result.stale, result.acted) == (True, False)
    assert screen.events == [Move(100, 100)]


def test_the_press_is_made_while_everything_else_holds_still(screen: Screen) -> None:
    still: dict[type[InputEvent], bool] = {}
    screen.before = lambda event: still.update({type(event): screen.grabbed})
    do(screen, CLICK, expects=(place(screen),))
    assert still == {Move: False, ButtonDown: True, ButtonUp: False}


def test_what_a_first_click_opens_may_not_get_the_second(screen: Screen) -> None:
    expected = place(screen)

    def open_(event: InputEvent) -> None:
        if isinstance(event, ButtonUp):
            screen.windows.insert(0, (Rect(80, 80, 50, 50), 9))

    screen.after = open_
    (result,) = do(screen, ops.Click(100, 100, count=2), expects=(expected,))
    assert (result.stale, result.acted) == (True, True)
    assert screen.events == [Move(100, 100), ButtonDown("left"), ButtonUp("left")]
    assert not screen.down


def test_both_ends_of_a_drag_are_compared_before_it_begins(screen: Screen) -> None:
    end = Rect(490, 90, 20, 20)
    expects = (place(screen), place(screen, Point(500, 100), end, pid=2))
    screen.shades[Point(end.x, end.y)] = 250
    (result,) = do(screen, ops.Drag((ops.Spot(100, 100), ops.Spot(500, 100))), expects=expects)
    assert result.stale and "500,100" in result.detail
    assert screen.events == []


def test_scrolling_asks_for_the_window_alone_before_every_notch(screen: Screen) -> None:
    expected = Expect(0, AT, (WINDOW + 1,))

    def swap(event: InputEvent) -> None:
        if not isinstance(event, Move):
            screen.windows.insert(0, (Rect(80, 80, 50, 50), 9))

    screen.after = swap
    assert do(screen, ops.Scroll(dy=-5, x=100, y=100), expects=(expected,))[0].stale
    assert len(screen.events) == 2


def test_keys_go_to_the_window_that_had_the_keyboard(screen: Screen) -> None:
    assert do(screen, ops.Type("hello"), expects=(Expect(0, None, (WINDOW + 1,)),))[0].outcome == "done"
    screen.focus = 2
    (result,) = do(screen, ops.Type("more"), expects=(Expect(0, None, (WINDOW + 1,)),))
    assert result.stale and "has the keyboard" in result.detail
    assert screen.text == "hello"


def test_a_window_that_takes_the_keyboard_while_typing_gets_nothing(screen: Screen) -> None:
    def steal(event: InputEvent) -> None:
        screen.focus = 2

    screen.after = steal
    whole = Text("x" * CHUNK)
    (result,) = do(screen, ops.Type(whole.chunk + "rest"), expects=(Expect(0, None, (WINDOW + 1,)),))
    assert (
        result.stale and result.acted and f"({CHUNK} of {CHUNK + 4} characters were typed)" in result.detail
    )
    assert screen.events == [whole]


def test_another_window_of_the_same_process_will_do_after_keys_of_ours(screen: Screen) -> None:
    screen.focus = 2
    expected = Expect(0, None, (WINDOW + 77,), owner=2)
    assert do(screen, ops.KeyCombo(("enter",)), expects=(expected,))[0].outcome == "done"
    assert KeyDown("enter") in screen.events


def test_where_a_target_cannot_tell_nothing_is_compared(screen: Screen) -> None:
    expected = msgspec.structs.replace(place(screen), windows=())
    screen.show = lambda area: b""
    assert do(screen, CLICK, expects=(expected,))[0].outcome == "done"


def test_a_batch_that_is_not_the_approved_one_is_refused(screen: Screen) -> None:
    view = Viewport(SCREEN, SCREEN.size, epoch=1)
    approved = sealed(Batch("b", (CLICK,), view)).approval
    assert do(screen, CLICK, expects=(), approval=approved)[0].outcome == "done"
    screen.events.clear()
    (result,) = do(screen, ops.Click(101, 100), expects=(), approval=approved)
    assert (result.outcome, result.stale) == ("refused", False)
    assert "not what was approved" in result.detail and screen.events == []
