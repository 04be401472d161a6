"""Names of colours, for boxes that take a colour as hexadecimal digits."""

from __future__ import annotations

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
_HEX = re.compile(r"(#?)[0-9a-f]{6}", re.I)


def as_shown(value: str, shown: str) -> str:
    """The value in the way a box writes colours: "green" in a box that shows "#AB2567" is "#008000"."""
    digits = _NAMED.get(value.strip().lower())
    now = _HEX.fullmatch(shown.strip())
    if digits is None or now is None:
        return value
    return now[1] + (digits.upper() if shown.upper() == shown else digits)
