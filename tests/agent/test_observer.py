"""A look does not wait for words where it can do without them."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import msgspec
import pytest

from desktop_agent.agent.looking.observer import Observer
from desktop_agent.agent.looking.privacy_filter import PrivacyFilter
from desktop_agent.llm.base import Support
from desktop_agent.protocol.errors import Stopped
from desktop_agent.protocol.geometry import Rect
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.observation import Element
from desktop_agent.vision.settling.result import Settled
from tests.desk import until
from tests.support.memory_desk import SAVE, MemoryTarget, ScriptedModel


class Words:
    """Reads "Send" below the button once it may go on."""

    def __init__(self) -> None:
        self.go = threading.Event()
        self.begun: list[Frame] = []

    def __call__(self, frame: Frame, stop: StopFlag) -> tuple[Element, ...]:
        self.begun.append(frame)
        while not self.go.is_set():
            stop.wait(0.005)
        return (Element("w1", "static", "Send", Rect(300, 300, 40, 14), source="ocr"),)


class Looks:
    """An observer of a still desktop in memory whose one button has no name: the tree says nothing."""

    def __init__(self, images: bool) -> None:
        self.target, self.words = MemoryTarget(), Words()
        self.target.still = True
        self.target.things = (msgspec.structs.replace(SAVE, name=""),)
        model = ScriptedModel("")
        model.support = Support(images=images)
        self.observer = Observer(self.target, model, None, self.words, PrivacyFilter(self.target))

    def names(self, *, read: bool = False) -> list[str]:
        return [each.name for each in self.observer.look(StopFlag(), read=read).elements]


@pytest.fixture
def seeing() -> Iterator[Looks]:
    looks = Looks(images=True)
    yield looks
    looks.observer.close()


def test_words_are_not_read_where_the_tree_speaks(seeing: Looks) -> None:
    seeing.target.things = (SAVE,)
    assert seeing.names() == ["Save"]
    assert seeing.words.begun == []


def test_a_model_that_sees_the_picture_does_not_wait_for_slow_words(seeing: Looks) -> None:
    assert seeing.names() == [""]
    seeing.words.go.set()
    assert until(lambda: [name for name in seeing.names() if name], "the words") == ["Send"]
    assert len(seeing.words.begun) == 1


def test_a_look_after_acting_tells_what_changed_what_came_and_whether_it_rests(seeing: Looks) -> None:
    seeing.names()
    seeing.target.things = (SAVE,)
    moved = Settled((Rect(10, 10, 50, 50),), 0.1, False, 0.1)
    looked = seeing.observer.look(StopFlag(), settled=moved)
    assert looked.changed == "the area around 35,35 (50x50) changed, and something is still moving"
    assert (looked.news, looked.moving) == ("new: push button “Save”", True)
    later = seeing.observer.look(StopFlag())
    assert (later.changed, later.news, later.moving) == ("", "", False)


def test_who_asks_for_the_words_gets_them(seeing: Looks) -> None:
    threading.Timer(0.5, seeing.words.go.set).start()
    assert seeing.names(read=True) == ["", "Send"]


def test_a_model_without_eyes_waits_for_them() -> None:
    looks = Looks(images=False)
    threading.Timer(0.5, looks.words.go.set).start()
    assert looks.names() == ["", "Send"]


def test_a_stop_ends_the_wait() -> None:
    looks, stop = Looks(images=False), StopFlag()
    threading.Timer(0.1, stop.set, ["the human"]).start()
    with pytest.raises(Stopped, match="the human"):
        looks.observer.look(stop)
