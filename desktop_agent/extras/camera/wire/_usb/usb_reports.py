"""Presses keys and buttons by reports, and knows what the other computer takes to be down."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from desktop_agent.extras.camera.wire._usb.hid_device import HidDevice
from desktop_agent.extras.camera.wire._usb.keyboard_layout import KeyStroke
from desktop_agent.extras.camera.wire._usb.report_descriptors import (
    MOST_KEYS,
    NOWHERE,
    keyboard_report,
    mouse_report,
)
from desktop_agent.protocol.errors import Refused


class UsbKeyboard:
    """A boot keyboard: each report says all that is down. What was not accepted counts as down, so that it is released."""

    def __init__(self, device: HidDevice) -> None:
        self.device = device
        self._held: dict[str, KeyStroke] = {}

    def press(self, name: str, strokes: Sequence[KeyStroke]) -> None:
        """Press a key and hold it by that name; a dead key before it is tapped. Raises Refused for a seventh."""
        *before, last = strokes
        if name in self._held:
            self.release(name)
        usages = {each.usage for each in self._held.values() if each.usage} | {last.usage} - {0}
        if len(usages) > MOST_KEYS:
            raise _too_many()
        self.type([before], _go_on)
        if last.usage in self._usages():  # by another name: the host has to see it go up
            self._report(without=last.usage)
        self._held[name] = last
        self._report()

    def release(self, name: str) -> None:
        """Release what is held by that name; nothing where nothing is."""
        stroke = self._held.get(name)
        if stroke is None:
            return
        others = [each for key, each in self._held.items() if key != name]
        self._write(others)
        del self._held[name]

    def type(self, characters: Sequence[Sequence[KeyStroke]], check: Callable[[int], None]) -> None:
        """Type these characters on top of what is held; `check(typed)` is called before each and may raise.

        A modifier goes down in a report of its own before the key and stays for the next character that needs it:
        some hosts take the key first otherwise. Raises Refused, with nothing typed, where a key of the text is held.
        """
        self._check_free({stroke.usage for strokes in characters for stroke in strokes})
        shift, at_rest = 0, True
        try:
            for number, strokes in enumerate(characters):
                check(number)
                for stroke in strokes:
                    at_rest = False
                    if stroke.modifiers != shift:
                        shift = stroke.modifiers
                        self._report(KeyStroke(0, shift))
                    self._report(stroke)
                    self._report(KeyStroke(0, shift))
                    at_rest = not shift
        finally:
            if not at_rest:
                self._report()

    def _check_free(self, usages: set[int]) -> None:
        held = self._usages()
        if not usages.isdisjoint(held):
            raise Refused("A key of this text is held down.", "Release it before.")
        if usages and len(set(held)) >= MOST_KEYS:
            raise _too_many()

    def release_all(self) -> None:
        """One report with nothing down."""
        self._write(())
        self._held.clear()

    def _usages(self) -> list[int]:
        return [each.usage for each in self._held.values() if each.usage]

    def _report(self, more: KeyStroke | None = None, without: int = 0) -> None:
        strokes = [*self._held.values(), *((more,) if more is not None else ())]
        self._write([KeyStroke(0, each.modifiers) if each.usage == without else each for each in strokes])

    def _write(self, strokes: Iterable[KeyStroke]) -> None:
        modifiers, usages = 0, dict[int, None]()
        for each in strokes:
            modifiers |= each.modifiers
            if each.usage:
                usages[each.usage] = None
        self.device.write(keyboard_report(modifiers, tuple(usages)))


class UsbMouse:
    """A mouse whose reports say where the pointer is, in 32,768ths of the screen."""

    def __init__(self, device: HidDevice) -> None:
        self.device = device
        self.buttons = 0
        self.x = self.y = NOWHERE

    def move(self, x: int, y: int) -> None:
        self.x, self.y = x, y
        self._report()

    def press(self, bit: int) -> None:
        self.buttons |= 1 << bit
        self._report()

    def release(self, bit: int) -> None:
        left = self.buttons & ~(1 << bit)
        self.device.write(mouse_report(left, self.x, self.y))
        self.buttons = left

    def turn(self, pan: int, wheel: int) -> None:
        """Turn by notches, up and to the right where positive, one in each report."""
        for _ in range(abs(pan)):
            self._report(pan=_sign(pan))
        for _ in range(abs(wheel)):
            self._report(wheel=_sign(wheel))

    def release_all(self) -> None:
        """One report with no button down, where the pointer is."""
        self.device.write(mouse_report(0, self.x, self.y))
        self.buttons = 0

    def _report(self, wheel: int = 0, pan: int = 0) -> None:
        self.device.write(mouse_report(self.buttons, self.x, self.y, wheel, pan))


def _too_many() -> Refused:
    return Refused(f"A USB keyboard holds no more than {MOST_KEYS} keys at once.", "Release some before.")


def _sign(number: int) -> int:
    return 1 if number > 0 else -1


def _go_on(typed: int) -> None:
    del typed
