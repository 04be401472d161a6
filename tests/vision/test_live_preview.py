"""The live preview sends a picture for each change, none otherwise, and none after closing."""

from __future__ import annotations

import threading

import pytest

from desktop_agent.protocol.errors import TargetError
from desktop_agent.protocol.geometry import Rect
from desktop_agent.vision.capture.capture_pace import PACES, CapturePace, Pace
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.encoding.live_preview import LivePreview
from tests.desk import Desk, until

AREA = Rect(0, 0, 64, 48)


def frame(shade: int) -> Frame:
    return Frame(bytes([shade]) * (64 * 48 * 4), AREA, 1, 0.0)


def test_only_changes_are_told() -> None:
    shades = iter([1, 1, 1, 2, 2])
    asked = threading.Semaphore(0)
    told: list[bytes] = []

    def grab(pace: Pace) -> Frame:
        asked.release()
        return frame(next(shades, 2))

    live = LivePreview(grab, lambda region, jpeg: told.append(jpeg), 5)
    live.start()
    for _ in range(7):
        assert asked.acquire(timeout=20)
    live.close()
    assert len(told) == 2 and all(jpeg.startswith(b"\xff\xd8\xff") for jpeg in told)


def test_a_screen_that_is_gone_for_a_moment_is_tried_again() -> None:
    news = threading.Event()
    tries = iter([TargetError("gone"), None])

    def grab(pace: Pace) -> Frame:
        error = next(tries, None)
        if error:
            raise error
        return frame(1)

    live = LivePreview(grab, lambda region, jpeg: news.set(), 5)
    live.start()
    assert news.wait(20)
    live.close()


@pytest.mark.parametrize("rate", [0, 0.5, 6])
def test_the_rate_is_one_to_five(rate: float) -> None:
    with pytest.raises(ValueError, match="1 to 5"):
        LivePreview(lambda pace: frame(1), lambda region, jpeg: None, rate)


def test_a_real_screen_is_shown_and_shown_again_when_a_window_opens(display: Desk) -> None:
    told: list[Rect] = []
    live = LivePreview(lambda pace: display.target.observe(), lambda region, jpeg: told.append(region), 5)
    live.start()
    until(lambda: told, "the first picture")
    before = len(told)
    display.launch("xterm", title="xterm|/")
    until(lambda: len(told) > before, "a picture of the window")
    live.close()
    assert told[0] == display.target.geometry().bounds


def test_a_busy_machine_gets_fewer_smaller_and_narrower_pictures_and_a_calm_one_all_of_it_again() -> None:
    load = 0.2
    pace = CapturePace(4, lambda: load)
    pace.taken(0.005)
    assert (pace.now, pace.pause) == (PACES[0], 0.25)
    load = 2.0
    pace.taken(0.005)
    assert (pace.now, pace.pause) == (PACES[1], 0.5)
    load = 8.0
    pace.taken(0.005)
    assert (pace.now, pace.pause) == (PACES[2], 1.0) and pace.now.narrow
    load = 0.2
    levels = []
    for _ in range(8):
        pace.taken(0.005)
        levels.append(PACES.index(pace.now))
    assert levels == [2, 2, 2, 1, 1, 1, 1, 0]


def test_pictures_that_cost_much_come_at_most_for_their_share_of_a_processor() -> None:
    pace = CapturePace(5, lambda: 0.0)
    for _ in range(30):
        pace.taken(0.2)
    assert pace.now == PACES[2] and pace.pause == pytest.approx(4.0)
