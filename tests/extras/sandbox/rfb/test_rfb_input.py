"""What is injected arrives at real applications behind a VNC server."""

from __future__ import annotations

import socket
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from desktop_agent.extras.sandbox.rfb import key_codes, rfb_input
from desktop_agent.extras.sandbox.rfb.rfb_input import RfbInput
from desktop_agent.extras.sandbox.rfb.rfb_releaser import RfbReleaser
from desktop_agent.platforms.other_computer import place_of
from desktop_agent.protocol.errors import Refused, Stopped, TargetError
from desktop_agent.protocol.geometry import Point, Rect
from desktop_agent.protocol.input_events import (
    Button,
    ButtonDown,
    ButtonUp,
    KeyDown,
    KeyUp,
    Move,
    Text,
    Wheel,
)
from desktop_agent.support import keysyms
from tests.desk import Desk, until
from tests.extras.sandbox.rfb.vnc_place import greeting, saying, server_of, vnc_desk

APPS = Path(__file__).parents[3] / "platforms" / "apps"
ASCII = "".join(map(chr, range(32, 127)))
MIXED = "Grüße: ¿qué? “naïve” … €5 Привет, Ελληνικά עברית 日本語 한국어 ∑√≠ ☃✓ 😀🚀 ß"


@pytest.fixture
def hand(shared_display: Desk) -> Iterator[RfbInput]:
    hand = RfbInput(server_of(shared_display))
    yield hand
    hand.close()
    until(lambda: shared_display.held() == (set(), 0), "nothing held")


@pytest.fixture
def log(shared_display: Desk, hand: RfbInput, tmp_path: Path) -> Path:
    """The log of a window over 200,200 to 600,500, with the pointer at 300,300."""
    file = tmp_path / "events"
    shared_display.launch(sys.executable, str(APPS / "event_log.py"), str(file), title="event log")
    hand.emit(Move(300, 301))
    hand.emit(Move(300, 300))
    until(lambda: "300 300" in file.read_text(), "the window under the pointer")
    file.write_text("")
    return file


@pytest.fixture
def box(shared_display: Desk, tmp_path: Path) -> Path:
    """The file that always holds the text of a focused Qt text box."""
    file = tmp_path / "text"
    shared_display.launch(sys.executable, str(APPS / "text_box.py"), str(file), title="^text box$")
    until(file.exists, "the focus on the text box")
    return file


def type_out(hand: RfbInput, text: str) -> None:
    for start in range(0, len(text), 16):
        hand.emit(Text(text[start : start + 16]))


def tap(hand: RfbInput, *keys: str) -> None:
    for key in keys:
        hand.emit(KeyDown(key))
    for key in reversed(keys):
        hand.emit(KeyUp(key))


def arrives(file: Path, text: str) -> None:
    try:
        until(lambda: file.read_text(encoding="utf-8") == text, "the whole text")
    except AssertionError:
        assert file.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("text", [ASCII * 3, MIXED], ids=["ascii", "mixed"])
def test_text_arrives_exactly(hand: RfbInput, box: Path, text: str) -> None:
    type_out(hand, text)
    arrives(box, text)


def test_keys_and_shortcuts(hand: RfbInput, box: Path) -> None:
    type_out(hand, "one two")
    tap(hand, "enter")
    tap(hand, "shift", "a")
    tap(hand, "shift", "1")
    tap(hand, "Ж")
    tap(hand, "ctrl", "a")
    tap(hand, "ctrl", "c")
    tap(hand, "end")
    tap(hand, "ctrl", "v")
    tap(hand, "backspace")
    arrives(box, "one two\nA!Жone two\nA!")


def lines(log: Path, count: int) -> list[str]:
    until(lambda: len(log.read_text().splitlines()) >= count, f"{count} events")
    return log.read_text().splitlines()


@pytest.mark.parametrize(
    ("button", "name"),
    [("left", "LeftButton"), ("middle", "MiddleButton"), ("right", "RightButton")],
)
def test_buttons(hand: RfbInput, log: Path, button: Button, name: str) -> None:
    hand.emit(ButtonDown(button))
    hand.emit(ButtonUp(button))
    assert lines(log, 2) == [f"press {name} 300 300 0", f"release {name} 300 300 0"]


def test_a_drag_with_a_modifier(hand: RfbInput, log: Path) -> None:
    hand.emit(KeyDown("ctrl"))
    hand.emit(ButtonDown("left"))
    for x in (310, 320, 330):
        hand.emit(Move(x, 305))
    hand.emit(ButtonUp("left"))
    hand.emit(KeyUp("ctrl"))
    until(lambda: lines(log, 3)[-1].startswith("release"), "the release")
    seen = lines(log, 3)
    assert (seen[0], seen[-1]) == (
        "press LeftButton 300 300 4000000",
        "release LeftButton 330 305 4000000",
    )
    assert any(line.startswith("move") for line in seen)


@pytest.mark.parametrize(("dx", "dy"), [(0, -3), (0, 2), (1, 0), (-2, 0)])
def test_the_wheel(hand: RfbInput, log: Path, dx: int, dy: int) -> None:
    hand.emit(Wheel(dx, dy))

    def turned() -> tuple[int, int]:
        found = [line.split()[1:] for line in log.read_text().splitlines() if line.startswith("wheel")]
        return sum(int(x) for x, _ in found), sum(int(y) for _, y in found)

    until(lambda: turned() == (-120 * dx, 120 * dy), "all notches")


def test_what_cannot_be_is_refused(hand: RfbInput) -> None:
    for act in (
        lambda: hand.emit(ButtonDown("left")),  # where the pointer is, nobody has said
        lambda: hand.emit(Wheel(0, 1)),
        lambda: hand.emit(ButtonDown("back")),
        lambda: hand.emit(Text("\x07")),
        lambda: hand.open("editor"),
    ):
        with pytest.raises(Refused):
            act()


def test_a_stop_comes_between_two_characters_and_the_next(hand: RfbInput, box: Path) -> None:
    def check(typed: int) -> None:
        if typed == 4:
            raise Stopped("enough")

    hand.check_with(check)
    with pytest.raises(Stopped):
        hand.emit(Text("abcdefgh"))
    arrives(box, "abcd")


def test_pixels_are_those_of_the_screen(hand: RfbInput, shared_display: Desk) -> None:
    panel = shared_display.panel(Rect(700, 100, 100, 100), 0x123456)
    until(lambda: hand.pixels(Rect(710, 110, 2, 2))[:3] == b"\x56\x34\x12", "the panel")
    panel.fill(0xFF0000)
    until(lambda: hand.pixels(Rect(710, 110, 2, 2)) == b"\x00\x00\xff\x00" * 4, "another colour")
    assert hand.pixels(Rect(1270, 790, 20, 20)) == b""
    panel.close()


def test_pixels_that_the_pointer_may_be_drawn_over_are_not_told(hand: RfbInput) -> None:
    clicked, beyond = Rect(300, 690, 20, 20), Rect(900, 690, 20, 20)
    hand.emit(Move(310, 700))
    assert hand.pixels(clicked)  # it came after the brain's picture
    hand.emit(ButtonDown("left"))
    hand.emit(ButtonUp("left"))
    assert hand.pixels(clicked) == b"" and hand.pixels(beyond)
    hand.emit(Move(910, 700))
    assert hand.pixels(clicked) == b"" and hand.pixels(beyond)


def test_a_new_size_is_noticed(hand: RfbInput, shared_display: Desk) -> None:
    before = hand.geometry()
    resize(shared_display, "1024x768")
    until(lambda: hand.geometry().bounds == Rect(0, 0, 1024, 768), "the new size")
    assert hand.geometry().epoch != before.epoch
    resize(shared_display, "1280x800")
    until(lambda: hand.geometry() == before, "the old size")


def resize(desk: Desk, size: str) -> None:
    desk.launch("xrandr", "-s", size)


def test_another_connection_releases_what_is_held(shared_display: Desk) -> None:
    hand = RfbInput(server_of(shared_display))
    presses = (Move(600, 700), KeyDown("shift"), KeyDown("x"), ButtonDown("left"), Move(50, 60))
    keys, buttons = set[int](), set[int]()
    for event in presses:
        (buttons if isinstance(event, ButtonDown) else keys).update(hand.codes(event))
        hand.emit(event)
    until(lambda: len(shared_display.held()[0]) == 2 and shared_display.held()[1] != 0, "all down")
    hand.close()
    releaser = RfbReleaser(server_of(shared_display))

    def released() -> bool:
        return releaser.release(sorted(keys), sorted(buttons)) and shared_display.held() == (set(), 0)

    until(released, "all up")
    assert shared_display.target.pointer() == Point(600, 700)  # where the button was pressed


def test_every_key_that_can_be_held_is_among_those_its_code_releases() -> None:
    for keysym in (*keysyms.NAMED.values(), *map(keysyms.of_character, ASCII + "äß")):
        code = key_codes.code_of(keysym)
        assert code is not None and 0 <= code < 256 and keysym in key_codes.keysyms_of(code)
    assert key_codes.code_of(keysyms.of_character("Ж")) is None


@pytest.mark.parametrize("at", [Point(0, 0), Point(65_535, 1), Point(1279, 799)])
def test_a_place_goes_through_the_ledger(hand: RfbInput, at: Point) -> None:
    hand.at = at
    codes = hand.codes(ButtonDown("right"))
    assert max(codes) < 64 and 2 in codes and place_of(sum(1 << each for each in codes)) == at


def test_a_server_that_hangs_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rfb_input, "ACCEPTED_SECONDS", 0.2)
    over = threading.Event()

    def hang(client: socket.socket) -> None:
        greeting(client)
        over.wait(10)

    with saying(hang) as server:
        hand = RfbInput(server)
        with pytest.raises(TargetError, match="does not answer"):
            hand.emit(Text("abc"))
        over.set()


def test_a_server_that_has_gone_is_told() -> None:
    with vnc_desk() as desk:
        hand = RfbInput(server_of(desk))
        desk.target.stop()
        acts: tuple[Callable[[], object], ...] = (
            lambda: hand.emit(KeyUp("a")),
            hand.geometry,
            lambda: hand.emit(Move(1, 1)),
        )
        for act in acts:
            with pytest.raises(TargetError, match="closed the connection") as caught:
                act()
            assert caught.value.advice
        hand.close()
