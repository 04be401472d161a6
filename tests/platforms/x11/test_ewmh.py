"""Window lists, owners, focus and activation on a real X display."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_agent.platforms.base import Input
from desktop_agent.protocol.geometry import Point, Rect
from desktop_agent.protocol.input_events import ButtonDown, ButtonUp, KeyDown, KeyUp, Move, Text
from desktop_agent.targets import display as embedded
from tests.desk import Desk, until

APPS = Path(__file__).parent.parent / "apps"


@pytest.fixture
def hand(display: Desk) -> Iterator[Input]:
    hand = embedded.attach(display.target.address())
    yield hand
    hand.close()


def test_the_active_window_comes_first(display: Desk, hand: Input) -> None:
    first = display.launch("xterm", "-T", "first", title="^first$")
    second = display.launch("xterm", "-T", "zweites Fenster ü", title="^zweites Fenster ü$")
    assert [(w.title, w.pid) for w in display.target.windows()] == [
        ("zweites Fenster ü", second),
        ("first", first),
    ]
    until(lambda: hand.focus_owner() == second, "the focus")


def test_a_minimised_window_has_no_bounds(display: Desk, hand: Input) -> None:
    display.launch("xterm", "-T", "small", title="^small$")
    bounds = display.target.windows()[0].bounds
    # The first of the three buttons at the right of openbox's title bar.
    hand.emit(Move(bounds.right - 49, bounds.y + 10))
    hand.emit(ButtonDown("left"))
    hand.emit(ButtonUp("left"))
    until(lambda: display.target.windows()[0].bounds.empty, "the window going away")


def test_owner_of_a_window_its_title_bar_and_the_background(display: Desk, hand: Input) -> None:
    pid = display.launch("xterm", title="xterm|@|~")
    bounds = display.target.windows()[0].bounds
    assert hand.owner_at(bounds.center) == pid
    assert hand.owner_at(Point(bounds.x + 30, bounds.y + 5)) == pid
    assert hand.owner_at(Point(bounds.x - 5, bounds.y)) == 0


def test_a_menu_belongs_to_its_program(display: Desk, hand: Input, tmp_path: Path) -> None:
    pid = display.launch("mousepad", title="Mousepad")
    bounds = display.target.windows()[0].bounds
    before = display.target.observe()
    hand.emit(KeyDown("f10"))
    hand.emit(KeyUp("f10"))
    until(lambda: display.target.observe().digest != before.digest, "the menu")
    hand.emit(KeyDown("down"))
    hand.emit(KeyUp("down"))
    assert hand.owner_at(Point(bounds.x + 40, bounds.y + 100)) == pid


def test_a_window_of_our_own_without_properties_has_its_owner(display: Desk, hand: Input) -> None:
    panel = display.panel(Rect(50, 60, 70, 80), 0)
    assert hand.owner_at(Point(60, 70)) == os.getpid()
    panel.close()
    until(lambda: hand.owner_at(Point(60, 70)) == 0, "the panel's end")


def test_focus_is_given_back_to_the_last_other_window(display: Desk, hand: Input, tmp_path: Path) -> None:
    file = tmp_path / "text"
    worked = display.launch(sys.executable, str(APPS / "text_box.py"), str(file), title="text box")
    ours = display.launch("xterm", "-T", "ours", title="^ours$")
    until(lambda: hand.focus_owner() == ours, "the focus on our window")
    display.target.give_focus_back()
    assert hand.focus_owner() == ours  # nothing is protected yet
    display.target.protect([ours])
    display.target.give_focus_back()
    until(lambda: hand.focus_owner() == worked, "the focus on the other window")
    hand.emit(Text("here"))
    until(lambda: file.exists() and file.read_text() == "here", "the text")
    assert [window.title for window in display.target.windows()] == ["text box"]


def test_elements_of_protected_windows_are_left_out(display: Desk) -> None:
    pid = display.launch("galculator", title="galculator")
    found = until(lambda: [e for e in display.target.elements() if e.name == "7"], "the button 7")
    bounds = display.target.windows()[0].bounds
    assert bounds.intersection(found[0].bounds) == found[0].bounds
    display.target.protect([pid])
    assert [e for e in display.target.elements() if e.pid == pid] == []
    assert display.target.elements_missing == ""
