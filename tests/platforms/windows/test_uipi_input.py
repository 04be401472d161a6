"""Input that Windows would drop is refused with advice; a release is always tried."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_agent.platforms.windows.desktop_state import obstacle
from desktop_agent.platforms.windows.input.input import PIECE
from desktop_agent.platforms.windows.input.sendinput_records import Mouse, Record
from desktop_agent.platforms.windows.input.uipi_input import (
    KNOWN_SECONDS,
    LONGEST,
    MESSAGES,
    UipiCheck,
    UipiInput,
    needs_pair,
    pieces,
)
from desktop_agent.platforms.windows.input_watch import release
from desktop_agent.platforms.windows.user32 import User32
from desktop_agent.protocol.errors import CannotAct, Refused, Stopped, TargetError
from desktop_agent.protocol.geometry import Point, Rect
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

INSTALLER, EDITOR = 41, 42
KEYS: tuple[InputEvent, ...] = (KeyDown("a"), Text("a"))
POINTING: tuple[InputEvent, ...] = (ButtonDown("left"), Wheel(0, 1))
RELEASES: tuple[InputEvent, ...] = (KeyUp("a"), ButtonUp("left"))


class Session(User32):
    """A Windows with one monitor: an editor's window on the left, an installer's with more rights on the right."""

    def __init__(self) -> None:
        self.sent: list[Record] = []
        self.place = Point(0, 0)
        self.front = EDITOR
        self.frozen = self.locked = self.swapped = False
        self.held: set[int] = set()
        self.asked: list[int] = []
        self.answered = 0
        self.now = 0.0

    def send(self, records: Sequence[Record]) -> None:
        self.sent += records
        for each in records:
            if isinstance(each, Mouse) and each.flags & 1 and not self.frozen:
                self.place = Point(each.x * 1000 // 65_536, each.y * 1000 // 65_536)

    def monitors(self) -> tuple[Rect, ...]:
        return (Rect(0, 0, 1000, 1000),)

    def pointer(self) -> Point:
        return self.place

    def window_at(self, point: Point) -> int:
        return INSTALLER if point.x >= 500 else EDITOR

    def foreground(self) -> int:
        return self.front

    def owner(self, window: int) -> int:
        return window + 100

    def code_of(self, char: str) -> int:
        return ord(char.upper())

    def scan_code(self, code: int) -> int:
        return code

    def pressed_or_down(self, code: int) -> tuple[bool, bool]:
        return False, False

    def answers(self, window: int, seconds: float) -> bool:
        self.answered += 1
        return True

    def buttons_swapped(self) -> bool:
        return self.swapped

    def down(self, code: int) -> bool:
        return code in self.held

    def above(self, pid: int) -> bool:
        self.asked.append(pid)
        return pid == INSTALLER + 100

    def desktop(self) -> None:
        if self.locked and (found := obstacle("", (0, 0))) is not None:
            raise found


@pytest.fixture
def session() -> Session:
    return Session()


@pytest.fixture
def hand(session: Session) -> UipiInput:
    reach = UipiCheck(session, session.desktop, session.above, lambda pid: f"{pid}.exe", lambda: session.now)
    return UipiInput(session, reach)


@pytest.mark.parametrize("event", (*KEYS, *POINTING))
def test_nothing_is_sent_into_a_window_with_more_rights(
    event: InputEvent, session: Session, hand: UipiInput
) -> None:
    session.front, session.place = INSTALLER, Point(600, 10)
    with pytest.raises(Refused, match=r"Cannot act here: .* 141\.exe, which has more rights") as refused:
        hand.emit(event)
    assert not session.sent and "administrator" in refused.value.advice


@pytest.mark.parametrize("event", (*KEYS, *POINTING))
def test_it_goes_through_where_rights_are_equal(event: InputEvent, session: Session, hand: UipiInput) -> None:
    hand.emit(event)
    assert session.sent


def test_keys_are_judged_by_the_front_alone(session: Session, hand: UipiInput) -> None:
    session.place = Point(600, 10)
    hand.emit(KeyDown("a"))
    assert len(session.sent) == 1


@pytest.mark.parametrize("event", (*POINTING, Move(5, 5)))
def test_nothing_is_done_anywhere_while_esc_would_not_be_seen(
    event: InputEvent, session: Session, hand: UipiInput
) -> None:
    session.front = INSTALLER
    with pytest.raises(Refused, match="the window with the keyboard belongs to"):
        hand.emit(event)
    assert not session.sent


@pytest.mark.parametrize("event", (*KEYS, *POINTING, Move(5, 5)))
def test_nothing_is_sent_to_a_locked_screen(event: InputEvent, session: Session, hand: UipiInput) -> None:
    session.locked = True
    with pytest.raises(CannotAct, match="Cannot act here: the screen is locked"):
        hand.emit(event)
    assert not session.sent


@pytest.mark.parametrize("event", RELEASES)
def test_releasing_is_always_tried(event: InputEvent, session: Session, hand: UipiInput) -> None:
    session.locked, session.place = True, Point(600, 10)
    hand.emit(event)
    assert session.sent


@pytest.mark.parametrize("event", RELEASES)
def test_a_release_that_windows_drops_is_told(event: InputEvent, session: Session, hand: UipiInput) -> None:
    session.front = INSTALLER
    with pytest.raises(TargetError, match="let nothing go"):
        hand.emit(event)
    assert session.sent
    session.front = EDITOR
    hand.emit(event)


def test_a_click_that_brings_such_a_window_to_the_front_has_arrived(
    session: Session, hand: UipiInput, monkeypatch: pytest.MonkeyPatch
) -> None:
    def send(records: Sequence[Record]) -> None:
        session.sent += records
        session.front = INSTALLER

    monkeypatch.setattr(session, "send", send)
    hand.emit(ButtonUp("left"))
    assert session.sent


def test_the_guard_lets_go_once_another_window_is_in_front(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    def above(pid: int) -> bool:
        session.asked.append(pid)
        if len(session.asked) == 3:
            session.front = EDITOR
        return pid == INSTALLER + 100

    monkeypatch.setattr(release, "PAUSE", 0.001)
    session.front = INSTALLER
    assert release.WindowsReleaser(session, above).release([0x10], [0x01])
    assert session.asked == [INSTALLER + 100] * 3 + [EDITOR + 100] and len(session.sent) == 3


def test_of_exchanged_buttons_the_state_of_the_device_is_asked(session: Session) -> None:
    session.swapped, session.held = True, {0x01}
    assert release.WindowsReleaser(session, session.above).release([], [2]) is False
    session.held = {0x02}
    assert release.WindowsReleaser(session, session.above).release([], [2]) is True


def test_a_pointer_that_does_not_move_is_told(session: Session, hand: UipiInput) -> None:
    session.frozen = True
    with pytest.raises(Refused, match="Cannot act here: Windows did not move the pointer"):
        hand.emit(Move(300, 300))
    hand.emit(Move(0, 0))  # where it is already


def test_the_rights_of_a_process_are_asked_for_now_and_then(session: Session, hand: UipiInput) -> None:
    for _ in range(3):
        hand.emit(KeyDown("a"))
    assert session.asked == [EDITOR + 100]
    session.now += KNOWN_SECONDS
    hand.emit(KeyDown("a"))
    assert session.asked == [EDITOR + 100] * 2


@pytest.mark.parametrize(
    ("desktop", "state", "said", "advice"),
    [
        ("", None, "the screen is locked", "Unlock"),
        ("Winlogon", (0, 0), "the screen is locked", "Unlock"),
        ("Default", (0, 0), "the screen is locked", "Unlock"),
        ("", (0, 1), "Windows itself asks for a permission", "Answer it yourself"),
        ("", (4, 0), "the remote session is disconnected", "Connect to it"),
        ("Default", (4, 1), "the remote session is disconnected", "Connect to it"),
        ("Screen-saver", (0, 1), "'Screen-saver'", "Go back to your desktop"),
    ],
)
def test_what_is_in_the_way_is_told_in_words(
    desktop: str, state: tuple[int, int] | None, said: str, advice: str
) -> None:
    error = obstacle(desktop, state)
    assert error is not None and error.message.startswith("Cannot act here: ") and said in error.message
    assert advice in error.advice and "press Resume" in error.advice


@pytest.mark.parametrize("state", [None, (0, 1), (0, -1)])
def test_nothing_is_in_the_way_of_a_desktop_that_is_not_locked(state: tuple[int, int] | None) -> None:
    assert obstacle("Default", state) is None


@given(st.text(max_size=20))
def test_characters_of_two_units_go_out_alone(text: str) -> None:
    parts = list(pieces(text))
    assert "".join(parts) == text
    assert all(1 <= len(part) <= PIECE and (len(part) == 1 or not needs_pair(part)) for part in parts)


def test_before_an_emoji_the_program_takes_in_what_was_typed(session: Session, hand: UipiInput) -> None:
    hand.emit(Text("abcde"))
    assert not session.answered
    hand.emit(Text("🙂🙂"))
    assert session.answered == MESSAGES * 6  # five letters before the first, and it before the second


def test_what_was_typed_long_ago_holds_up_nothing(
    session: Session, hand: UipiInput, monkeypatch: pytest.MonkeyPatch
) -> None:
    def answers(_window: int, _seconds: float) -> bool:
        session.answered += 1
        session.now += 0.1
        return True

    monkeypatch.setattr(session, "answers", answers)
    hand.emit(Text("words " * 500))
    hand.emit(Text("🙂"))
    assert session.answered <= LONGEST / 0.1 + 1


def test_a_stop_is_looked_for_while_the_program_takes_in_what_was_typed(
    session: Session, hand: UipiInput
) -> None:
    def check(_typed: int) -> None:
        if session.answered >= MESSAGES:
            raise Stopped("ESC was pressed")

    hand.emit(Text("abcde"))
    hand.check_with(check)
    with pytest.raises(Stopped):
        hand.emit(Text("🙂"))
    assert session.answered == MESSAGES
