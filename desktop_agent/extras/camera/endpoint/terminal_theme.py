"""The colours of a terminal: of its cells as the emulator names them, and of what is around it (desktop_agent/extras/camera/assets/endpoint/themes.toml)."""

from __future__ import annotations

import tomllib
from functools import cache

import msgspec

from desktop_agent.support import resources

NAMES = ("black", "red", "green", "brown", "blue", "magenta", "cyan", "white")
"""The eight colours as pyte calls them; the bright ones have `bright` before (and one of its backgrounds is misspelt)."""
_MISSPELT = {"bfightmagenta": "brightmagenta"}
_INDEXED = (
    "000000", "cd0000", "00cd00", "cdcd00", "0000ee", "cd00cd", "00cdcd", "e5e5e5",
    "7f7f7f", "ff0000", "00ff00", "ffff00", "5c5cff", "ff00ff", "00ffff", "ffffff",
)  # fmt: skip
"""What pyte makes of the first sixteen of 256 colours: they are those of the palette."""
_STEPS = 12

Colour = tuple[int, int, int]
"""Red, green and blue, 0 to 255."""


class ThemeColours(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A theme as the file has it."""

    background: str
    foreground: str
    cursor: str
    bar: str
    bar_text: str
    bar_notice: str
    least_contrast: float
    palette: tuple[str, ...]


class TerminalTheme:
    """Colours for what is on a terminal, each pair of text and background told apart well enough."""

    def __init__(self, colours: ThemeColours) -> None:
        self.colours = colours
        self._named = dict(zip([*NAMES, *(f"bright{each}" for each in NAMES)], colours.palette, strict=True))
        self._known: dict[tuple[str, str, bool], tuple[Colour, Colour]] = {}

    def pair(self, text: str, background: str, reverse: bool) -> tuple[Colour, Colour]:
        """The colours of text and background for pyte's names of them, reversed where the cell is."""
        key = (text, background, reverse)
        found = self._known.get(key)
        if found is None:
            if len(self._known) > 4_096:  # a program that uses all colours there are
                self._known.clear()
            found = self._known[key] = self._made(text, background, reverse)
        return found

    def _made(self, text: str, background: str, reverse: bool) -> tuple[Colour, Colour]:
        front, back = (
            self._colour(text, self.colours.foreground),
            self._colour(background, self.colours.background),
        )
        if reverse:
            front, back = back, front
        return readable(front, back, self.colours.least_contrast), back

    def _colour(self, name: str, usual: str) -> Colour:
        if name == "default":
            return rgb(usual)
        name = _MISSPELT.get(name, name)
        if name in _INDEXED:
            return rgb(self.colours.palette[_INDEXED.index(name)])
        return rgb(self._named.get(name, name))


@cache
def theme_names() -> tuple[str, ...]:
    """All themes."""
    return tuple(_file())


def terminal_theme(name: str) -> TerminalTheme:
    """The theme of this name. Raises KeyError, OSError."""
    return TerminalTheme(msgspec.convert(_file()[name], ThemeColours))


def _file() -> dict[str, object]:
    return tomllib.loads(resources.text("endpoint", "themes.toml"))


def rgb(text: str) -> Colour:
    """The colour of `#rrggbb` or `rrggbb`."""
    digits = text.removeprefix("#")
    return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:6], 16)


def contrast(one: Colour, other: Colour) -> float:
    """How far two colours differ in lightness: 1 to 21 (WCAG 2.2, contrast ratio)."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def readable(text: Colour, background: Colour, least: float) -> Colour:
    """A text's colour, moved to white or black until it differs enough from its background; the same colour stays, which hides it."""
    if text == background or contrast(text, background) >= least:
        return text
    white, black = (255, 255, 255), (0, 0, 0)
    end = max(white, black, key=lambda each: contrast(each, background))
    for step in range(1, _STEPS):
        mixed = _mixed(text, end, step / _STEPS)
        if contrast(mixed, background) >= least:
            return mixed
    return end


def _mixed(one: Colour, other: Colour, share: float) -> Colour:
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue


def _luminance(colour: Colour) -> float:
    red, green, blue = (_linear(each / 255) for each in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
