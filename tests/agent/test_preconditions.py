"""What the hand is told to find: the window, the part of the picture, and who has the keyboard."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import pytest

from desktop_agent.agent.acting.moving_places import MovingPlaces
from desktop_agent.agent.acting.preconditions import (
    AROUND,
    Preconditions,
    beside,
    narrowed,
    without_pixels,
)
from desktop_agent.agent.looking.observer import LOOKS, steady
from desktop_agent.protocol import ops
from desktop_agent.protocol.batch import Batch, Expect
from desktop_agent.protocol.geometry import Point, Rect, Viewport
from desktop_agent.protocol.scene import Scene, TopWindow
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.encoding.encode import crop
from desktop_agent.vision.observation import Element, Observation
from tests.support.memory_desk import MemoryTarget

SCREEN = Rect(0, 0, 800, 600)
FRONT = TopWindow(11, 1, (Rect(0, 0, 400, 300),))
BACK = TopWindow(22, 2, (Rect(200, 100, 500, 400),))
CORNER = Point(5, 5)
ROOT = TopWindow(1, 0, (SCREEN,))
SAVE = Element("e1", "push button", "Save", Rect(500, 300, 80, 30))
NAME = Element("e2", "entry", "Name", Rect(100, 200, 200, 30))
LIST = Element("e3", "list", "Files", Rect(450, 200, 250, 300))
FRAME = Frame(bytes(n * 7 % 256 for n in range(800 * 600 * 4)), SCREEN, 1, 0.0)


def look(pointer: Point = CORNER, focus: int = 22, **more: object) -> Observation:
    scene = Scene((FRONT, BACK, ROOT), focus, pointer)
    values = {"elements": (LIST, SAVE, NAME), "scene": scene, **more}
    return Observation(FRAME, Viewport(SCREEN, SCREEN.size, 1), **values)  # type: ignore[arg-type]


@dataclass
class Bench:
    observation: Observation = field(default_factory=look)
    expectations: Preconditions = field(default_factory=lambda: Preconditions(MovingPlaces()))

    def of(self, *operations: ops.Op) -> tuple[Expect, ...]:
        return self.expectations.of(operations, self.observation)


def test_a_click_on_an_element_is_on_its_window_and_its_pixels() -> None:
    (expect,) = Bench().of(ops.ClickElement("e1"))
    assert expect == Expect(
        0, Point(540, 315), (22,), 0, SAVE.bounds, crop(FRAME, SAVE.bounds).pixels, False, Point(5, 5)
    )


def test_a_click_at_a_point_is_on_the_smallest_element_there() -> None:
    (expect,) = Bench().of(ops.Click(510, 305))
    assert (expect.patch, expect.caret) == (SAVE.bounds, False)


def test_a_click_where_there_is_no_element_is_on_what_is_around() -> None:
    (expect,) = Bench().of(ops.Click(600, 450))
    assert (expect.patch.size, expect.patch.center, expect.caret) == (AROUND, Point(600, 450), True)


def test_only_what_shows_of_the_window_itself_is_compared() -> None:
    (expect,) = Bench().of(ops.Click(402, 200))
    assert expect.windows == (22,)
    assert expect.patch == Rect(400, 184, 34, 32)
    (edge,) = Bench().of(ops.Click(690, 400))
    assert edge.patch.right == 700


def test_the_unmasked_picture_is_compared() -> None:
    screen = Frame(bytes(len(FRAME.pixels)), SCREEN, 1, 0.0)
    (expect,) = Bench(look(raw_frame=screen)).of(ops.ClickElement("e1"))
    assert set(expect.pixels) == {0}


def test_only_the_first_operation_finds_the_pointer_where_it_was() -> None:
    bench = Bench()
    first, second = bench.of(ops.Click(600, 450), ops.Click(620, 450))
    assert (first.pointer, second.pointer) == (Point(5, 5), None)
    assert bench.of(ops.Click(640, 450))[0].pointer is None
    bench.observation = look()
    assert bench.of(ops.Wait(1), ops.Click(640, 450))[0].pointer == Point(5, 5)


def test_without_coordinates_it_is_where_the_pointer_is() -> None:
    first, second, third = Bench(look(Point(650, 300))).of(ops.Click(), ops.Move(30, 40), ops.Click())
    assert (first.at, first.windows) == (Point(650, 300), (22,))
    assert (second.at, second.pixels) == (Point(30, 40), b"")
    assert (third.at, third.windows) == (Point(30, 40), (11,))


@pytest.mark.parametrize("op", [ops.Move(600, 450), ops.Scroll(dy=-1, x=600, y=450), ops.HoverElement("e1")])
def test_pointing_and_scrolling_are_about_the_window_alone(op: ops.Op) -> None:
    (expect,) = Bench().of(op)
    assert (expect.windows, expect.pixels) == ((22,), b"")


def test_a_drag_has_two_ends() -> None:
    start, end = Bench().of(ops.Drag((ops.Spot(20, 20), ops.Spot(300, 50), ops.Spot(600, 450))))
    assert (start.index, start.windows, end.index, end.windows) == (0, (11,), 0, (22,))
    assert start.pixels and end.pixels
    ends = Bench().of(ops.DragElement("e2", "e1"))
    assert [each.at for each in ends] == [NAME.bounds.center, SAVE.bounds.center]


def test_keys_are_for_the_window_with_the_keyboard() -> None:
    first, second = Bench().of(ops.KeyCombo(("ctrl", "s")), ops.Type("name"))
    assert (first.at, first.windows, first.owner) == (None, (22,), 0)
    assert (second.windows, second.owner) == ((22,), 2)


def test_after_a_click_keys_are_for_the_window_that_was_clicked() -> None:
    bench = Bench()
    bench.of(ops.Click(30, 40))
    (expect,) = bench.of(ops.Type("hello"))
    assert (expect.windows, expect.owner) == ((11,), 1)


def test_a_click_on_the_background_says_nothing_about_the_keyboard() -> None:
    assert Bench().of(ops.Click(790, 590), ops.Type("x"))[1].windows == (22,)


def test_where_the_focus_follows_the_pointer_that_window_will_do() -> None:
    assert Bench().of(ops.Move(30, 40), ops.Type("x"))[1].windows == (22, 11)


def test_after_opening_something_nobody_knows_who_has_the_keyboard() -> None:
    assert Bench().of(ops.Open("mousepad"), ops.Type("x")) == ()


def test_without_a_scene_the_pixels_are_compared_all_the_same() -> None:
    click, key = Bench(look(scene=None)).of(ops.ClickElement("e1")), Bench(look(scene=None)).of(ops.Type("x"))
    assert (click[0].windows, bool(click[0].pixels), key) == ((), True, ())


def test_an_element_that_is_not_there_is_left_to_the_hand() -> None:
    assert Bench().of(ops.ClickElement("gone")) == ()


def test_the_log_gets_no_pixels() -> None:
    batch = Batch("1", (), look().viewport, expects=Bench().of(ops.ClickElement("e1")))
    assert [each.pixels for each in without_pixels(batch).expects] == [b""]


def test_beside_keeps_the_point() -> None:
    patch, at = Rect(0, 0, 100, 50), Point(50, 25)
    assert beside(patch, Rect(200, 0, 10, 10), at) == patch
    assert beside(patch, Rect(60, 0, 100, 50), at) == Rect(0, 0, 60, 50)
    assert beside(patch, Rect(0, 0, 100, 20), at) == Rect(0, 20, 100, 30)


class Moving(MemoryTarget):
    """A window comes up while the first pictures are taken."""

    def __init__(self, looks: int) -> None:
        super().__init__()
        self.left = looks
        self.taken = 0

    def observe(self, region: Rect | None = None) -> Frame:
        self.taken += 1
        if self.left:
            self.left -= 1
            self.input.windows.insert(0, (Rect(self.left, 0, 50, 50), self.left + 1))
        return super().observe(region)


def test_a_picture_is_taken_again_while_windows_move() -> None:
    target = Moving(1)
    began = time.monotonic()
    frame, scene = steady(target, None)
    assert target.taken == 2 and scene == target.scene() and frame.time >= began
    restless = Moving(100)
    steady(restless, None)
    assert restless.taken == LOOKS


def test_a_text_is_bound_to_the_window_that_was_judged() -> None:
    loose = Expect(1, windows=(5,), owner=77)
    typing = (ops.KeyCombo(("ctrl", "a")), ops.Type("x"))
    assert narrowed((loose,), typing, 9) == (Expect(1, windows=(9,)),)
    assert narrowed((loose,), typing, 0) == narrowed((loose,), typing, None) == (loose,)
    keys, click = Expect(0, windows=(5,), owner=77), Expect(1, Point(3, 4), (5,))
    assert narrowed((keys, click), typing, 9) == (keys, click)
