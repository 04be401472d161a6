"""Converts raw input events to the records of SendInput; needs no Windows to run.

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
    """MOUSEINPUT: `data` is the wheel's movement or the number of the extra button."""

    x: int
    y: int
    data: int
    flags: int


class KeyRecord(NamedTuple):
    """KEYBDINPUT: a virtual key, or with KEY_UNICODE a UTF-16 code unit in `scan`."""

    code: int
    scan: int
    flags: int


Record: TypeAlias = Mouse | KeyRecord


class VirtualKeyStroke(NamedTuple):
    """A virtual key and the modifiers to hold for it, in the order of pressing."""

    code: int
    extended: bool = False
    modifiers: tuple[int, ...] = ()


def mouse_move(event: Move, desktop: Rect) -> Mouse:
    """A move to the centre of a pixel, so that no way of rounding ends on a neighbour.

    RANGE absolute units span the virtual desktop (MOUSEINPUT), so the centre of pixel n is at (n + 1/2) / width of them.
    """
    x = (2 * (event.x - desktop.x) + 1) * RANGE // (2 * desktop.width)
    y = (2 * (event.y - desktop.y) + 1) * RANGE // (2 * desktop.height)
    return Mouse(x, y, 0, MOVED | ABSOLUTE | WHOLE_DESKTOP)


def physical(name: Button, swapped: bool) -> Button:
    """The physical button behind a logical one; `swapped` when the user has exchanged left and right."""
    return _SWAPPED.get(name, name) if swapped else name


def mouse_button(event: ButtonDown | ButtonUp, swapped: bool) -> Mouse:
    """A button event; `swapped` when the user has exchanged left and right, which Windows does after injection."""
    press, release, data = _BUTTONS[physical(event.button, swapped)]
    return Mouse(0, 0, data, press if isinstance(event, ButtonDown) else release)


def mouse_wheel(event: Wheel) -> Iterator[Mouse]:
    """Wheel events, vertical then horizontal; up and right are positive, as in `Wheel`."""
    if event.dy:
        yield Mouse(0, 0, event.dy * NOTCH, WHEEL)
    if event.dx:
        yield Mouse(0, 0, event.dx * NOTCH, WHEEL_SIDEWAYS)


def character(char: str) -> Iterator[KeyRecord]:
    """A character independent of the keyboard layout: each of its UTF-16 code units pressed and released."""
    units = char.encode("utf-16-le")
    for at in range(0, len(units), 2):
        unit = int.from_bytes(units[at : at + 2], "little")
        yield KeyRecord(0, unit, KEY_UNICODE)
        yield KeyRecord(0, unit, KEY_UNICODE | KEY_UP)


def key(stroke: VirtualKeyStroke, scan: Callable[[int], int], *, up: bool) -> Iterator[KeyRecord]:
    """A key with its modifiers, pressed in order or (`up`) released in reverse; `scan` maps virtual key to scan code."""
    codes = [(code, False) for code in stroke.modifiers] + [(stroke.code, stroke.extended)]
    for code, extended in reversed(codes) if up else codes:
        yield KeyRecord(code, scan(code), (KEY_UP if up else 0) | (KEY_EXTENDED if extended else 0))


def stroke(name: str, layout: Callable[[str], int]) -> VirtualKeyStroke:
    """How a key of `protocol.keys` is pressed; `layout` is VkKeyScan: code and shift state of a character, or -1.

    Layouts of other scripts (Cyrillic, Greek, …) still have virtual keys for ASCII letters, so that Ctrl+C works
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
