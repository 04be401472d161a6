"""The USB wire on a real gadget: Linux's gadget, host and HID drivers in a virtual machine that is plugged into itself."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from desktop_agent.extras.camera.wire import usb_hid
from desktop_agent.extras.camera.wire._usb.keyboard_layout import load_layout
from desktop_agent.extras.camera.wire._usb.usb_output import UsbHidKeyboardOutput
from desktop_agent.protocol.geometry import Size
from desktop_agent.protocol.input_events import ButtonDown, ButtonUp, KeyDown, Move, Text, Wheel
from tests.support.usb_guest import EV_ABS, EV_KEY, EV_REL, NoGuest, UsbGuest, usb_guest
from tests.support.usb_host import characters_of, typed_text
from tests.support.waiting import until

BTN_LEFT, ABS_X, ABS_Y, REL_WHEEL, REL_HWHEEL = 0x110, 0x00, 0x01, 0x08, 0x06
TEXT = 'Grüße, ~/^tests {a} [b] "x" <>|@€ àéî ÄÖÜ\n\tAbC 1234 aabb'


@pytest.fixture(scope="module")
def guest() -> Iterator[UsbGuest]:
    try:
        with usb_guest() as made:
            yield made
    except NoGuest as reason:
        pytest.skip(str(reason))


def output(guest: UsbGuest) -> UsbHidKeyboardOutput:
    return usb_hid.create(usb_hid.Options(str(guest.keyboard), str(guest.mouse), "de"))


def test_a_text_arrives_key_by_key(guest: UsbGuest) -> None:
    characters, before = characters_of(load_layout("de")), len(guest.key_changes())
    hand = output(guest).input(Size(1280, 800), None)
    hand.emit(Text(TEXT))
    hand.close()

    def arrived() -> bool:
        return typed_text(guest.key_changes()[before:], characters) == TEXT

    until(arrived, f"the text; {guest.key_changes()[before:]}", 20)


def test_what_is_held_is_let_go_by_another_releaser(guest: UsbGuest) -> None:
    hand, before = output(guest).input(Size(1280, 800), None), len(guest.key_changes())
    hand.emit(KeyDown("ctrl"))
    hand.emit(KeyDown("x"))
    until(lambda: guest.key_changes()[before:] == [(0xE0, True), (0x1B, True)], "the presses", 20)
    output(guest).releaser().release((0xE0, 0x1B), ())
    until(lambda: sorted(guest.key_changes()[before + 2 :]) == [(0x1B, False), (0xE0, False)], "up", 20)
    hand.close()


def test_the_pointer_is_where_it_was_sent_and_a_release_does_not_move_it(guest: UsbGuest) -> None:
    hand = output(guest).input(Size(1280, 800), None)
    for event in (Move(640, 400), ButtonDown("left"), Move(1279, 799), ButtonUp("left"), Wheel(1, -2)):
        hand.emit(event)
    output(guest).releaser().release((), ())
    hand.emit(ButtonDown("left"))  # told after all before it
    hand.emit(ButtonUp("left"))
    hand.close()

    def pressed() -> int:
        return sum((each.type, each.code) == (EV_KEY, BTN_LEFT) for each in guest.pointer_records())

    until(lambda: pressed() == 4, "the buttons", 20)
    records = guest.pointer_records()
    places = {
        axis: [r.value for r in records if (r.type, r.code) == (EV_ABS, axis)] for axis in (ABS_X, ABS_Y)
    }
    assert [each * 1280 // 32768 for each in places[ABS_X]] == [640, 1279]
    assert [each * 800 // 32768 for each in places[ABS_Y]] == [400, 799]
    turns = [(r.code, r.value) for r in records if r.type == EV_REL and r.code in (REL_WHEEL, REL_HWHEEL)]
    assert turns == [(REL_HWHEEL, 1), (REL_WHEEL, -1), (REL_WHEEL, -1)]
