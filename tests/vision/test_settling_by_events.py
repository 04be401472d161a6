"""Waiting by events takes no longer and no shorter than the screen needs."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest

from desktop_agent.protocol.app_activity import Activity, News
from desktop_agent.protocol.errors import OutOfBounds, Stopped
from desktop_agent.protocol.geometry import Rect
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.settling.by_events import RestlessTiles, settle_by_events
from desktop_agent.vision.settling.result import Settled
from tests.vision.test_settling_by_polling import WHOLE, black, paint

Draw = Callable[[float], list[Rect]]


class Film(Activity):
    """A simulated screen, a function of the seconds since the action, with events in steps of 10 ms."""

    def __init__(self, draw: Draw, works: Callable[[float], bool | None] = lambda t: False) -> None:
        self._draw, self._works = draw, works
        self._shown: list[Rect] = []
        self.began = time.monotonic()
        self.grabs = 0

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.began

    def begin(self) -> None:
        self.began = time.monotonic()

    def wait(self, seconds: float) -> News:
        threading.Event().wait(0.01)
        now = self._draw(self.seconds)
        drawn = [each for each in (*now, *self._shown) if (each in now) != (each in self._shown)]
        self._shown = now
        return News(tuple(drawn))

    def waits(self) -> bool:
        return False

    def computes(self) -> bool | None:
        return self._works(self.seconds)

    def grab(self, area: Rect) -> Frame:
        self.grabs += 1
        pixels = black()
        for each in self._shown:
            paint(pixels, each, 255)
        rows = (
            bytes(pixels[(y * 640 + area.x) * 4 : (y * 640 + area.right) * 4])
            for y in range(area.y, area.bottom)
        )
        return Frame(b"".join(rows), area, 1, 0.0)


def settled(
    film: Film, restless_tiles: RestlessTiles | None = None, *, patience: float = 0.0, ceiling: float = 4.0
) -> Settled:
    before = Frame(bytes(black()), WHOLE, 1, 0.0)
    return settle_by_events(
        film,
        film.grab,
        before,
        StopFlag(),
        restless_tiles or RestlessTiles(),
        patience=patience,
        ceiling=ceiling,
    )


def test_nothing_is_drawn_and_nobody_works() -> None:
    film = Film(lambda t: [])
    result = settled(film)
    assert (result.changed, result.quiet, result.words) == (False, True, "nothing happened: nothing changed")
    assert film.grabs == 1  # one pixel, to see that the screen is still there


def test_who_works_is_waited_for() -> None:
    film = Film(lambda t: [Rect(300, 300, 50, 50)] if t > 0.4 else [], lambda t: t < 0.4)
    result = settled(film)
    assert result.areas == (Rect(300, 300, 50, 50),)
    assert result.fraction == pytest.approx(2500 / (640 * 400))


def test_the_last_of_many_changes_is_waited_for() -> None:
    film = Film(lambda t: [Rect(0, 0, int(min(t, 0.6) * 20) * 45, 40)], lambda t: t < 0.2)
    result = settled(film)
    assert result.quiet
    assert result.areas == (Rect(0, 0, 540, 40),)


def test_what_is_drawn_in_many_steps_has_slid() -> None:
    assert settled(Film(lambda t: [Rect(0, 0, 45 + int(min(t, 0.3) * 30) * 9, 40)])).slid
    assert not settled(Film(lambda t: [Rect(0, 0, 90, 90)])).slid
    twice = Film(lambda t: [Rect(0, 0, 90, 90 if t > 0.2 else 30)], lambda t: t < 0.2)
    assert not settled(twice).slid


def test_work_that_shows_nothing_has_an_end() -> None:
    assert settled(Film(lambda t: [], lambda t: True), ceiling=60).quiet


def test_a_first_change_is_waited_for_as_long_as_asked() -> None:
    film = Film(lambda t: [Rect(0, 0, 90, 90)] if t > 0.3 else [])
    assert settled(film, patience=5.0).changed


def test_nobody_can_tell_about_work() -> None:
    film = Film(lambda t: [Rect(0, 0, 90, 90)] if t > 0.08 else [], lambda t: None)
    assert settled(film).changed


def test_a_spinner_is_not_waited_for_and_remembered() -> None:
    def turning(t: float) -> list[Rect]:
        return [Rect(320, 192, 20, 5 + int(t * 50) % 20)]

    restless_tiles = RestlessTiles()
    first = settled(Film(turning), restless_tiles, ceiling=60)
    again = settled(Film(turning), restless_tiles, ceiling=60)
    assert first.quiet
    assert again.quiet
    assert again.seconds < first.seconds


def test_what_changes_beside_a_known_spinner_is_waited_for() -> None:
    restless_tiles = RestlessTiles()
    settled(Film(lambda t: [Rect(320, 192, 20, 5 + int(t * 50) % 20)]), restless_tiles, ceiling=60)
    film = Film(
        lambda t: [Rect(320, 192, 20, 5 + int(t * 50) % 20), Rect(0, 0, int(min(t, 0.5) * 20) * 9, 30)],
        lambda t: t < 0.2,
    )
    assert Rect(0, 0, 90, 30) in settled(film, restless_tiles, ceiling=60).areas


def test_who_draws_a_film_is_not_waited_for() -> None:
    restless_tiles = RestlessTiles()

    def film() -> Film:
        return Film(lambda t: [Rect(0, 0, 300, 5 + int(t * 60) % 300)], lambda t: True)

    first, again = settled(film(), restless_tiles, ceiling=60), settled(film(), restless_tiles, ceiling=60)
    assert first.quiet
    assert again.quiet
    assert again.seconds < first.seconds


def test_what_never_rests_ends_at_the_ceiling() -> None:
    result = settled(Film(lambda t: [Rect(int(t * 90) * 7 % 300, 0, 300, 390)]), ceiling=0.3)
    assert not result.quiet
    assert result.words.endswith("and something is still moving")


def test_a_text_cursor_is_no_change() -> None:
    result = settled(Film(lambda t: [Rect(200, 100, 2, 18)]))
    assert result.words == "nothing changed but a text cursor"


def test_a_stop_ends_the_wait() -> None:
    stop = StopFlag()
    threading.Timer(0.1, stop.set, ["human"]).start()
    film = Film(lambda t: [], lambda t: True)
    with pytest.raises(Stopped, match="human"):
        settle_by_events(
            film, film.grab, Frame(bytes(black()), WHOLE, 1, 0.0), stop, RestlessTiles(), ceiling=60
        )


def test_a_screen_of_another_size_is_told() -> None:
    def gone(area: Rect) -> Frame:
        raise OutOfBounds("not there", "look again")

    result = settle_by_events(
        Film(lambda t: [Rect(0, 0, 9, 9)]),
        gone,
        Frame(bytes(black()), WHOLE, 1, 0.0),
        StopFlag(),
        RestlessTiles(),
    )
    assert result.words == "the screen's layout changed"
