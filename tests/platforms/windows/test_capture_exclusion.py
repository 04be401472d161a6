"""Our own windows are excluded from captures, and masked until then and where Windows refuses."""

from __future__ import annotations

import os

import pytest

from desktop_agent.platforms.windows.capture_exclusion import SHOWN_SECONDS, CaptureExclusion, DisplayAffinity
from desktop_agent.platforms.windows.session_events import END, POWER, QUERY_END, SESSION, change_of
from desktop_agent.platforms.windows.top_windows import TopWindows
from desktop_agent.platforms.windows.user32 import User32
from desktop_agent.protocol.geometry import Rect
from desktop_agent.targets._windows import is_black
from desktop_agent.vision.capture.frame import Frame

CHAT, EDITOR, MENU, HELPER = 1, 2, 3, 4


class Desktop(TopWindows, User32, DisplayAffinity):
    """Windows with their owners; the system takes windows of this process out of captures, unless it `refuses`."""

    def __init__(self) -> None:
        self.owners = {CHAT: os.getpid(), EDITOR: 7}
        self.out: set[int] = set()
        self.through: set[int] = set()
        self.refuses = False
        self.now = 0.0
        self.exclusion = CaptureExclusion(self, self, self, lambda: self.now)

    def visible(self) -> list[int]:
        return list(self.owners)

    def owner(self, window: int) -> int:
        return self.owners[window]

    def bounds(self, window: int) -> Rect:
        return Rect(window, 0, 10, 10)

    def click_through(self, window: int) -> bool:
        return window in self.through

    def exclude(self, window: int) -> bool:
        if not self.refuses:
            self.out.add(window)
        return not self.refuses

    def excluded(self, window: int) -> bool:
        return window in self.out

    def painted(self, *more: int) -> list[int]:
        return [area.x for area in self.exclusion.to_paint_over((os.getpid(), *more))]


@pytest.fixture
def desktop() -> Desktop:
    return Desktop()


def test_a_window_is_painted_over_until_no_picture_can_have_it(desktop: Desktop) -> None:
    assert desktop.painted() == [CHAT] and desktop.out == {CHAT}
    desktop.now = SHOWN_SECONDS
    assert desktop.painted() == [CHAT]
    desktop.now = 1.01 * SHOWN_SECONDS
    assert desktop.painted() == []


def test_a_menu_that_comes_later_is_seen_to(desktop: Desktop) -> None:
    desktop.painted()
    desktop.now = 1.0
    desktop.owners = {MENU: os.getpid(), **desktop.owners}
    assert desktop.painted() == [MENU] and desktop.out == {CHAT, MENU}


def test_hints_which_no_click_reaches_are_out_from_the_first_moment_on(desktop: Desktop) -> None:
    desktop.owners, desktop.through = {HELPER: os.getpid(), EDITOR: 7}, {HELPER}
    assert desktop.painted() == [HELPER]  # not excluded by whoever made it
    desktop.out.add(MENU)
    desktop.owners, desktop.through = {MENU: os.getpid()}, {MENU}
    assert desktop.painted() == []


def test_where_it_is_refused_it_is_painted_over_for_ever(desktop: Desktop) -> None:
    desktop.refuses = True
    for desktop.now in range(5):
        assert desktop.painted() == [CHAT]


def test_a_window_that_is_shown_again_is_painted_over_again(desktop: Desktop) -> None:
    desktop.painted()
    desktop.now = 1.0
    desktop.out.clear()
    desktop.refuses = True
    assert desktop.painted() == [CHAT]


def test_windows_of_our_other_processes_are_painted_over(desktop: Desktop) -> None:
    desktop.owners[HELPER] = 99
    assert desktop.painted(99) == [CHAT, HELPER] and desktop.out == {CHAT}


def test_a_black_picture_is_told_from_one_with_a_pixel() -> None:
    region = Rect(0, 0, 2, 1)
    assert is_black(Frame(b"\0\0\0\xff" * 2, region, 0, 0.0))
    assert not is_black(Frame(b"\0\0\0\xff\0\1\0\xff", region, 0, 0.0))


@pytest.mark.parametrize(
    ("message", "word", "change"),
    [
        (SESSION, 7, "locked"), (SESSION, 8, None), (SESSION, 4, "disconnected"), (SESSION, 2, "disconnected"),
        (POWER, 4, "asleep"), (POWER, 7, None), (END, 1, "ending"), (END, 0, None), (QUERY_END, 0, None),
    ],
)  # fmt: skip
def test_what_windows_says_of_the_session(message: int, word: int, change: str | None) -> None:
    assert change_of(message, word) == change
