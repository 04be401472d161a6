"""Names of colours: for boxes that take one as hexadecimal digits, and for buttons that are told by theirs."""

from __future__ import annotations

import colorsys
import re

# The names of CSS (W3C, CSS Color Module Level 4) that people use.
_NAMED = {
    "black": "000000", "white": "ffffff", "gray": "808080", "grey": "808080", "silver": "c0c0c0", "red": "ff0000",
    "maroon": "800000", "orange": "ffa500", "yellow": "ffff00", "olive": "808000", "lime": "00ff00", "green": "008000",
    "cyan": "00ffff", "aqua": "00ffff", "teal": "008080", "blue": "0000ff", "navy": "000080", "magenta": "ff00ff",
    "fuchsia": "ff00ff", "purple": "800080", "violet": "ee82ee", "indigo": "4b0082", "pink": "ffc0cb", "brown": "a52a2a",
    "gold": "ffd700", "beige": "f5f5dc", "tan": "d2b48c", "turquoise": "40e0d0", "salmon": "fa8072", "coral": "ff7f50",
    "crimson": "dc143c", "khaki": "f0e68c", "lavender": "e6e6fa", "ivory": "fffff0", "orchid": "da70d6", "plum": "dda0dd",
}  # fmt: skip
# Where the hue of each family ends, in degrees.
_FAMILIES = (
    (18, "red"), (42, "orange"), (68, "yellow"), (165, "green"), (198, "cyan"), (262, "blue"), (292, "purple"),
    (342, "magenta"), (361, "red"),
)  # fmt: skip
_FAMILY_OF = {
    "maroon": "red", "brown": "orange", "gold": "yellow", "olive": "yellow", "lime": "green", "teal": "cyan",
    "turquoise": "cyan", "aqua": "cyan", "navy": "blue", "violet": "magenta", "fuchsia": "magenta", "pink": "red",
    "indigo": "purple", "gray": "grey", "black": "black", "white": "white", "grey": "grey",
    **{name: name for _, name in _FAMILIES},
}  # fmt: skip
_PALE = 0.08
"""Saturation below which a colour is some grey."""
_HEX = re.compile(r"(#?)[0-9a-f]{6}", re.I)


def as_shown(value: str, shown: str) -> str:
    """The value in the way a box writes colours: "green" in a box that shows "#AB2567" is "#008000"."""
    digits = _NAMED.get(value.strip().lower())
    now = _HEX.fullmatch(shown.strip())
    if digits is None or now is None:
        return value
    return now[1] + (digits.upper() if shown.upper() == shown else digits)


def family_of(word: str) -> str:
    """The basic colour that a name stands for ("navy" for blue), "" for any other word."""
    return _FAMILY_OF.get(word.lower(), "")


def family(colour: tuple[int, int, int]) -> str:
    """The basic colour it is a shade of: black, white, grey, or one of the hues."""
    hue, lightness, _ = colorsys.rgb_to_hls(*(each / 255 for each in colour))
    if (max(colour) - min(colour)) / 255 < _PALE:
        return "black" if lightness < 0.2 else "white" if lightness > 0.9 else "grey"
    return next(name for end, name in _FAMILIES if hue * 360 < end)
