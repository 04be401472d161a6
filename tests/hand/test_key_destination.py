"""A text ends where the keyboard goes elsewhere: to another window of the same program, a menu, a grab."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from xcffib.xproto import CW, EventMask, WindowClass

from desktop_agent.platforms.base import Input
from desktop_agent.platforms.x11.connection import Display
from desktop_agent.protocol import ops
from desktop_agent.protocol.batch import Expect
from desktop_agent.protocol.geometry import Point
from desktop_agent.protocol.input_events import ButtonDown, ButtonUp, Move, Text
from desktop_agent.targets import display as embedded
from tests.desk import Desk, until
from tests.hand.workplace import Workplace

APP = Path(__file__).parents[1] / "platforms" / "apps" / "wandering_keyboard.py"
LENGTH = 2000


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("window", "The keyboard went from “first window” to “second window”"),
        ("menu", "The keyboard is with a menu or popup of “"),
        ("outside", "The keyboard "),
    ],
)
def test_a_program_that_moves_the_keyboard_gets_nothing_there(
    workplace: Workplace, tmp_path: Path, how: str, words: str
) -> None:
    desk, file = workplace.desk, tmp_path / "text"
    program = desk.launch(sys.executable, str(APP), str(file), how, title="^first window$")
    try:
        until(file.exists, "the focus")
        (result,) = workplace.hands.execute(workplace.batch(ops.Type("x" * LENGTH)))
        assert result.outcome == "refused" and result.stale
        assert result.detail.startswith(words)
        assert f"of {LENGTH} characters were typed" in result.detail
        typed = int(result.detail.partition(" of 2000")[0].rpartition("(")[2])
        assert typed < LENGTH

        def arrived() -> bool:
            first, _, second = file.read_text().partition("\n")
            return len(first) + len(second) == typed and (how != "window" or second == "")

        until(arrived, "what was typed, and nothing more")
    finally:
        desk.end(program)


@pytest.fixture
def hand(shared_display: Desk) -> Iterator[Input]:
    found = embedded.attach(shared_display.target.address())
    yield found
    found.close()


class Client:
    """Another program with a window outside the window manager; it hears of changes of the focus."""

    def __init__(self, desk: Desk, name: str = "", side: int = 100) -> None:
        self.display = Display(desk.environment)
        self.window = self.display.connection.generate_id()
        mask, core = EventMask.FocusChange | EventMask.KeyPress, self.display.core
        shape = (10, 10, side, side, 0, WindowClass.InputOutput, 0)
        core.CreateWindow(
            0, self.window, self.display.root, *shape, CW.OverrideRedirect | CW.EventMask, [1, mask]
        )
        if name:
            core.ChangeProperty(0, self.window, 67, 31, 8, len(name), name.encode())  # WM_CLASS, STRING
        core.MapWindow(self.window)
        self.display.sync()

    def events(self) -> list[str]:
        self.display.sync()
        found = []
        while (event := self.display.next_event()) is not None:
            found.append(type(event).__name__)
        return found

    def grab_pointer(self) -> None:
        reply = self.display.core.GrabPointer(
            False, self.window, EventMask.ButtonPress, 1, 1, 0, 0, 0
        ).reply()
        assert reply.status == 0

    def grab(self) -> None:
        assert self.display.core.GrabKeyboard(False, self.window, 0, 1, 1).reply().status == 0


@pytest.fixture
def client(shared_display: Desk) -> Iterator[Client]:
    somebody = Client(shared_display)
    yield somebody
    somebody.display.close()


def test_a_grab_is_seen_and_asking_for_it_disturbs_nobody(hand: Input, client: Client) -> None:
    client.display.core.SetInputFocus(1, client.window, 0)
    until(lambda: "FocusInEvent" in client.events(), "the focus")
    for _ in range(3):
        destination = hand.key_destination()
        assert destination is not None and (destination.window, destination.grabbed) == (client.window, False)
    client.grab()
    grabbed = hand.key_destination()
    assert grabbed is not None and grabbed.grabbed
    client.display.core.UngrabKeyboard(0)
    client.display.sync()
    assert hand.key_destination() == destination
    hand.emit(Text("ab"))
    until(lambda: client.events().count("KeyPressEvent"), "the keys")
    assert not client.events()  # no change of the focus


def test_a_text_is_refused_while_somebody_has_grabbed_the_keyboard(
    workplace: Workplace, client: Client
) -> None:
    client.grab()
    client.events()
    (result,) = workplace.hands.execute(workplace.batch(ops.Type("secret")))
    assert result.outcome == "refused" and result.detail.startswith("The keyboard is with")
    assert "were typed" not in result.detail and not client.events()


def test_a_launcher_that_is_known_to_grab_may_be_typed_into(hand: Input, shared_display: Desk) -> None:
    launcher = Client(shared_display, "dmenu\0dmenu\0")
    try:
        launcher.grab()
        destination = hand.key_destination()
        assert destination is not None and not destination.grabbed
    finally:
        launcher.display.close()


def test_a_pointer_that_is_grabbed_in_secret_is_told(hand: Input, shared_display: Desk) -> None:
    thief = Client(shared_display, side=1)
    hand.emit(Move(400, 400))
    try:
        assert not hand.pointer_grabbed()
        thief.grab_pointer()
        assert hand.pointer_grabbed()
        menu = Client(shared_display)
        assert not hand.pointer_grabbed(), "a menu says where the clicks go"
        menu.display.close()
        until(hand.pointer_grabbed, "the menu's end")
        thief.display.core.UngrabPointer(0)
        thief.display.sync()
        assert not hand.pointer_grabbed()
        assert not {"ButtonPressEvent", "EnterNotifyEvent"} & set(thief.events())
    finally:
        thief.display.close()


def test_a_button_that_is_held_is_no_grab(hand: Input, shared_display: Desk) -> None:
    window = Client(shared_display)
    try:
        hand.emit(Move(50, 50))
        hand.emit(ButtonDown("left"))
        assert not hand.pointer_grabbed()
    finally:
        hand.emit(ButtonUp("left"))
        window.display.close()


def test_a_click_is_refused_while_the_pointer_is_grabbed_in_secret(
    workplace: Workplace, shared_display: Desk
) -> None:
    thief = Client(shared_display, side=1)
    try:
        thief.grab_pointer()
        batch = msgspec.structs.replace(
            workplace.batch(ops.Click(400, 400)), expects=(Expect(0, Point(400, 400)),)
        )
        (result,) = workplace.hands.execute(batch)
        assert result.outcome == "refused" and "grabbed the pointer" in result.detail
        assert "ButtonPressEvent" not in thief.events()
    finally:
        thief.display.close()
