"""Virtual-key codes: the numbers Windows gives to keys, by key name.

Source: "Virtual-Key Codes" of the Windows API (winuser.h).
"""

from __future__ import annotations

from desktop_agent.protocol.input_events import Button

CODES: dict[str, int] = {
    "ctrl": 0xA2, "ctrl_left": 0xA2, "ctrl_right": 0xA3,
    "shift": 0xA0, "shift_left": 0xA0, "shift_right": 0xA1,
    "alt": 0xA4, "alt_left": 0xA4, "alt_right": 0xA5, "altgr": 0xA5,
    "super": 0x5B, "super_left": 0x5B, "super_right": 0x5C,
    "enter": 0x0D, "tab": 0x09, "space": 0x20, "backspace": 0x08, "delete": 0x2E, "insert": 0x2D,
    "escape": 0x1B, "up": 0x26, "down": 0x28, "left": 0x25, "right": 0x27,
    "home": 0x24, "end": 0x23, "page_up": 0x21, "page_down": 0x22,
    "caps_lock": 0x14, "num_lock": 0x90, "scroll_lock": 0x91,
    "menu": 0x5D, "print_screen": 0x2C, "pause": 0x13, "break": 0x03, "help": 0x2F,
    **{f"f{number}": 0x6F + number for number in range(1, 25)},
    **{f"kp_{digit}": 0x60 + digit for digit in range(10)},
    "kp_enter": 0x0D, "kp_add": 0x6B, "kp_subtract": 0x6D, "kp_multiply": 0x6A,
    "kp_divide": 0x6F, "kp_decimal": 0x6E,
    "volume_up": 0xAF, "volume_down": 0xAE, "volume_mute": 0xAD,
    "media_play_pause": 0xB3, "media_stop": 0xB2, "media_next": 0xB0, "media_previous": 0xB1,
    "browser_back": 0xA6, "browser_forward": 0xA7, "browser_refresh": 0xA8, "browser_home": 0xAC,
    "browser_search": 0xAA, "mail": 0xB4, "calculator": 0xB7,
}  # fmt: skip

# Keys whose scan code begins with E0: without KEYEVENTF_EXTENDEDKEY Windows takes them for keypad keys.
EXTENDED = frozenset((
    "ctrl_right", "alt_right", "altgr", "super", "super_left", "super_right", "delete", "insert", "up", "down",
    "left", "right", "home", "end", "page_up", "page_down", "num_lock", "menu", "print_screen", "break",
    "kp_enter", "kp_divide", "volume_up", "volume_down", "volume_mute", "media_play_pause", "media_stop",
    "media_next", "media_previous", "browser_back", "browser_forward", "browser_refresh", "browser_home",
    "browser_search", "mail", "calculator",
))  # fmt: skip

SHIFT, CTRL, ALT = CODES["shift"], CODES["ctrl"], CODES["alt"]

BUTTON_CODES: dict[Button, int] = {"left": 0x01, "right": 0x02, "middle": 0x04, "back": 0x05, "forward": 0x06}
"""Virtual keys of the mouse buttons. GetAsyncKeyState reports the device's buttons by them, even after the user has swapped
left and right; SendInput and our record of held buttons use the user's names."""

PACKET = 0xE7
"""VK_PACKET: the key that Windows presses for a character injected as Unicode."""
