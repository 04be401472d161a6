"""Keysyms: the numbers X11 gives to keys and characters, by key name and by character.

Source: X11/keysymdef.h and X11/XF86keysym.h of xorgproto, and the X protocol's appendix on keysym
encoding: Latin-1 characters are their own code, every other character is 0x01000000 + code point.
"""

from __future__ import annotations

import ctypes
import unicodedata
from collections.abc import Callable
from functools import cache, lru_cache

from desktop_agent.protocol.errors import Refused

SHIFT, LEVEL3, CAPS_LOCK, RETURN, TAB, ESCAPE = 0xFFE1, 0xFE03, 0xFFE5, 0xFF0D, 0xFF09, 0xFF1B
UNICODE = 0x01000000

NAMED: dict[str, int] = {
    "ctrl": 0xFFE3, "ctrl_left": 0xFFE3, "ctrl_right": 0xFFE4,
    "shift": SHIFT, "shift_left": SHIFT, "shift_right": 0xFFE2,
    "alt": 0xFFE9, "alt_left": 0xFFE9, "alt_right": 0xFFEA, "altgr": LEVEL3,
    "super": 0xFFEB, "super_left": 0xFFEB, "super_right": 0xFFEC,
    "enter": RETURN, "tab": TAB, "space": 0x20, "backspace": 0xFF08, "delete": 0xFFFF, "insert": 0xFF63,
    "escape": ESCAPE, "up": 0xFF52, "down": 0xFF54, "left": 0xFF51, "right": 0xFF53,
    "home": 0xFF50, "end": 0xFF57, "page_up": 0xFF55, "page_down": 0xFF56,
    "caps_lock": CAPS_LOCK, "num_lock": 0xFF7F, "scroll_lock": 0xFF14,
    "menu": 0xFF67, "print_screen": 0xFF61, "pause": 0xFF13, "break": 0xFF6B, "help": 0xFF6A,
    **{f"f{number}": 0xFFBD + number for number in range(1, 36)},
    **{f"kp_{digit}": 0xFFB0 + digit for digit in range(10)},
    "kp_enter": 0xFF8D, "kp_add": 0xFFAB, "kp_subtract": 0xFFAD, "kp_multiply": 0xFFAA,
    "kp_divide": 0xFFAF, "kp_decimal": 0xFFAE, "kp_equal": 0xFFBD,
    "volume_up": 0x1008FF13, "volume_down": 0x1008FF11, "volume_mute": 0x1008FF12,
    "media_play_pause": 0x1008FF14, "media_stop": 0x1008FF15, "media_next": 0x1008FF17,
    "media_previous": 0x1008FF16, "brightness_up": 0x1008FF02, "brightness_down": 0x1008FF03,
    "browser_back": 0x1008FF26, "browser_forward": 0x1008FF27, "browser_refresh": 0x1008FF29,
    "browser_home": 0x1008FF18, "browser_search": 0x1008FF1B, "mail": 0x1008FF19, "calculator": 0x1008FF1D,
}  # fmt: skip

_KEYS_OF_CONTROLS = {0x08: "backspace", 0x0D: "enter", 0x1B: "escape", 0x7F: "delete"}


@lru_cache(maxsize=4096)
def of_character(character: str) -> int:
    """The keysym that types a character. Raises Refused for control characters, surrogates and noncharacters."""
    if character in "\n\t":
        return RETURN if character == "\n" else TAB
    point = ord(character)
    if unicodedata.category(character) in ("Cc", "Cs") or point & 0xFFFE == 0xFFFE:
        raise _untypable(point)
    return point if point < 0x100 else UNICODE + point


def _untypable(point: int) -> Refused:
    key = _KEYS_OF_CONTROLS.get(point)
    if key == "enter":
        return Refused(f"U+{point:04X} cannot be typed.", "Write \\n where Enter is to be pressed.")
    if key:
        return Refused(f"U+{point:04X} cannot be typed as text.", f"Press the key: key_combo with {key}.")
    what = "a control" if unicodedata.category(chr(point)) == "Cc" else "no character"
    return Refused(f"U+{point:04X} cannot be typed: it is {what}, and no key makes it.", "Leave it out.")


def of_key(name: str) -> int:
    """The keysym of a key by its canonical name (`protocol.keys`). Raises Refused for one X11 does not have."""
    if len(name) == 1:
        return of_character(name)
    if name not in NAMED:
        raise Refused(f"There is no key called {name!r} on this keyboard.")
    return NAMED[name]


def unified(keysym: int) -> int:
    """A layout's keysym in the form of `of_character`, so that the two can be compared.

    Layouts also use legacy keysyms of characters (Cyrillic_a, EuroSign). Keypad and function keys stay as they
    are: what they type depends on Num Lock.
    """
    if keysym < 0x100 or keysym >= UNICODE or 0xFE00 <= keysym <= 0xFFFF:
        return keysym
    point = _to_utf32()(keysym)
    if not point:
        return keysym
    return point if point < 0x100 else UNICODE + point


@cache
def _to_utf32() -> Callable[[int], int]:
    """xkb_keysym_to_utf32 of libxkbcommon, a pure function; without the library legacy keysyms count as unknown."""
    try:
        convert = ctypes.CDLL("libxkbcommon.so.0").xkb_keysym_to_utf32
    except OSError:
        return lambda _: 0
    convert.argtypes, convert.restype = [ctypes.c_uint32], ctypes.c_uint32
    return convert
