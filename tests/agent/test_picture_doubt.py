"""A picture that cannot be right is recognised before a model sees it: taken again, then told in words."""

from __future__ import annotations

from desktop_agent.agent.looking.observer import BLANK, OTHER_WINDOWS, Observer, doubt
from desktop_agent.agent.looking.privacy_filter import FilteredLook, PrivacyFilter
from desktop_agent.llm.base import Support
from desktop_agent.protocol.geometry import Rect
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.capture.masks import PRIVATE
from desktop_agent.vision.observation import Element
from tests.support.memory_desk import MemoryTarget, ScriptedModel

AREA = Rect(0, 0, 100, 80)
GREY = bytes([128, 128, 128, 0])
STRIPES = (GREY * 50 + bytes(200)) * 80


def look(pixels: bytes, titles: tuple[str, ...], *windows: str) -> FilteredLook:
    frame = Frame(pixels, AREA, 1, 0.0)
    elements = tuple(Element(f"e{n}", "push button", "Save", AREA, window=w) for n, w in enumerate(windows))
    return FilteredLook(frame, frame, elements, titles, ())


def test_one_colour_is_no_picture_of_windows() -> None:
    assert doubt(look(GREY * 8_000, ("editor",))) == BLANK
    assert doubt(look(GREY * 7_998 + bytes(8), ("editor",))) == BLANK  # a pointer on it
    assert doubt(look(GREY * 8_000, ())) == ""  # an empty desktop may be grey
    assert doubt(look(STRIPES, ("editor",))) == ""


def test_elements_of_windows_that_are_gone_do_not_belong_to_the_picture() -> None:
    assert doubt(look(STRIPES, ("editor",), "editor", "editor", "gone")) == ""
    assert doubt(look(STRIPES, ("editor",), "gone", "gone", "editor")) == OTHER_WINDOWS
    assert doubt(look(STRIPES, (PRIVATE,), PRIVATE)) == ""


class Covered(MemoryTarget):
    """A desktop that shows nothing for some pictures."""

    doubtful = True
    blank = 0

    def draw(self, area: Rect) -> bytes:
        self.blank -= 1
        row = GREY * (area.width // 2) + bytes(4 * (area.width - area.width // 2))
        return GREY * (area.width * area.height) if self.blank >= 0 else row * area.height


def seen(blank: int) -> tuple[str, int]:
    """Why the picture of a look is not shown, and how many blank ones were left."""
    target = Covered()
    target.blank = blank
    model = ScriptedModel("")
    model.support = Support(images=True)
    observer = Observer(target, model, None, lambda frame, stop: (), PrivacyFilter(target))
    try:
        return observer.look(StopFlag()).unshown, target.blank
    finally:
        observer.close()


def test_a_blank_picture_is_taken_again_and_told_in_words_if_it_stays() -> None:
    assert seen(0)[0] == "" and seen(1)[0] == ""
    assert seen(1_000)[0] == BLANK
