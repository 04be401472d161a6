"""Modifiers never leak, neither out of typed text nor into it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_agent.platforms.base import Input
from desktop_agent.protocol.errors import Refused, Stopped
from desktop_agent.protocol.input_events import KeyDown, KeyUp, Text
from desktop_agent.targets import display as embedded
from tests.desk import Desk, until
from tests.hand.human import Human

SHIFT, CONTROL, ALT, SUPER = 50, 37, 64, 133


@pytest.fixture
def hand(shared_display: Desk) -> Iterator[Input]:
    made = embedded.attach(shared_display.target.address())
    yield made
    made.close()
    assert shared_display.held() == (set(), 0)


def modifiers(human: Human) -> int:
    """The keyboard's state; Caps Lock and Num Lock count, too."""
    return int(human.display.core.QueryPointer(human.display.root).reply().mask) & 0xFF


def arrives(file: Path, text: str) -> None:
    until(lambda: file.read_text(encoding="utf-8") == text, f"{text!r}")


@pytest.mark.parametrize(
    ("code", "word"), [(SHIFT, "Shift"), (CONTROL, "Ctrl"), (ALT, "Alt"), (SUPER, "Super")]
)
def test_what_somebody_holds_refuses_text_and_keys(
    hand: Input, human: Human, box: Path, code: int, word: str
) -> None:
    human.press(code)
    for event in (Text("wq"), KeyDown("w")):
        with pytest.raises(Refused, match=f"{word} is held down.*Ask the user to let go of {word}"):
            hand.emit(event)
    assert modifiers(human)  # it is the human's: not let go of for them
    human.release(code)
    hand.emit(Text("Done жЖ"))
    arrives(box, "Done жЖ")
    assert modifiers(human) == 0


def test_one_who_lets_go_soon_is_waited_for(
    hand: Input, human: Human, box: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop_agent.platforms.x11.input.layout.PATIENCE", 30.0)  # the timer may be late
    human.press(CONTROL)
    soon = threading.Timer(0.3, human.release, (CONTROL,))
    soon.start()
    hand.emit(Text("wqa"))
    soon.join()
    arrives(box, "wqa")


def test_a_stop_ends_the_waiting(hand: Input, human: Human) -> None:
    def check(typed: int) -> None:
        raise Stopped(f"after {typed}")

    hand.check_with(check)
    human.press(CONTROL)
    with pytest.raises(Stopped, match="after 0"):
        hand.emit(Text("wq"))
    human.release(CONTROL)


@pytest.mark.parametrize("limit", range(2, 21, 3))
def test_a_stop_amid_capitals_leaves_no_modifier(hand: Input, human: Human, box: Path, limit: int) -> None:
    def check(typed: int) -> None:
        if typed >= limit:
            raise Stopped("enough")

    hand.check_with(check)
    with pytest.raises(Stopped):
        hand.emit(Text("AB@жЖЯ~日本語C_DEFGH{}|IJ"))
    until(lambda: modifiers(human) == 0, "no modifier")
    until(lambda: box.read_text(encoding="utf-8"), "what was typed")
    assert "AB@жЖЯ~日本語C_DEFGH{}|IJ".startswith(box.read_text(encoding="utf-8"))


def test_one_pressed_amid_the_text_ends_it(hand: Input, human: Human, box: Path) -> None:
    """The human's press comes while the server is ours: as that of a real keyboard may."""
    text, looks = "the quick brown fox jumps over", []

    def check(typed: int) -> None:
        looks.append(typed)
        if len(looks) == 4:
            hand_of_the_human.start()

    hand_of_the_human = threading.Thread(target=human.press, args=(CONTROL,))
    hand.check_with(check)
    with pytest.raises(Refused, match="Ctrl is held down"):
        for piece in (text,) * 40:
            hand.emit(Text(piece))
    hand_of_the_human.join()
    human.release(CONTROL)
    until(lambda: len(box.read_text(encoding="utf-8")) >= looks[-1], "what was typed")
    hand.check_with(lambda _: None)
    before = box.read_text(encoding="utf-8")
    assert (text * 40).startswith(before)


def test_the_agents_own_modifiers_are_no_hindrance(hand: Input, human: Human, box: Path) -> None:
    for event in (Text("one two"), KeyDown("ctrl"), KeyDown("shift_right"), KeyDown("left")):
        hand.emit(event)
    for key in ("left", "shift_right", "ctrl"):
        hand.emit(KeyUp(key))
    hand.emit(Text("TWO"))
    arrives(box, "one TWO")
    assert modifiers(human) == 0
