"""Injects input events as the reports of a USB keyboard and mouse."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import assert_never

from desktop_agent.extras.camera.wire._usb.hid_device import HidDevice, HostGone
from desktop_agent.extras.camera.wire._usb.keyboard_layout import FIRST_MODIFIER, KeyboardLayout, KeyStroke
from desktop_agent.extras.camera.wire._usb.report_descriptors import (
    ALL_BUTTONS_UP,
    ALL_KEYS_UP,
    AXIS_RANGE,
    BUTTONS,
    mouse_report,
)
from desktop_agent.extras.camera.wire._usb.usb_reports import UsbKeyboard, UsbMouse
from desktop_agent.platforms.base import Input, Releaser
from desktop_agent.platforms.other_computer import InputFromAfar, one_screen, place_codes, place_of
from desktop_agent.protocol.errors import Refused, TargetError
from desktop_agent.protocol.geometry import Geometry, Point, Size
from desktop_agent.protocol.input_events import (
    Button,
    ButtonDown,
    ButtonUp,
    InputEvent,
    KeyDown,
    KeyUp,
    Move,
    Text,
    Wheel,
)


class UsbHidInput(InputFromAfar):
    """Keyboard and, where `mouse` is not None, the pointer of the computer at the other end of a USB cable.

    That tells nothing but what it was sent: whose window is where is unknown, and no pixels come back this way.
    """

    def __init__(
        self,
        keyboard: HidDevice,
        mouse: HidDevice | None,
        typing: KeyboardLayout,
        screen: Size,
        human: Input | None,
    ) -> None:
        self._keyboard = UsbKeyboard(keyboard)
        self._mouse = UsbMouse(mouse) if mouse is not None else None
        self._typing = typing
        self._screen = screen
        super().__init__(human)
        self._pressed_at = (0, 0)

    def emit(self, event: InputEvent) -> None:
        match event:
            case Move(x, y):
                self._pointer().move(*self._units(Point(x, y)))
                self.at = Point(x, y)
            case ButtonDown(button):
                mouse = self._placed()
                if not mouse.buttons:
                    self._pressed_at = mouse.x, mouse.y
                mouse.press(_bit(button))
            case ButtonUp(button):
                with suppress(HostGone):  # which has let go of it
                    self._pointer().release(_bit(button))
            case Wheel(dx, dy):
                self._pointer().turn(dx, dy)
            case KeyDown(key):
                self._keyboard.press(key, self._typing.key(key))
            case KeyUp(key):
                with suppress(HostGone):
                    self._keyboard.release(key)
            case Text(chunk):
                self._keyboard.type(self._typing.typed(chunk), self.check)
            case _:
                assert_never(event)

    def prepare(self, text: str) -> None:
        """Refuses a text with a character that the layout lacks, before anything of it is typed."""
        self._typing.typed(text)

    def _pointer(self) -> UsbMouse:
        if self._mouse is None:
            raise Refused("There is no mouse on this wire.", "Use the keyboard.")
        return self._mouse

    def _placed(self) -> UsbMouse:
        mouse = self._pointer()
        if self.at is None:
            raise Refused("Where the pointer is, the other computer does not tell.", "Give x and y.")
        return mouse

    def _units(self, at: Point) -> tuple[int, int]:
        """The middle of a pixel in the mouse's units, which the other computer makes the same pixel of."""
        return _unit(at.x, self._screen.width), _unit(at.y, self._screen.height)

    def codes(self, event: InputEvent) -> tuple[int, ...]:
        match event:
            case KeyDown(key):
                return _codes_of([self._typing.key(key)])
            case Text(chunk):
                return _codes_of(self._typing.typed(chunk))
            case ButtonDown(button):
                mouse = self._placed()
                at = self._pressed_at if mouse.buttons else (mouse.x, mouse.y)
                return (_bit(button), *place_codes(at[0] + 1, at[1]))  # one more: a place of 0, 0 has no bits
        return ()

    def geometry(self) -> Geometry:
        return one_screen(self._screen)

    def open(self, what: str) -> str:
        raise Refused(
            f"Nothing can be opened over a cable, so not {what!r}.",
            "Use what the other computer's desktop offers: a menu, say.",
        )

    def close(self) -> None:
        super().close()
        self._keyboard.device.close()
        if self._mouse is not None:
            self._mouse.device.close()


class UsbHidReleaser(Releaser):
    """Says of keyboard and mouse that nothing is down, whatever was; a drag ends where it began. See Releaser.

    Opens the devices itself. That a host has taken a report is all that can be known of it. One that has lost a device
    has let go of what that held.
    """

    def __init__(self, keyboard: HidDevice, mouse: HidDevice | None) -> None:
        self._keyboard = keyboard
        self._mouse = mouse

    def release(self, keys: Sequence[int], buttons: Sequence[int]) -> bool:
        del keys  # a report says what is down: all that it does not name is up
        failed = _written(self._keyboard, ALL_KEYS_UP)
        if self._mouse is not None:  # it may be there though the keyboard is not
            failed = _written(self._mouse, _release_report(buttons)) or failed
        if failed is not None:
            raise failed
        return True


def _written(device: HidDevice, report: bytes) -> TargetError | None:
    """Writes a report that releases; the error where the host may hold something still."""
    try:
        device.write(report)
    except HostGone:
        return None
    except TargetError as error:
        return error
    return None


def _release_report(buttons: Sequence[int]) -> bytes:
    """Buttons up where they were pressed, or, where that is not known, where the pointer is."""
    place = place_of(sum(1 << each for each in buttons))
    return mouse_report(0, place.x - 1, place.y) if place.x else ALL_BUTTONS_UP


def _bit(button: Button) -> int:
    return BUTTONS.index(button)


def _unit(pixel: int, pixels: int) -> int:
    return min(AXIS_RANGE - 1, max(0, (2 * pixel + 1) * AXIS_RANGE // (2 * pixels)))


def _codes_of(characters: Sequence[Sequence[KeyStroke]]) -> tuple[int, ...]:
    """The usage ids of the keys and modifiers in these strokes."""
    found = dict[int, None]()
    for stroke in (stroke for strokes in characters for stroke in strokes):
        found.update((FIRST_MODIFIER + bit, None) for bit in range(8) if stroke.modifiers >> bit & 1)
        if stroke.usage:
            found[stroke.usage] = None
    return tuple(found)
