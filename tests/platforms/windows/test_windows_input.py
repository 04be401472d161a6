"""Input events become the bytes that SendInput reads; what Windows makes of them is tested on Windows."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_agent.platforms.base import KeyDestination
from desktop_agent.platforms.windows.input import sendinput_records as records
from desktop_agent.platforms.windows.input.input import PIECE, WindowsInput
from desktop_agent.platforms.windows.input.keycodes import CODES, EXTENDED
from desktop_agent.platforms.windows.input.sendinput_records import (
    KEY_UNICODE,
    KEY_UP,
    RANGE,
    KeyRecord,
    Mouse,
    Record,
)
from desktop_agent.platforms.windows.user32 import OURS, User32, packed
from desktop_agent.protocol.errors import Refused, Stopped
from desktop_agent.protocol.geometry import Point, Rect
from desktop_agent.protocol.input_events import ButtonDown, ButtonUp, KeyDown, KeyUp, Move, Text, Wheel
from desktop_agent.protocol.keys import NAMES


class Recorder(User32):
    """A Windows that writes down what it is told: two monitors, the second left of the primary one."""

    def __init__(self, swapped: bool = False) -> None:
        self.sent: list[Record] = []
        self.calls = 0
        self._swapped = swapped

    def send(self, records: Sequence[Record]) -> None:
        self.sent += records
        self.calls += 1

    def monitors(self) -> tuple[Rect, ...]:
        return Rect(0, 0, 1920, 1080), Rect(-1280, -200, 1280, 1024)

    def code_of(self, char: str) -> int:
        known = {"a": 0x41, "A": 0x141, "@": 0x0651, "+": 0xBB}  # "@" as on a German keyboard: ctrl and alt
        return known.get(char, -1)

    def scan_code(self, code: int) -> int:
        return code ^ 0x80

    def buttons_swapped(self) -> bool:
        return self._swapped

    def pressed_or_down(self, code: int) -> tuple[bool, bool]:
        return False, False


def landed(mouse: Mouse, desktop: Rect) -> Point:
    """The pixel that Windows makes of absolute coordinates."""
    return Point(
        desktop.x + mouse.x * desktop.width // RANGE,
        desktop.y + mouse.y * desktop.height // RANGE,
    )


@given(st.data())
def test_every_pixel_of_every_desktop_is_hit(data: st.DataObject) -> None:
    desktop = Rect(
        data.draw(st.integers(-16_000, 16_000)),
        data.draw(st.integers(-16_000, 16_000)),
        data.draw(st.integers(1, 32_000)),
        data.draw(st.integers(1, 32_000)),
    )
    x = data.draw(st.integers(desktop.x, desktop.right - 1))
    y = data.draw(st.integers(desktop.y, desktop.bottom - 1))
    told = records.mouse_move(Move(x, y), desktop)
    assert landed(told, desktop) == Point(x, y)
    # The same where Windows rounds to the nearest pixel of a range that ends with the last one.
    across, down = (desktop.width - 1) / (RANGE - 1), (desktop.height - 1) / (RANGE - 1)
    assert (round(told.x * across), round(told.y * down)) == (x - desktop.x, y - desktop.y)


def test_a_move_counts_from_the_corner_of_all_monitors() -> None:
    windows = Recorder()
    WindowsInput(windows).emit(Move(-1280, -200))
    WindowsInput(windows).emit(Move(1919, 1079))
    first, last = windows.sent
    desktop = Rect(-1280, -200, 3200, 1280)
    assert isinstance(first, Mouse) and landed(first, desktop) == Point(-1280, -200)
    assert isinstance(last, Mouse) and landed(last, desktop) == Point(1919, 1079)


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=16))
def test_text_arrives_whatever_the_layout_is(chunk: str) -> None:
    windows = Recorder()
    WindowsInput(windows).emit(Text(chunk))
    keys = [each for each in windows.sent if isinstance(each, KeyRecord)]
    pressed = [each.scan for each in keys if each.flags == KEY_UNICODE]
    released = [each.scan for each in keys if each.flags == KEY_UNICODE | KEY_UP]
    assert struct.pack(f"<{len(pressed)}H", *pressed).decode("utf-16-le") == chunk
    assert pressed == released and not any(each.code for each in keys)


def test_a_stop_is_looked_for_before_every_two_characters() -> None:
    windows = Recorder()
    hand = WindowsInput(windows)

    def check(typed: int) -> None:
        if typed >= 6:
            raise Stopped("Esc")

    hand.check_with(check)
    with pytest.raises(Stopped):
        hand.emit(Text("0123456789"))
    assert windows.calls == 3 and len(windows.sent) == 2 * 3 * PIECE


@pytest.mark.parametrize(("swapped", "flags"), [(False, [0x2, 0x4]), (True, [0x8, 0x10])])
def test_the_left_button_is_the_one_the_user_calls_left(swapped: bool, flags: list[int]) -> None:
    windows = Recorder(swapped)
    for event in (ButtonDown("left"), ButtonUp("left")):
        WindowsInput(windows).emit(event)
    assert [each.flags for each in windows.sent] == flags


def test_extra_buttons_and_the_wheel() -> None:
    windows = Recorder()
    for event in (ButtonDown("forward"), Wheel(0, -2), Wheel(3, 0)):
        WindowsInput(windows).emit(event)
    assert windows.sent == [Mouse(0, 0, 2, 0x80), Mouse(0, 0, -240, 0x800), Mouse(0, 0, 360, 0x1000)]


def test_a_key_comes_with_its_modifiers_and_goes_in_reverse() -> None:
    windows = Recorder()
    hand = WindowsInput(windows)
    hand.emit(KeyDown("@"))
    hand.emit(KeyUp("@"))
    codes = [each.code for each in windows.sent if isinstance(each, KeyRecord)]
    assert codes == [0xA2, 0xA4, 0x51, 0x51, 0xA4, 0xA2] and hand.codes(KeyDown("@")) == (0xA2, 0xA4, 0x51)
    assert [bool(each.flags & KEY_UP) for each in windows.sent] == [False] * 3 + [True] * 3
    assert windows.sent[0] == KeyRecord(0xA2, 0xA2 ^ 0x80, 0)


def test_a_keyboard_of_other_letters_has_our_shortcuts() -> None:
    """As a Cyrillic layout: no key of it types a Latin letter."""
    hand = WindowsInput(Recorder())
    assert [hand.codes(KeyDown(name)) for name in ("c", "z", "C", "1")] == [
        (0x43,), (0x5A,), (0xA0, 0x43), (0x31,),
    ]  # fmt: skip


def test_keys_that_do_not_exist_are_refused() -> None:
    hand = WindowsInput(Recorder())
    for name in ("ю", "f30", "brightness_up"):
        with pytest.raises(Refused):
            hand.codes(KeyDown(name))


def test_keys_apart_from_the_keypad_are_marked_as_extended() -> None:
    windows = Recorder()
    for name in ("delete", "kp_1", "enter", "kp_enter"):
        WindowsInput(windows).emit(KeyDown(name))
    assert [each.flags for each in windows.sent] == [1, 0, 0, 1]


def test_every_named_key_is_a_key_of_the_vocabulary() -> None:
    assert set(CODES) <= NAMES and set(CODES) >= EXTENDED
    missing = NAMES - set(CODES)
    assert missing == {*(f"f{n}" for n in range(25, 36)), "kp_equal", "brightness_up", "brightness_down"}


def test_the_bytes_are_those_of_the_windows_api() -> None:
    """INPUT on 64 bits: 40 bytes, the type first, the union from byte 8, tagged as ours."""
    data = bytes(packed((Mouse(-1, 2, -240, 0x800), KeyRecord(0x41, 0x1E, KEY_UP))))
    if ctypes.sizeof(ctypes.c_void_p) == 8:
        mouse = struct.pack("<IxxxxiiIIIxxxxQ", 0, -1, 2, (-240) & 0xFFFFFFFF, 0x800, 0, OURS)
        key = struct.pack("<IxxxxHHIIxxxxQ8x", 1, 0x41, 0x1E, KEY_UP, 0, OURS)
        assert data == mouse + key and len(mouse) == 40


def test_a_menu_that_is_open_gets_the_keys_wherever_the_focus_is() -> None:
    class Focused(Recorder):
        focus: tuple[int, bool] = (0, False)

        def keyboard_focus(self) -> tuple[int, bool]:
            return self.focus

        def title(self, window: int) -> str:
            return {7: "Letter"}.get(window, "")

    windows = Focused()
    hand = WindowsInput(windows)
    assert hand.key_destination() is None  # a console does not tell
    windows.focus = (7, False)
    assert (field := hand.key_destination()) == KeyDestination(7)
    assert field is not None and hand.describe_destination(field) == "“Letter”"
    windows.focus = (7, True)
    assert (menu := hand.key_destination()) == KeyDestination(7, grabbed=True)
    assert menu is not None and hand.describe_destination(menu) == "a menu that is open"
