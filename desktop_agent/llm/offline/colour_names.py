"""Names of colours: what people call a red, a green or a blue in a picture."""

from __future__ import annotations

import colorsys
from typing import TypeAlias

Colour: TypeAlias = tuple[int, int, int]

# The basic colour words with the values that CSS gives them, and a few that people use beside them.
NAMES: dict[str, Colour] = {
    "black": (0, 0, 0), "white": (255, 255, 255), "grey": (128, 128, 128), "silver": (192, 192, 192),
    "red": (255, 0, 0), "maroon": (128, 0, 0), "brown": (150, 75, 20), "orange": (255, 165, 0), "gold": (255, 215, 0),
    "yellow": (255, 255, 0), "olive": (128, 128, 0), "lime": (0, 255, 0), "green": (0, 128, 0), "teal": (0, 128, 128),
    "cyan": (0, 255, 255), "turquoise": (64, 224, 208), "blue": (0, 0, 255), "navy": (0, 0, 128),
    "purple": (128, 0, 128), "violet": (238, 130, 238), "magenta": (255, 0, 255), "pink": (255, 192, 203),
    "indigo": (75, 0, 130), "beige": (245, 245, 220),
}  # fmt: skip
SAME = {"gray": "grey", "aqua": "cyan", "fuchsia": "magenta", "golden": "gold", "turquois": "turquoise"}
"""Other words for the same colours."""

# Where the hue of each family ends, in degrees.
_FAMILIES = (
    (18, "red"), (42, "orange"), (68, "yellow"), (165, "green"), (198, "cyan"), (262, "blue"), (292, "purple"),
    (342, "magenta"), (361, "red"),
)  # fmt: skip
_FAMILY_OF = {
    "maroon": "red", "brown": "orange", "gold": "yellow", "olive": "yellow", "lime": "green", "teal": "cyan",
    "turquoise": "cyan", "navy": "blue", "violet": "magenta", "pink": "red", "indigo": "purple",
}  # fmt: skip
_PALE = 0.08
"""Saturation below which a colour is some grey."""


def named(word: str) -> str:
    """The name in `NAMES` that a word stands for, "" for any other word."""
    text = word.lower()
    text = SAME.get(text, text)
    return text if text in NAMES else ""


def family(colour: Colour) -> str:
    """The basic colour it is a shade of: black, white, grey, or one of the hues."""
    hue, lightness, _ = colorsys.rgb_to_hls(*(each / 255 for each in colour))
    spread = (max(colour) - min(colour)) / 255
    if spread < _PALE:
        return "black" if lightness < 0.2 else "white" if lightness > 0.9 else "grey"
    return next(name for end, name in _FAMILIES if hue * 360 < end)


def is_shade(colour: Colour, name: str) -> bool:
    """Is it a shade of a colour of `NAMES`?"""
    return family(colour) == _FAMILY_OF.get(name, name)
