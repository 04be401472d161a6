"""Canonical key names and their aliases.

A key is a single printable character ("a", "+", "ß") or one of `NAMES`. Aliases cover what models
say: X11 keysym names (Return, Page_Up), Windows and Mac words (win, cmd, option), pyautogui's
words (pgup, playpause).
"""

from __future__ import annotations

from collections.abc import Iterable

from desktop_agent.protocol.errors import Refused

MODIFIERS = ("ctrl", "shift", "alt", "super", "altgr")
SIDED_MODIFIERS = (
    "ctrl_left", "ctrl_right", "shift_left", "shift_right", "alt_left", "alt_right", "super_left", "super_right",
)  # fmt: skip
EDITING = ("enter", "tab", "space", "backspace", "delete", "insert", "escape")
MOVING = ("up", "down", "left", "right", "home", "end", "page_up", "page_down")
LOCKS = ("caps_lock", "num_lock", "scroll_lock")
SYSTEM = ("menu", "print_screen", "pause", "break", "help")
FUNCTION = tuple(f"f{number}" for number in range(1, 36))
KEYPAD = (
    *(f"kp_{digit}" for digit in range(10)),
    "kp_enter", "kp_add", "kp_subtract", "kp_multiply", "kp_divide", "kp_decimal", "kp_equal",
)  # fmt: skip
MEDIA = (
    "volume_up", "volume_down", "volume_mute", "media_play_pause", "media_stop", "media_next", "media_previous",
    "brightness_up", "brightness_down", "browser_back", "browser_forward", "browser_refresh", "browser_home",
    "browser_search", "mail", "calculator",
)  # fmt: skip
NAMES = frozenset(MODIFIERS + SIDED_MODIFIERS + EDITING + MOVING + LOCKS + SYSTEM + FUNCTION + KEYPAD + MEDIA)

# Written without separators: `_squeeze` removes them before the look-up.
_ALIASES = {
    "control": "ctrl", "ctl": "ctrl", "strg": "ctrl",
    "controll": "ctrl_left", "controlleft": "ctrl_left", "lctrl": "ctrl_left", "ctrll": "ctrl_left",
    "leftctrl": "ctrl_left", "lcontrol": "ctrl_left",
    "controlr": "ctrl_right", "controlright": "ctrl_right", "rctrl": "ctrl_right", "ctrlr": "ctrl_right",
    "rightctrl": "ctrl_right", "rcontrol": "ctrl_right",
    "shiftl": "shift_left", "lshift": "shift_left", "leftshift": "shift_left",
    "shiftr": "shift_right", "rshift": "shift_right", "rightshift": "shift_right",
    "altl": "alt_left", "lalt": "alt_left", "leftalt": "alt_left",
    "altr": "alt_right", "ralt": "alt_right", "rightalt": "alt_right",
    "option": "alt", "opt": "alt", "meta": "alt", "isolevel3shift": "altgr", "modeswitch": "altgr",
    "cmd": "super", "command": "super", "win": "super", "windows": "super", "logo": "super", "gui": "super",
    "superl": "super_left", "lsuper": "super_left", "winleft": "super_left", "lwin": "super_left",
    "leftwin": "super_left", "leftsuper": "super_left", "cmdleft": "super_left", "metal": "super_left",
    "superr": "super_right", "rsuper": "super_right", "winright": "super_right", "rwin": "super_right",
    "rightwin": "super_right", "rightsuper": "super_right", "cmdright": "super_right", "metar": "super_right",
    "return": "enter", "linefeed": "enter", "newline": "enter", "ret": "enter", "cr": "enter",
    "esc": "escape", "del": "delete", "ins": "insert", "bs": "backspace", "backtab": "tab",
    "spacebar": "space", "blank": "space",
    "uparrow": "up", "arrowup": "up", "downarrow": "down", "arrowdown": "down",
    "leftarrow": "left", "arrowleft": "left", "rightarrow": "right", "arrowright": "right",
    "prior": "page_up", "pgup": "page_up", "pageu": "page_up", "next": "page_down", "pgdn": "page_down",
    "pgdown": "page_down", "begin": "home",
    "capslock": "caps_lock", "caps": "caps_lock", "numlock": "num_lock", "numlk": "num_lock",
    "scrolllock": "scroll_lock", "scrlk": "scroll_lock",
    "apps": "menu", "contextmenu": "menu", "print": "print_screen", "prtsc": "print_screen",
    "prtscr": "print_screen", "prntscrn": "print_screen", "sysreq": "print_screen",
    "printscreen": "print_screen",
    "kpprior": "page_up", "kppageup": "page_up", "kpnext": "page_down", "kppagedown": "page_down",
    "kphome": "home", "kpend": "end", "kpup": "up", "kpdown": "down", "kpleft": "left", "kpright": "right",
    "kpinsert": "insert", "kpdelete": "delete", "kpplus": "kp_add", "kpminus": "kp_subtract",
    "kptimes": "kp_multiply", "kpperiod": "kp_decimal", "kpdot": "kp_decimal", "kpreturn": "kp_enter",
    "kpequals": "kp_equal",
    **{f"num{digit}": f"kp_{digit}" for digit in range(10)},
    **{f"numpad{digit}": f"kp_{digit}" for digit in range(10)},
    "numpadenter": "kp_enter", "numpadadd": "kp_add", "numpadsubtract": "kp_subtract",
    "numpadmultiply": "kp_multiply", "numpaddivide": "kp_divide", "numpaddecimal": "kp_decimal",
    "add": "kp_add", "subtract": "kp_subtract", "multiply": "kp_multiply", "divide": "kp_divide",
    "decimal": "kp_decimal",
    "volumeup": "volume_up", "volup": "volume_up", "audioraisevolume": "volume_up",
    "xf86audioraisevolume": "volume_up",
    "volumedown": "volume_down", "voldown": "volume_down", "audiolowervolume": "volume_down",
    "xf86audiolowervolume": "volume_down",
    "mute": "volume_mute", "volumemute": "volume_mute", "audiomute": "volume_mute",
    "xf86audiomute": "volume_mute", "audiovolumemute": "volume_mute",
    "playpause": "media_play_pause", "play": "media_play_pause", "mediaplaypause": "media_play_pause",
    "xf86audioplay": "media_play_pause", "mediaplay": "media_play_pause",
    "stop": "media_stop", "mediastop": "media_stop", "xf86audiostop": "media_stop",
    "nexttrack": "media_next", "medianext": "media_next", "xf86audionext": "media_next",
    "medianexttrack": "media_next", "mediatracknext": "media_next",
    "prevtrack": "media_previous", "previoustrack": "media_previous", "mediaprevious": "media_previous",
    "mediaprev": "media_previous", "xf86audioprev": "media_previous", "mediaprevioustrack": "media_previous",
    "mediatrackprevious": "media_previous",
    "monbrightnessup": "brightness_up", "xf86monbrightnessup": "brightness_up",
    "monbrightnessdown": "brightness_down", "xf86monbrightnessdown": "brightness_down",
    "xf86back": "browser_back", "browserback": "browser_back", "xf86forward": "browser_forward",
    "browserforward": "browser_forward", "xf86refresh": "browser_refresh", "xf86homepage": "browser_home",
    "xf86search": "browser_search", "launchmail": "mail", "xf86mail": "mail",
    "launchcalculator": "calculator", "xf86calculator": "calculator", "launchapp2": "calculator",
    "plus": "+", "minus": "-", "hyphen": "-", "equal": "=", "equals": "=", "comma": ",", "period": ".",
    "dot": ".", "fullstop": ".", "slash": "/", "backslash": "\\", "semicolon": ";", "colon": ":",
    "apostrophe": "'", "quote": "'", "quotedbl": '"', "doublequote": '"', "grave": "`", "backtick": "`",
    "backquote": "`", "asciitilde": "~", "tilde": "~", "bracketleft": "[", "bracketright": "]",
    "braceleft": "{", "braceright": "}", "parenleft": "(", "parenright": ")", "less": "<", "greater": ">",
    "bar": "|", "pipe": "|", "underscore": "_", "asterisk": "*", "star": "*", "ampersand": "&",
    "asciicircum": "^", "caret": "^", "percent": "%", "dollar": "$", "numbersign": "#", "hash": "#",
    "at": "@", "exclam": "!", "exclamation": "!", "question": "?",
}  # fmt: skip

_BY_SQUEEZED = {name.replace("_", ""): name for name in NAMES} | _ALIASES


def canonical(name: str) -> str:
    """The canonical name of a key given by any of its names.

    A single printable character stands for itself (so "A" is shift+a to a keyboard); a blank is
    "space". Raises Refused for an unknown name, with the nearest known ones.
    """
    found = _single(name) if len(name) == 1 else known(name)
    if found is None:
        raise Refused(f"There is no key called {name[:40]!r}.", _nearest(name))
    return found


def together(names: Iterable[str]) -> tuple[str, ...]:
    """The canonical names of keys that are pressed together, in the order given.

    A letter beside other keys is the key and not a character, so its case means nothing: `ctrl` and `A` are
    Ctrl+A, and Shift is pressed only where `shift` is named (as xdotool's key names in capitals are written by
    many models, and as every menu prints its shortcuts). Raises Refused for an unknown name.
    """
    found = tuple(canonical(name) for name in names)
    return tuple(map(_letter_key, found)) if len(found) > 1 else found


def _letter_key(key: str) -> str:
    small = key.lower()
    return small if len(key) == len(small) == 1 else key


def known(name: str) -> str | None:
    """The canonical name of a key with a name of its own, None when it is none."""
    return _BY_SQUEEZED.get(_squeeze(name))


def is_modifier(key: str) -> bool:
    """True for a canonical name of ctrl, shift, alt, super or altgr, sided or not."""
    return key in MODIFIERS or key in SIDED_MODIFIERS


def _single(name: str) -> str:
    if name in " \n\t":
        return {" ": "space", "\n": "enter", "\t": "tab"}[name]
    if not name.isprintable():
        raise Refused(f"The character U+{ord(name):04X} is no key.", "Name the key instead, like 'enter'.")
    return name


def _squeeze(name: str) -> str:
    return name.lower().replace("_", "").replace("-", "").replace(" ", "")


def _nearest(name: str) -> str:
    import difflib  # only on the way to an error

    close = difflib.get_close_matches(_squeeze(name), _BY_SQUEEZED, n=3)
    names = sorted({_BY_SQUEEZED[each] for each in close})
    return (
        f"Did you mean {' or '.join(names)}?" if names else "Use a name like ctrl, enter, f5 or a character."
    )
