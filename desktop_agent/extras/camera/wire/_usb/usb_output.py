"""The keyboard and mouse that a USB gadget of this computer plays to another."""

from __future__ import annotations

from collections.abc import Mapping

from desktop_agent.extras.camera.wire._usb.hid_device import HidDevice
from desktop_agent.extras.camera.wire._usb.keyboard_layout import KeyboardLayout, KeyStroke, load_layout
from desktop_agent.extras.camera.wire._usb.usb_input import UsbHidInput, UsbHidReleaser
from desktop_agent.extras.camera.wire._usb.usb_reports import UsbKeyboard, UsbMouse
from desktop_agent.platforms.base import Input
from desktop_agent.protocol.geometry import Size
from desktop_agent.wire.base import KeyboardAction, KeyboardOutput, Keystroke, ModifiedKey, TextInput

KEYBOARD, MOUSE, LAYOUT = (
    "DESKTOP_AGENT_WIRE_KEYBOARD",
    "DESKTOP_AGENT_WIRE_MOUSE",
    "DESKTOP_AGENT_WIRE_LAYOUT",
)
"""The environment variables by which the processes of hand and guard learn of it."""
_KEYS = {"ctrl": "ctrl", "alt": "alt", "shift": "shift", "win": "super"}


class UsbHidKeyboardOutput(KeyboardOutput):
    """Writes reports to the devices `keyboard` and `mouse` ("" for none) for a computer set to the keyboard layout `layout`."""

    kind = "usb_hid"

    def __init__(self, keyboard: str, mouse: str, layout: str) -> None:
        self.title = f"USB cable ({keyboard})"
        self.has_pointer = bool(mouse)
        self._names = {KEYBOARD: keyboard, MOUSE: mouse, LAYOUT: layout}
        self._keyboard = UsbKeyboard(HidDevice(keyboard))
        self._mouse = UsbMouse(HidDevice(mouse)) if mouse else None

    def environment(self) -> Mapping[str, str]:
        return self._names

    def connect(self) -> None:
        self._layout()
        self._keyboard.device.open()
        if self._mouse is not None:
            self._mouse.device.open()

    def _layout(self) -> KeyboardLayout:
        return load_layout(self._names[LAYOUT])

    def send(self, action: KeyboardAction) -> None:
        match action:
            case Keystroke(key):
                self._press([self._layout().key(key)])
            case ModifiedKey(modifiers, key):
                held = [self._layout().key(_KEYS[each]) for each in modifiers]
                self._press([*held, self._layout().key(key)])
            case TextInput(text):
                self._keyboard.type(self._layout().typed(text), _pass)

    def _press(self, keys: list[tuple[KeyStroke, ...]]) -> None:
        """Press them one after the other, and release them the other way round."""
        names = [f"{number}" for number in range(len(keys))]
        try:
            for name, strokes in zip(names, keys, strict=True):
                self._keyboard.press(name, strokes)
            for name in reversed(names):
                self._keyboard.release(name)
        except BaseException:
            self._keyboard.release_all()
            raise

    def release_all(self) -> None:
        self._keyboard.release_all()
        if self._mouse is not None:
            self._mouse.release_all()

    def input(self, screen: Size, human: Input | None) -> UsbHidInput:
        keyboard, mouse = self._devices()
        for device in (keyboard, mouse):
            if device is not None:
                device.open()
        return UsbHidInput(keyboard, mouse, self._layout(), screen, human)

    def releaser(self) -> UsbHidReleaser:
        return UsbHidReleaser(*self._devices())

    def _devices(self) -> tuple[HidDevice, HidDevice | None]:
        mouse = self._names[MOUSE]
        return HidDevice(self._names[KEYBOARD]), HidDevice(mouse) if mouse else None

    def close(self) -> None:
        self._keyboard.device.close()
        if self._mouse is not None:
            self._mouse.device.close()


def _pass(typed: int) -> None:
    del typed
