"""Raw events as the records that SendInput takes: the part of the Windows hand that needs no Windows.

Source: INPUT, MOUSEINPUT and KEYBDINPUT of the Windows API (winuser.h).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeAlias

from desktop_agent.platforms.windows.input.keycodes import ALT, CODES, CTRL, EXTENDED, SHIFT
from desktop_agent.protocol.errors import Refused
from desktop_agent.protocol.geometry import Rect
from desktop_agent.protocol.input_events import Button, ButtonDown, ButtonUp, Move, Wheel

KEY_EXTENDED, KEY_UP, KEY_UNICODE = 0x1, 0x2, 0x4
MOVED, WHEEL, WHEEL_SIDEWAYS, WHOLE_DESKTOP, ABSOLUTE = 0x1, 0x800, 0x1000, 0x4000, 0x8000
NOTCH = 120
RANGE = 65_536
"""Absolute coordinates run from 0 to this over the whole virtual desktop."""

# Flags of pressing and releasing, and the number of an extra button.
_BUTTONS: dict[Button, tuple[int, int, int]] = {
    "left": (0x2, 0x4, 0),
    "right": (0x8, 0x10, 0),
    "middle": (0x20, 0x40, 0),
    "back": (0x80, 0x100, 1),
    "forward": (0x80, 0x100, 2),
}
_SWAPPED: dict[Button, Button] = {"left": "right", "right": "left"}


class Mouse(NamedTuple):
    """MOUSEINPUT: `data` is the wheel's turn or the extra button."""

    x: int
    y: int
    data: int
    flags: int


class KeyRecord(NamedTuple):
    """KEYBDINPUT: a virtual key, or with KEY_UNICODE a unit of UTF-16 in `scan`."""

    code: int
    scan: int
    flags: int


Record: TypeAlias = Mouse | KeyRecord


class VirtualKeyStroke(NamedTuple):
    """A virtual key and the modifiers to be held for it, in the order in which they are pressed."""

    code: int
    extended: bool = False
    modifiers: tuple[int, ...] = ()


def mouse_move(event: Move, desktop: Rect) -> Mouse:
    """The pointer to a pixel: to its middle, which no way of rounding makes another one of.

    The absolute range is the whole virtual desktop's (MOUSEINPUT), so that the middle of pixel n is (n + 1/2) of width.
    """
    x = (2 * (event.x - desktop.x) + 1) * RANGE // (2 * desktop.width)
    y = (2 * (event.y - desktop.y) + 1) * RANGE // (2 * desktop.height)
    return Mouse(x, y, 0, MOVED | ABSOLUTE | WHOLE_DESKTOP)


def physical(name: Button, swapped: bool) -> Button:
    """Which button of the device that is when the user has exchanged left and right, or has not."""
    return _SWAPPED.get(name, name) if swapped else name


def mouse_button(event: ButtonDown | ButtonUp, swapped: bool) -> Mouse:
    """A button; `swapped` when the user has exchanged left and right, for Windows exchanges them after us."""
    press, release, data = _BUTTONS[physical(event.button, swapped)]
    return Mouse(0, 0, data, press if isinstance(event, ButtonDown) else release)


def mouse_wheel(event: Wheel) -> Iterator[Mouse]:
    """The wheel; Windows counts up and to the right as positive, like `Wheel`."""
    if event.dy:
        yield Mouse(0, 0, event.dy * NOTCH, WHEEL)
    if event.dx:
        yield Mouse(0, 0, event.dx * NOTCH, WHEEL_SIDEWAYS)


def character(char: str) -> Iterator[KeyRecord]:
    """A character whatever the keyboard layout is: each unit of its UTF-16 pressed and released."""
    units = char.encode("utf-16-le")
    for at in range(0, len(units), 2):
        unit = int.from_bytes(units[at : at + 2], "little")
        yield KeyRecord(0, unit, KEY_UNICODE)
        yield KeyRecord(0, unit, KEY_UNICODE | KEY_UP)


def key(stroke: VirtualKeyStroke, scan: Callable[[int], int], *, up: bool) -> Iterator[KeyRecord]:
    """A key and its modifiers, pressed in order or released in reverse; `scan` gives a virtual key's scan code."""
    codes = [(code, False) for code in stroke.modifiers] + [(stroke.code, stroke.extended)]
    for code, extended in reversed(codes) if up else codes:
        yield KeyRecord(code, scan(code), (KEY_UP if up else 0) | (KEY_EXTENDED if extended else 0))


def stroke(name: str, layout: Callable[[str], int]) -> VirtualKeyStroke:
    """How a key of `protocol.keys` is pressed; `layout` is VkKeyScan: code and shift state of a character, or -1.

    A layout of other letters (Cyrillic, Greek, …) has keys for ours nevertheless: Ctrl and C is the key of C
    (winuser.h: "VK_A thru VK_Z are the same as ASCII"). Raises Refused for a key that this keyboard does not have.
    """
    if len(name) > 1:
        if name not in CODES:
            raise Refused(f"There is no key called {name!r} on this keyboard.")
        return VirtualKeyStroke(CODES[name], name in EXTENDED)
    found = layout(name)
    if found == -1 and name.isascii() and name.isalnum():
        return VirtualKeyStroke(ord(name.upper()), False, (SHIFT,) if name.isupper() else ())
    if found == -1:
        raise Refused(f"The keyboard has no key for {name!r}.", "Type it as text instead.")
    held = {1: SHIFT, 2: CTRL, 4: ALT}
    return VirtualKeyStroke(
        found & 0xFF, False, tuple(code for bit, code in held.items() if found >> 8 & bit)
    )
