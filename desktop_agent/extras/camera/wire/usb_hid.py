"""A USB cable: this computer (a Raspberry Pi, say) is the keyboard and mouse of another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

import msgspec

from desktop_agent.protocol.errors import TargetError

if TYPE_CHECKING:
    from desktop_agent.extras.camera.wire._usb.usb_output import UsbHidKeyboardOutput

DevicePath = Annotated[str, msgspec.Meta(pattern=r"^/[^\0]*$")]
NoDevicePath = Annotated[str, msgspec.Meta(pattern=r"^(/[^\0]*)?$")]
LayoutName = Annotated[str, msgspec.Meta(pattern=r"^[a-z][a-z0-9_]*$")]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[wire.usb_hid]`: the devices of the gadget (mouse = "" for none), and the layout the other computer is set to."""

    keyboard: DevicePath = "/dev/hidg0"
    mouse: NoDevicePath = "/dev/hidg1"
    layout: LayoutName = "us"


def create(options: Options) -> UsbHidKeyboardOutput:
    """The keyboard and mouse, not opened yet."""
    from desktop_agent.extras.camera.wire._usb.usb_output import UsbHidKeyboardOutput

    return UsbHidKeyboardOutput(options.keyboard, options.mouse, options.layout)


def reached(environment: Mapping[str, str], secrets: Mapping[str, str]) -> UsbHidKeyboardOutput:
    """The same in the process of hand or guard. Raises TargetError."""
    from desktop_agent.extras.camera.wire._usb.usb_output import KEYBOARD, LAYOUT, MOUSE, UsbHidKeyboardOutput

    del secrets
    if KEYBOARD not in environment:
        raise TargetError("The address names no USB keyboard.", "Start the program again.")
    return UsbHidKeyboardOutput(environment[KEYBOARD], environment.get(MOUSE, ""), environment[LAYOUT])
