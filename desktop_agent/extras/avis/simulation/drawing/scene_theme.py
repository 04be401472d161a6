"""The look of a simulated desktop: colours, typefaces and sizes, from `assets/simulation/themes.toml` of this extra."""

from __future__ import annotations

import tomllib
from functools import cache

import msgspec

from desktop_agent.extras.avis.simulation.drawing.fonts import Typeface, typeface
from desktop_agent.support import resources


class Colours(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Each as #rrggbb."""

    desktop: str
    window: str
    title_bar: str
    title_bar_behind: str
    title: str
    text: str
    muted: str
    disabled: str
    line: str
    field: str
    button: str
    button_hovered: str
    button_pressed: str
    accent: str
    on_accent: str
    danger: str
    selection: str
    on_selection: str
    focus: str
    link: str
    success: str
    error: str
    warning: str
    banner: str
    shadow: str


class SceneTheme(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`family` and `title_family` are of `fonts.FILES`, `size` is the text's in pixels; `padding` is inside of controls,
    `gap` between them, `radius` that of corners."""

    colours: Colours
    family: str = "sans"
    title_family: str = "bold"
    size: int = 13
    padding: int = 7
    gap: int = 10
    radius: int = 4

    @property
    def text(self) -> Typeface:
        return typeface(self.family, self.size)

    @property
    def bold(self) -> Typeface:
        return typeface(self.title_family, self.size)

    @property
    def heading(self) -> Typeface:
        return typeface(self.title_family, round(self.size * 1.45))

    @property
    def mono(self) -> Typeface:
        return typeface("mono", self.size)

    @property
    def small(self) -> Typeface:
        return typeface(self.family, max(9, self.size - 2))

    @property
    def row(self) -> int:
        """Height of a line of a list, a menu, a table."""
        return self.text.line + 8

    @property
    def control(self) -> int:
        """Height of a button or a field."""
        return self.text.line + 2 * self.padding


@cache
def theme(name: str) -> SceneTheme:
    """The theme with this name. Raises KeyError."""
    return msgspec.convert(tomllib.loads(resources.text("simulation", "themes.toml"))[name], SceneTheme)
