"""Waiting by polling ends when the screen is still, and reports what changed."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import pytest

from desktop_agent.protocol.errors import Stopped
from desktop_agent.protocol.geometry import Rect, Size, Viewport
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.vision.capture.frame import Frame, changed_areas
from desktop_agent.vision.settling.polling import settle_by_polling
from desktop_agent.vision.settling.result import Settled
from tests.desk import Desk, Panel

WHOLE = Rect(0, 0, 640, 400)


@pytest.fixture
def panel(shared_display: Desk) -> Iterator[Panel]:
    panel = shared_display.panel(Rect(100, 100, 400, 300), 0xFFFFFF)
    yield panel
    panel.close()


def black(width: int = 640, height: int = 400) -> bytearray:
    return bytearray(width * height * 4)


def paint(pixels: bytearray, area: Rect, value: int, width: int = 640) -> None:
    for y in range(area.y, area.bottom):
        start = (y * width + area.x) * 4
        pixels[start : start + area.width * 4] = bytes([value]) * (area.width * 4)


def frame(pixels: bytearray, region: Rect = WHOLE) -> Frame:
    return Frame(bytes(pixels), region, 1, time.monotonic())


class Movie:
    """A screen that is a function of the seconds since it began."""

    def __init__(self, draw: Callable[[float], list[Rect]]) -> None:
        self._draw, self._began = draw, time.monotonic()

    def __call__(self) -> Frame:
        pixels = black()
        for area in self._draw(time.monotonic() - self._began):
            paint(pixels, area, 255)
        return frame(pixels)


def test_nothing_changes(shared_display: Desk, panel: Panel) -> None:
    before = shared_display.target.observe()
    result = settle_by_polling(shared_display.target.observe, before, StopFlag())
    assert (result.changed, result.quiet, result.areas, result.words) == (
        False,
        True,
        (),
        "nothing happened: nothing changed",
    )


def test_a_change_is_named_with_its_place(shared_display: Desk, panel: Panel) -> None:
    before = shared_display.target.observe()
    panel.fill(0xFF0000, Rect(10, 20, 60, 40))
    result = settle_by_polling(shared_display.target.observe, before, StopFlag())
    assert (result.changed, result.quiet, result.slid) == (True, True, False)
    assert result.areas == (Rect(110, 120, 60, 40),)
    assert result.fraction == pytest.approx(60 * 40 / (1280 * 800))
    assert result.words == "the area around 140,140 (60x40) changed"


def test_words_speak_of_the_picture_s_pixels() -> None:
    viewport = Viewport(Rect(-1000, 0, 1000, 500), Size(500, 250), 1)
    result = Settled((Rect(-800, 100, 40, 20),), 0.01, True, 0.2, viewport=viewport)
    assert result.words == "the area around 110,55 (20x10) changed"


def test_it_waits_for_the_last_of_many_changes() -> None:
    movie = Movie(lambda t: [Rect(0, 0, int(min(t, 0.6) * 900), 40)])
    result = settle_by_polling(movie, frame(black()), StopFlag())
    assert result.quiet
    assert result.areas == (Rect(0, 0, 540, 40),)
    assert result.slid


def test_a_late_first_change_is_waited_for() -> None:
    movie = Movie(lambda t: [Rect(300, 300, 50, 50)] if t > 0.3 else [])
    assert settle_by_polling(movie, frame(black()), StopFlag(), patience=2.0).areas == (
        Rect(300, 300, 50, 50),
    )


def test_a_spinner_is_not_waited_for() -> None:
    movie = Movie(lambda t: [Rect(400, 300, 20, 20 - int(t * 100) % 10)])
    result = settle_by_polling(movie, frame(black()), StopFlag(), ceiling=60)
    assert result.quiet
    assert result.changed


def test_a_moving_picture_ends_at_the_ceiling() -> None:
    movie = Movie(lambda t: [Rect(int(t * 400) % 300, 0, 300, 390)])
    result = settle_by_polling(movie, frame(black()), StopFlag(), ceiling=0.8)
    assert not result.quiet
    assert result.words.endswith("and something is still moving")


def test_a_blinking_cursor_is_no_change() -> None:
    movie = Movie(lambda t: [Rect(200, 100, 2, 18)])
    result = settle_by_polling(movie, frame(black()), StopFlag())
    assert not result.changed
    assert result.words == "nothing changed but a text cursor"


def test_the_stop_flag_ends_the_wait_at_once() -> None:
    stop = StopFlag()
    threading.Timer(0.2, stop.set, ["human"]).start()
    with pytest.raises(Stopped, match="human"):
        settle_by_polling(
            Movie(lambda t: [Rect(0, 0, 300, int(t * 50) % 300)]), frame(black()), stop, ceiling=60
        )


def test_a_resized_screen_is_told() -> None:
    smaller = Frame(bytes(black(320, 200)), Rect(0, 0, 320, 200), 2, 0.0)
    result = settle_by_polling(lambda: smaller, frame(black()), StopFlag())
    assert (result.resized, result.changed, result.words) == (True, True, "the screen's layout changed")


def test_a_shrunken_screen_is_told(shared_display: Desk) -> None:
    gone = Rect(0, 0, 4000, 4000)
    result = settle_by_polling(lambda: shared_display.target.observe(gone), frame(black()), StopFlag())
    assert result.resized


def test_several_areas_and_most_of_the_screen() -> None:
    first, second = black(), black()
    for index in range(6):
        paint(second, Rect(index * 100, 0, 20, 20 + index), 9)
    areas, fraction = changed_areas(frame(first), frame(second))
    assert areas == tuple(Rect(index * 100, 0, 20, 20 + index) for index in (5, 4, 3, 2, 1, 0))
    words = Settled(areas, fraction, True, 0.1).words
    assert words.startswith("areas around 510,12 (20x25), ")
    assert words.endswith(" and 2 more changed")
    paint(second, Rect(0, 0, 640, 300), 9)
    assert (
        Settled(*changed_areas(frame(first), frame(second)), True, 0.1).words == "most of the screen changed"
    )


def test_places_are_screen_pixels_at_negative_origins() -> None:
    region = Rect(-640, -400, 640, 400)
    second = black()
    paint(second, Rect(630, 390, 10, 10), 1)
    assert changed_areas(frame(black(), region), frame(second, region))[0] == (Rect(-10, -10, 10, 10),)


def test_a_program_that_has_yet_to_take_the_action_is_waited_for() -> None:
    asked: list[float] = []

    def busy() -> bool:
        asked.append(time.monotonic())
        return len(asked) <= 25

    movie = Movie(lambda _: [Rect(40, 40, 60, 60)] if len(asked) > 25 else [])
    assert not settle_by_polling(Movie(lambda _: []), frame(black()), StopFlag(), busy=lambda: False).changed
    assert settle_by_polling(movie, frame(black()), StopFlag(), ceiling=60, busy=busy).changed


def test_what_it_drew_at_last_is_waited_for_too() -> None:
    """However rarely it could be asked: the quiet begins when it is ready."""
    asked: list[float] = []

    def busy() -> bool:
        asked.append(time.monotonic())
        stop.wait(0.2)
        return len(asked) <= 2

    stop = StopFlag()
    movie = Movie(
        lambda _: [Rect(40, 40, 60, 60)] * (len(asked) > 0) + [Rect(200, 40, 60, 60)] * (len(asked) > 2)
    )
    settled = settle_by_polling(movie, frame(black()), stop, ceiling=60, busy=busy)
    assert {area.x // 100 for area in settled.areas} == {0, 1} or len(settled.areas) == 2


def test_a_program_that_hangs_is_not_waited_for_to_the_end() -> None:
    settled = settle_by_polling(
        Movie(lambda _: []), frame(black()), StopFlag(), ceiling=10_000, busy=lambda: True
    )
    assert settled.quiet and not settled.changed
