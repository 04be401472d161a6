"""Background OCR: waiting is bounded, results are kept for later, a stop cancels."""

from __future__ import annotations

import threading

import pytest

from desktop_agent.protocol.errors import Stopped
from desktop_agent.protocol.geometry import Rect
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.observation import Element
from desktop_agent.vision.ocr.background import BackgroundOcr
from tests.desk import until


def frame(shade: int) -> Frame:
    return Frame(bytes([shade]) * 400, Rect(0, 0, 10, 10), 1, 0.0)


class Slow:
    """Reads a frame's shade once `go` is set; ends at once when it is told to."""

    def __init__(self) -> None:
        self.go = threading.Event()
        self.begun: list[int] = []
        self.ended: list[int] = []

    def __call__(self, frame: Frame, stop: StopFlag) -> tuple[Element, ...]:
        shade = frame.pixels[0]
        self.begun.append(shade)
        try:
            while not self.go.is_set():
                stop.wait(0.005)
        except Stopped:
            self.ended.append(shade)
            raise
        return (Element("w1", "static", str(shade), frame.region, source="ocr"),)


def names(elements: tuple[Element, ...]) -> list[str]:
    return [each.name for each in elements]


def test_it_is_read_on_while_nobody_waits() -> None:
    slow = Slow()
    ahead = BackgroundOcr(slow)
    assert ahead(frame(1), StopFlag(), 0.01) == ()
    slow.go.set()
    assert names(ahead(frame(1), StopFlag())) == ["1"]
    assert slow.begun == [1]
    ahead.close()


def test_another_picture_ends_the_one_before() -> None:
    slow = Slow()
    ahead = BackgroundOcr(slow)
    assert ahead(frame(1), StopFlag(), 0.0) == ()
    until(lambda: slow.begun, "the first reading")
    assert ahead(frame(2), StopFlag(), 0.0) == ()
    until(lambda: slow.ended == [1], "the end of the first reading")
    slow.go.set()
    assert names(ahead(frame(2), StopFlag())) == ["2"]


@pytest.mark.parametrize("seconds", [0.0, None])
def test_a_stop_ends_it_waited_for_or_not(seconds: float | None) -> None:
    slow, stop = Slow(), StopFlag()
    ahead = BackgroundOcr(slow)
    if seconds is None:
        threading.Timer(0.05, stop.set, ["the human"]).start()
        with pytest.raises(Stopped, match="the human"):
            ahead(frame(1), stop)
    else:
        ahead(frame(1), stop, seconds)
        until(lambda: slow.begun, "the reading")
        stop.set("the human")
    until(lambda: slow.ended == [1], "the end of the reading")
    slow.go.set()
    assert names(ahead(frame(1), StopFlag())) == ["1"]


def test_what_goes_wrong_is_no_words() -> None:
    def broken(frame: Frame, stop: StopFlag) -> tuple[Element, ...]:
        raise OSError("no more processes")

    assert BackgroundOcr(broken)(frame(1), StopFlag()) == ()
