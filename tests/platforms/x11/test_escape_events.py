"""ESC is seen in server order on the injecting connection, and typing ends where a stop check raises."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from desktop_agent.platforms.base import Input
from desktop_agent.protocol.errors import Stopped
from desktop_agent.protocol.input_events import KeyDown, KeyUp, Move, Text
from desktop_agent.targets import display as embedded
from tests.desk import Desk, until
from tests.hand.human import Human
from tests.platforms.x11.conftest import open_box
from tests.platforms.x11.test_typing import key_map
from tests.support.desk import LabDesk

OTHER = 97  # a key code without a meaning on this display


def test_a_press_is_there_after_the_next_round_trip(hand: Input, human: Human) -> None:
    assert hand.escapes() == []
    for _ in range(50):
        human.tap()
        hand.pointer()
        assert hand.escapes() == [True]
    human.press(38)
    human.release(38)
    hand.emit(KeyDown("escape"))
    hand.emit(KeyUp("escape"))
    assert hand.escapes() == [True]
    hand.emit(Text("abc"))
    assert hand.escapes() == []


def test_a_press_while_an_application_is_waited_for_is_kept(hand: Input, human: Human) -> None:
    human.tap()
    hand.emit(Text("日本"))  # new characters: the answer to a ping is looked for among the events
    assert hand.escapes() == [True]


def test_escape_is_found_on_another_key(hand: Input, human: Human) -> None:
    human.display.core.ChangeKeyboardMapping(1, OTHER, 1, [0xFF1B])
    human.display.sync()
    hand.codes(KeyDown("a"))
    human.press(OTHER)
    human.release(OTHER)
    hand.pointer()
    assert hand.escapes() == [True]
    human.display.core.ChangeKeyboardMapping(1, OTHER, 1, [0])
    human.display.sync()


def test_another_keyboard_is_told_from_our_own() -> None:
    with LabDesk() as desk, desk.human() as somebody:
        hand = embedded.attach(desk.address())
        somebody.tap()
        assert until(hand.escapes, "the viewer's ESC") == [False]
        hand.emit(KeyDown("escape"))
        hand.emit(KeyUp("escape"))
        assert hand.escapes() == [True]
        hand.close()


class Limit:
    """Stops after so many characters; `asked` is what it was asked."""

    def __init__(self, characters: int) -> None:
        self.characters, self.asked = characters, list[int]()

    def __call__(self, typed: int) -> None:
        self.asked.append(typed)
        if typed >= self.characters:
            raise Stopped("enough")


def test_a_text_ends_where_the_check_says_and_nothing_stays_pressed(
    hand: Input, shared_display: Desk, tmp_path: Path
) -> None:
    pid = open_box(shared_display, tmp_path / "text")
    limit = Limit(8)
    hand.check_with(limit)
    with pytest.raises(Stopped):
        hand.emit(Text("SHOUTING all along"))
    assert limit.asked == [0, 2, 4, 6, 8]
    assert shared_display.held() == (set(), 0)
    until(lambda: (tmp_path / "text").read_text() == "SHOUTING", "what was typed")
    shared_display.end(pid)


def test_a_stop_ends_the_wait_for_an_application_that_does_not_read(
    shared_display: Desk, tmp_path: Path
) -> None:
    pid = open_box(shared_display, tmp_path / "text")
    before = key_map(shared_display)
    hand = embedded.attach(shared_display.target.address())
    text = "".join(chr(0x4E00 + number) for number in range(300))
    limit = Limit(1000)
    hand.check_with(limit)
    os.kill(pid, signal.SIGSTOP)
    try:
        with pytest.raises(Stopped):
            hand.prepare(text)
            hand.emit(Text(text[:32]))
            limit.characters = 0  # the next characters need the application to have read these
            hand.emit(Text(text[100:132]))
    finally:
        os.kill(pid, signal.SIGCONT)
    hand.check_with(lambda typed: None)
    hand.emit(Move(5, 5))
    hand.close()
    assert key_map(shared_display) == before and shared_display.held() == (set(), 0)
    shared_display.end(pid)
