"""Input on a real Windows session arrives exactly, to the pixel and the character, with our tag."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress
from random import Random

import pytest

from desktop_agent.platforms.base import Input
from desktop_agent.platforms.windows.user32 import OURS
from desktop_agent.protocol.geometry import Point
from desktop_agent.protocol.input_events import (
    ButtonDown,
    ButtonUp,
    InputEvent,
    KeyDown,
    KeyUp,
    Move,
    Text,
    Wheel,
)
from desktop_agent.targets.base import Address
from desktop_agent.targets.local import attach
from installer.windows_check.probes.keys import CTRL, ESCAPE, LEFT_BUTTON, KeyEvent, KeyLog, held
from tests.support.waiting import Late, until
from tests.support.windows_desk import Reader, press

pytestmark = pytest.mark.skipif(sys.platform != "win32", reason="asks Windows itself")
EVERYTHING = "".join(chr(code) for code in (*range(32, 127), *range(160, 1_300), *range(0x4E00, 0x4E80)))
CLICK = (ButtonDown("left"), ButtonUp("left"))
LEFT_DOWN, LEFT_TWICE, RIGHT_DOWN, WHEEL, SIDEWAYS, EXTRA_DOWN = 0x201, 0x203, 0x204, 0x20A, 0x20E, 0x20B


@pytest.fixture(scope="module")
def hand() -> Input:
    return attach(Address("local"))


@pytest.fixture(scope="module")
def window() -> Iterator[Reader]:
    with Reader() as reader:
        yield reader


@pytest.fixture
def reader(window: Reader) -> Iterator[Reader]:
    window.clear()
    window.focus()
    yield window
    assert held() == []


def play(hand: Input, *events: InputEvent) -> None:
    for event in events:
        hand.emit(event)


def test_every_column_and_every_row_is_hit(hand: Input) -> None:
    random = Random(5)  # noqa: S311 - the same places each time
    for monitor in hand.geometry().monitors:
        across = [
            Point(x, random.randrange(monitor.y, monitor.bottom)) for x in range(monitor.x, monitor.right)
        ]
        along = [
            Point(random.randrange(monitor.x, monitor.right), y) for y in range(monitor.y, monitor.bottom)
        ]
        for point in across + along:
            hand.emit(Move(point.x, point.y))
            assert hand.pointer() == point


def test_text_arrives_whatever_is_in_it(hand: Input, reader: Reader) -> None:
    text = EVERYTHING + "😀🎉🏳️‍🌈𝒜" + "é e\u0301 שלום مرحبا नमस्ते"
    for at in range(0, len(text), 16):
        hand.emit(Text(text[at : at + 16]))
    until(lambda: len(reader.text) >= len(text), "all characters")
    assert reader.text == text


def test_keys_and_combinations(hand: Input, reader: Reader) -> None:
    play(hand, *(make(key) for key in ("enter", "tab", "x") for make in (KeyDown, KeyUp)))
    play(hand, KeyDown("shift"), KeyDown("x"), KeyUp("x"), KeyUp("shift"))
    play(hand, KeyDown("ctrl"), KeyDown("a"), KeyUp("a"), KeyUp("ctrl"))
    until(lambda: len(reader.text) >= 5, "all keys")
    assert reader.text == "\n\txX\x01"


def test_buttons_double_clicks_and_the_wheel(hand: Input, reader: Reader) -> None:
    play(hand, Move(250, 250), *CLICK, *CLICK, ButtonDown("right"), ButtonUp("right"))
    play(hand, ButtonDown("forward"), ButtonUp("forward"), Wheel(0, 2), Wheel(-1, 0))
    until(lambda: len(reader.mouse) >= 10, "all of the mouse")
    begun = [message for message, _ in reader.mouse if message not in (0x202, 0x205, 0x20C)]
    assert begun == [LEFT_DOWN, LEFT_TWICE, RIGHT_DOWN, EXTRA_DOWN, WHEEL, SIDEWAYS]
    assert [turn for message, turn in reader.mouse if message in (WHEEL, SIDEWAYS)] == [240, 65_536 - 120]


def test_what_is_held_shows_until_it_is_released(hand: Input, reader: Reader) -> None:
    play(hand, Move(250, 250), KeyDown("ctrl"), ButtonDown("left"))
    assert set(held()) == {CTRL, LEFT_BUTTON}
    play(hand, ButtonUp("left"), KeyUp("ctrl"))
    until(lambda: (0x202, 0x08) in reader.mouse, "the button's release with ctrl held")


def test_all_that_is_injected_has_our_tag(hand: Input, reader: Reader) -> None:
    def logged() -> list[KeyEvent]:
        """The five presses; none where a busy machine left the hook out of one, as it may."""
        with KeyLog() as log, suppress(Late):
            play(hand, Text("a😀"), KeyDown("f9"), KeyUp("f9"))
            press(0x78)
            press(0x78, up=True)
            until(lambda: len(log.presses) >= 5, "all keys", 10)
            return log.presses
        return []

    presses = until(logged, "a log with all keys")
    assert [key.extra for key in presses] == [OURS] * 4 + [0] and all(key.injected for key in presses)


def test_an_escape_is_seen_by_the_hand_itself_unless_it_is_its_own(hand: Input, reader: Reader) -> None:
    hand.escapes()
    play(hand, KeyDown("escape"))
    assert hand.escapes() == ()
    play(hand, KeyUp("escape"))
    assert hand.escapes() == () and hand.escapes() == ()
    press(ESCAPE)
    until(lambda: held() == [ESCAPE], "Esc to be down")
    told = [hand.escapes(), hand.escapes()]
    press(ESCAPE, up=True)
    assert told == [(False,), ()]
    until(lambda: not held(), "Esc to be up")
    assert hand.escapes() == ()
