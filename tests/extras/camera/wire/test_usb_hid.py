"""A USB keyboard and mouse, as a host decodes what is written to their devices."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from desktop_agent.extras.camera.wire import usb_hid
from desktop_agent.extras.camera.wire._usb.keyboard_layout import KeyStroke, layout_names, load_layout
from desktop_agent.extras.camera.wire._usb.report_descriptors import ALL_KEYS_UP, NOWHERE, mouse_report
from desktop_agent.extras.camera.wire._usb.usb_input import UsbHidInput
from desktop_agent.extras.camera.wire._usb.usb_output import UsbHidKeyboardOutput
from desktop_agent.protocol.errors import ConfigError, Refused, TargetError
from desktop_agent.protocol.geometry import Point, Size
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
from desktop_agent.wire.base import Keystroke, ModifiedKey, TextInput
from tests.extras.camera.wire.pipes import Pipe
from tests.support.usb_host import (
    PAN,
    WHEEL,
    HostKeyboard,
    HostMouse,
    X,
    Y,
    characters_of,
    keysyms_by_xkb,
    reports_in,
    typed_text,
)

SCREEN = Size(1280, 800)
CTRL, SHIFT, A, C, X_KEY = 0xE0, 0xE1, 0x04, 0x06, 0x1B


class Cable:
    """A wire of FIFOs with its host."""

    def __init__(self, folder: Path, layout: str = "us") -> None:
        self.keyboard, self.mouse = Pipe(folder / "keyboard"), Pipe(folder / "mouse")
        self.output = self.wire(layout)
        self.host, self.pointer = HostKeyboard(), HostMouse()

    def wire(self, layout: str) -> UsbHidKeyboardOutput:
        return usb_hid.create(usb_hid.Options(str(self.keyboard.path), str(self.mouse.path), layout))

    def input(self, layout: str = "us") -> UsbHidInput:
        return self.wire(layout).input(SCREEN, None)

    def reports(self) -> list[bytes]:
        return list(reports_in(self.keyboard.read(), 8))

    def changes(self) -> list[tuple[int, bool]]:
        """Keys that the host has seen go down and up since the last call."""
        return [change for report in self.reports() for change in self.host.take(report)]

    def pointed(self) -> HostMouse:
        for report in reports_in(self.mouse.read(), 7):
            self.pointer.take(report)
        return self.pointer

    def close(self) -> None:
        self.output.close()
        self.keyboard.close()
        self.mouse.close()


@pytest.fixture
def cable(tmp_path: Path) -> Iterator[Cable]:
    made = Cable(tmp_path)
    yield made
    made.close()


@pytest.mark.parametrize("name", layout_names())
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_text_of_a_layout_arrives_as_it_is(cable: Cable, name: str, data: st.DataObject) -> None:
    layout = load_layout(name)
    text = data.draw(st.text(st.sampled_from(sorted(layout.strokes)), max_size=30))
    hand = cable.input(name)
    hand.emit(Text(text))
    assert typed_text(cable.changes(), characters_of(layout)) == text
    assert not cable.host.down
    hand.close()


@pytest.mark.parametrize(("name", "xkb"), [("us", "us"), ("uk", "gb"), ("de", "de"), ("fr", "fr")])
def test_the_layouts_say_what_x11_says(name: str, xkb: str) -> None:
    x11 = ctypes.CDLL("libX11.so.6")
    x11.XStringToKeysym.restype = ctypes.c_ulong
    theirs = keysyms_by_xkb(xkb)
    wrong = []
    for character, (stroke, *more) in load_layout(name).strokes.items():
        if more or character.isspace():
            continue
        at = KeyStroke(0x32, stroke.modifiers) if stroke.usage == 0x31 else stroke  # the same key to Linux
        keysym = x11.XStringToKeysym(theirs.get(at, "").encode())
        if keysyms.unified(keysym) != keysyms.of_character(character):
            wrong.append((character, stroke, theirs.get(at)))
    assert wrong == []


def test_every_layout_types_all_of_ascii() -> None:
    ascii_text = "".join(map(chr, range(0x20, 0x7F))) + "\n\t"
    for name in layout_names():
        load_layout(name).typed(ascii_text)


def test_a_character_without_a_key_is_refused_before_anything_is_pressed(cable: Cable) -> None:
    with pytest.raises(Refused, match="layout us has no key for 'ß'"):
        cable.output.send(TextInput("Stra\u00dfe"))
    hand = cable.input()
    for event in (Text("ab\u0007"), Text("я"), KeyDown("ü"), KeyDown("brightness_up")):
        with pytest.raises(Refused):
            hand.emit(event)
    assert cable.reports() == []


def test_an_unknown_layout_is_named_with_those_there_are(cable: Cable) -> None:
    with pytest.raises(ConfigError, match=r"'klingon'.*us"):
        cable.wire("klingon").connect()


def test_keystrokes_and_combinations_leave_nothing_down(cable: Cable) -> None:
    cable.output.connect()
    cable.output.send(Keystroke("enter"))
    assert cable.changes() == [(0x28, True), (0x28, False)]
    cable.output.send(ModifiedKey(("ctrl", "shift"), "c"))
    assert cable.changes() == [
        (CTRL, True), (SHIFT, True), (C, True), (C, False), (SHIFT, False), (CTRL, False)
    ]  # fmt: skip
    cable.output.send_line("ls")
    assert typed_text(cable.changes(), characters_of(load_layout("us"))) == "ls\n"
    assert not cable.host.down


def test_the_same_key_twice_goes_up_between(cable: Cable) -> None:
    hand = cable.input()
    hand.emit(Text("aa"))
    assert cable.changes() == [(A, True), (A, False)] * 2
    hand.emit(KeyDown("a"))
    hand.emit(KeyDown("A"))  # the same key by another name
    assert cable.changes() == [(A, True), (A, False), (SHIFT, True), (A, True)]
    hand.emit(KeyUp("a"))
    hand.emit(KeyUp("A"))
    assert not cable.changes()[-1][1] and not cable.host.down


def test_a_seventh_key_is_refused_and_the_six_stay(cable: Cable) -> None:
    hand = cable.input()
    for key in "abcdef":
        hand.emit(KeyDown(key))
    hand.emit(KeyDown("ctrl"))
    with pytest.raises(Refused, match="no more than 6"):
        hand.emit(KeyDown("g"))
    with pytest.raises(Refused, match="no more than 6"):
        hand.emit(Text("g"))
    cable.changes()
    assert cable.host.down == {*range(0x04, 0x0A), CTRL}


def test_a_text_is_not_typed_with_a_key_that_is_held(cable: Cable) -> None:
    hand = cable.input()
    hand.emit(KeyDown("a"))
    with pytest.raises(Refused, match="held"):
        hand.emit(Text("banana"))
    assert cable.changes() == [(A, True)]


_EVENTS = st.lists(
    st.one_of(
        st.sampled_from(["a", "A", "b", "@", "ctrl", "shift", "altgr", "enter", "é"]).map(KeyDown),
        st.sampled_from(["a", "A", "b", "@", "ctrl", "shift", "altgr", "enter", "é"]).map(KeyUp),
        st.sampled_from(["xyz", "É^", "Q\n"]).map(Text),
    ),
    max_size=12,
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(events=_EVENTS)
def test_whatever_was_cut_off_a_release_ends_with_all_up(cable: Cable, events: list[KeyDown]) -> None:
    """After each prefix of what a hand wrote: the codes it gave name all that is down, and the releaser lets it go."""
    hand = cable.input("de")
    codes = set[int]()
    for event in events:
        codes.update(hand.codes(event))
        try:
            hand.emit(event)
        except Refused:
            continue
    reports = cable.reports()
    cable.output.releaser().release(sorted(codes), ())
    (release,) = cable.reports()
    for cut in range(len(reports) + 1):
        host = HostKeyboard()
        for report in reports[:cut]:
            host.take(report)
        assert host.down <= codes
        host.take(release)
        assert not host.down
    hand.close()


def test_a_stop_within_a_text_ends_it_between_two_characters_with_all_up(cable: Cable) -> None:
    class Halt(BaseException):
        pass

    def check(typed: int) -> None:
        if typed == 2:
            raise Halt

    hand = cable.input()
    hand.check_with(check)
    with pytest.raises(Halt):
        hand.emit(Text("ABC"))
    assert typed_text(cable.changes(), characters_of(load_layout("us"))) == "AB"
    assert not cable.host.down


@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080), (3840, 2160), (1366, 768), (640, 480)])
def test_every_pixel_is_the_same_pixel_at_the_other_end(tmp_path: Path, size: tuple[int, int]) -> None:
    cable = Cable(tmp_path)
    hand = cable.wire("us").input(Size(*size), None)
    width, height = size
    columns = {0, 1, width // 3, width // 2, width - 2, width - 1, *range(0, width, 37)}
    for x in sorted(columns):
        y = x * (height - 1) // (width - 1)
        hand.emit(Move(x, y))
        place = cable.pointed().place
        assert (place[X] * width // 32768, place[Y] * height // 32768) == (x, y)
        assert hand.pointer() == Point(x, y)
    hand.close()
    cable.close()


def test_buttons_and_wheels(cable: Cable) -> None:
    hand = cable.input()
    with pytest.raises(Refused, match="Give x and y"):
        hand.emit(ButtonDown("left"))
    hand.emit(Move(10, 10))
    buttons: tuple[Button, ...] = ("left", "right", "middle", "back", "forward")
    for number, button in enumerate(buttons, 1):
        hand.emit(ButtonDown(button))
        assert cable.pointed().buttons == {number}
        hand.emit(ButtonUp(button))
    hand.emit(Wheel(2, -3))
    assert cable.pointed().turned == {PAN: 2, WHEEL: -3} and not cable.pointer.buttons


def test_a_drag_that_is_cut_off_ends_where_it_began(cable: Cable) -> None:
    hand = cable.input()
    hand.emit(Move(100, 50))
    codes = hand.codes(ButtonDown("left"))
    hand.emit(ButtonDown("left"))
    began = dict(cable.pointed().place)
    hand.emit(Move(900, 700))
    assert cable.pointed().place != began and all(0 <= code < 64 for code in codes)
    cable.output.releaser().release((), codes)
    assert cable.pointed().place == began and not cable.pointer.buttons


def test_a_release_of_nothing_known_moves_no_pointer(cable: Cable) -> None:
    cable.output.releaser().release((), ())
    assert cable.mouse.read() == mouse_report(0, NOWHERE, NOWHERE) and cable.reports() == [ALL_KEYS_UP]
    assert cable.pointed().place == {}


def test_without_a_mouse_nothing_is_pointed_at(tmp_path: Path) -> None:
    keyboard = Pipe(tmp_path / "keyboard")
    output = usb_hid.create(usb_hid.Options(str(keyboard.path), ""))
    hand = output.input(SCREEN, None)
    assert not output.has_pointer
    for event in (Move(1, 1), Wheel(0, 1)):
        with pytest.raises(Refused, match="no mouse"):
            hand.emit(event)
    assert output.releaser().release((), ())
    with pytest.raises(Refused):
        hand.open("firefox")
    keyboard.close()


def test_a_device_that_is_not_there_is_told(tmp_path: Path) -> None:
    gone = usb_hid.create(usb_hid.Options(str(tmp_path / "hidg0"), ""))
    with pytest.raises(TargetError, match=r"There is no device.*gadget setup"):
        gone.connect()
    os.mkfifo(tmp_path / "unread")
    with pytest.raises(TargetError, match="Nobody reads"):
        usb_hid.create(usb_hid.Options(str(tmp_path / "unread"), "")).connect()


def test_a_host_that_goes_is_told_in_words(cable: Cable) -> None:
    hand = cable.input()
    hand.emit(KeyDown("a"))
    cable.keyboard.close()
    hand.emit(KeyUp("a"))  # a host that has lost a keyboard has let go of its keys
    with pytest.raises(TargetError, match=r"not connected|Nobody reads"):
        hand.emit(KeyDown("b"))
    assert cable.output.releaser().release((A,), ())
    assert cable.pointed().place == {} and not cable.pointer.buttons  # the mouse was released still


def test_a_host_that_takes_nothing_is_told_in_time(cable: Cable) -> None:
    hand = cable.input()
    with pytest.raises(TargetError, match="takes no reports"):
        while True:
            hand.emit(Text("a" * 32))
    cable.keyboard.read()
    hand.emit(Text("b"))  # it listens again
    assert cable.reports()[-1] == ALL_KEYS_UP


_HOLDS = """
import os, sys
from desktop_agent.protocol.geometry import Size
from desktop_agent.protocol.input_events import Button, ButtonDown, KeyDown, Move
from desktop_agent.extras.camera.wire import usb_hid
hand = usb_hid.reached(os.environ, {}).input(Size(1280, 800), None)
for event in (Move(100, 50), ButtonDown("left"), KeyDown("ctrl"), KeyDown("x"), Move(900, 700)):
    print(*hand.codes(event), flush=True)
    hand.emit(event)
print("held", flush=True)
sys.stdin.read()
"""


def test_after_kill_9_the_releaser_lets_all_go(cable: Cable) -> None:
    environment = {**os.environ, **cable.output.environment()}
    process = subprocess.Popen(
        [sys.executable, "-c", _HOLDS], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    given = [line.split() for line in iter(process.stdout.readline, b"held\n")]
    process.send_signal(signal.SIGKILL)
    process.wait()
    cable.changes()
    assert cable.host.down == {CTRL, X_KEY} and cable.pointed().buttons == {1}
    keys = [int(code) for codes in given[2:4] for code in codes]
    assert set(keys) == {CTRL, X_KEY}
    watch = usb_hid.reached(cable.output.environment(), {}).releaser()
    assert watch.release(keys, [int(code) for code in given[1]])
    cable.changes()
    assert not cable.host.down and not cable.pointed().buttons
    assert cable.pointer.place[X] * 1280 // 32768 == 100


def test_an_address_without_a_keyboard_is_told() -> None:
    with pytest.raises(TargetError, match="names no USB keyboard"):
        usb_hid.reached({}, {})
