"""The report descriptors of the keyboard and the mouse, and the bytes of their reports.

Source: USB Device Class Definition for HID 1.11, appendix B.1 (boot keyboard) and E.10 (mouse); HID Usage Tables 1.5.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

KEYBOARD_LENGTH, MOUSE_LENGTH = 8, 7
"""Bytes of a report."""
MOST_KEYS = 6
"""That a boot keyboard can hold beside modifiers."""
LAST_USAGE = 0xDF
AXIS_RANGE = 0x8000
"""X and Y go from 0 to one less."""
NOWHERE = 0xFFFF
"""A place outside that range: a host leaves its pointer where it is, as the axes have a null state (HID 1.11, 5.10)."""
BUTTONS = ("left", "right", "middle", "back", "forward")
"""By their bits."""

# Each line is one item: its prefix byte with the data.
KEYBOARD_DESCRIPTOR = bytes.fromhex(
    "05 01"  # Usage Page (Generic Desktop)
    "09 06"  # Usage (Keyboard)
    "A1 01"  # Collection (Application)
    "05 07"  # Usage Page (Keyboard/Keypad)
    "19 E0 29 E7"  # Usage Minimum, Maximum: the eight modifiers
    "15 00 25 01"  # Logical Minimum 0, Maximum 1
    "75 01 95 08"  # Report Size 1, Count 8
    "81 02"  # Input (Data, Variable, Absolute)
    "95 01 75 08"  # Report Count 1, Size 8
    "81 01"  # Input (Constant): reserved
    "95 05 75 01"  # Report Count 5, Size 1
    "05 08"  # Usage Page (LEDs)
    "19 01 29 05"  # Usage Minimum, Maximum: Num Lock to Kana
    "91 02"  # Output (Data, Variable, Absolute)
    "95 01 75 03"  # Report Count 1, Size 3
    "91 01"  # Output (Constant): padding
    "95 06 75 08"  # Report Count 6, Size 8
    "15 00 26 DF 00"  # Logical Minimum 0, Maximum 0xDF
    "05 07"  # Usage Page (Keyboard/Keypad)
    "19 00 2A DF 00"  # Usage Minimum, Maximum
    "81 00"  # Input (Data, Array)
    "C0"  # End Collection
)
MOUSE_DESCRIPTOR = bytes.fromhex(
    "05 01"  # Usage Page (Generic Desktop)
    "09 02"  # Usage (Mouse)
    "A1 01"  # Collection (Application)
    "09 01"  # Usage (Pointer)
    "A1 00"  # Collection (Physical)
    "05 09"  # Usage Page (Button)
    "19 01 29 05"  # Usage Minimum, Maximum: five buttons
    "15 00 25 01"  # Logical Minimum 0, Maximum 1
    "95 05 75 01"  # Report Count 5, Size 1
    "81 02"  # Input (Data, Variable, Absolute)
    "95 01 75 03"  # Report Count 1, Size 3
    "81 01"  # Input (Constant): padding
    "05 01"  # Usage Page (Generic Desktop)
    "09 30 09 31"  # Usage X, Y
    "16 00 00 26 FF 7F"  # Logical Minimum 0, Maximum 32767
    "75 10 95 02"  # Report Size 16, Count 2
    "81 42"  # Input (Data, Variable, Absolute, Null State)
    "09 38"  # Usage (Wheel)
    "15 81 25 7F"  # Logical Minimum -127, Maximum 127
    "75 08 95 01"  # Report Size 8, Count 1
    "81 06"  # Input (Data, Variable, Relative)
    "05 0C"  # Usage Page (Consumer)
    "0A 38 02"  # Usage (AC Pan): the horizontal wheel
    "81 06"  # Input (Data, Variable, Relative)
    "C0 C0"  # End Collections
)


def keyboard_report(modifiers: int, usages: Sequence[int]) -> bytes:
    """Eight bytes: a bit for each modifier, a reserved byte, and up to six usage ids."""
    return bytes((modifiers, 0, *usages)).ljust(KEYBOARD_LENGTH, b"\0")


def mouse_report(buttons: int, x: int, y: int, wheel: int = 0, pan: int = 0) -> bytes:
    """Seven bytes: a bit for each button, X and Y from 0 to 32767 or NOWHERE, and the two wheels from -127 to 127."""
    return struct.pack("<BHHbb", buttons, x, y, wheel, pan)


ALL_KEYS_UP = keyboard_report(0, ())
ALL_BUTTONS_UP = mouse_report(0, NOWHERE, NOWHERE)
