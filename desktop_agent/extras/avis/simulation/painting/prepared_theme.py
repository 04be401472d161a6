"""A theme made ready for drawing: its colours and those mixed from them as Pillow inks, and its typefaces."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from desktop_agent.extras.avis.simulation.drawing.fonts import Typeface
from desktop_agent.extras.avis.simulation.drawing.scene_theme import SceneTheme

MIXED: dict[str, tuple[str, str, float]] = {
    "window_line": ("line", "text", 0.22),
    "desktop_below": ("desktop", "shadow", 0.22),
    "panel": ("window", "field", 0.6),
    "row_hovered": ("field", "text", 0.07),
    "row_pressed": ("field", "text", 0.14),
    "odd": ("field", "text", 0.035),
    "header": ("window", "text", 0.07),
    "header_hovered": ("window", "text", 0.12),
    "bar": ("window", "text", 0.03),
    "lit": ("window", "text", 0.09),
    "lit_strongly": ("window", "text", 0.15),
    "close_lit": ("danger", "danger", 0.0),
    "close_pressed": ("danger", "shadow", 0.25),
    "track": ("window", "text", 0.2),
    "scroll": ("field", "text", 0.06),
    "thumb": ("field", "text", 0.34),
    "thumb_hovered": ("field", "text", 0.5),
    "thumb_pressed": ("field", "text", 0.62),
    "control_line": ("line", "text", 0.22),
    "control_line_hovered": ("line", "text", 0.5),
    "accent_hovered": ("accent", "on_accent", 0.13),
    "accent_pressed": ("accent", "shadow", 0.24),
    "danger_hovered": ("danger", "on_accent", 0.13),
    "danger_pressed": ("danger", "shadow", 0.24),
    "off": ("window", "disabled", 0.13),
    "off_line": ("window", "disabled", 0.42),
    "off_accent": ("window", "disabled", 0.75),
    "tooltip": ("text", "window", 0.1),
    "tooltip_text": ("window", "window", 0.0),
    "link_hovered": ("link", "text", 0.35),
    **{f"{tone}_box": ("window", tone, 0.13) for tone in ("banner", "success", "error", "warning")},
    **{f"{tone}_line": ("window", tone, 0.45) for tone in ("banner", "success", "error", "warning")},
}
"""Inks made of two of the theme's colours: the first with this share of the second."""
BLACK, WHITE = "#16181d", "#ffffff"


class PreparedTheme:
    """What drawers ask of a theme. `ink` holds every colour of the theme and every one of MIXED by its name."""

    def __init__(self, theme: SceneTheme) -> None:
        colours: dict[str, str] = msgspec.structs.asdict(theme.colours)
        self.ink = {name: ink(colour) for name, colour in colours.items()}
        for name, (one, other, share) in MIXED.items():
            self.ink[name] = ink(mix(colours[one], colours[other], share))
        self.ink |= {"pointer": ink(BLACK), "pointer_rim": ink(WHITE)}
        self.text: Typeface = theme.text
        self.bold: Typeface = theme.bold
        self.heading: Typeface = theme.heading
        self.mono: Typeface = theme.mono
        self.small: Typeface = theme.small
        self.padding = theme.padding
        self.radius = theme.radius
        self.window_radius = theme.radius * 2
        """A window's corners are rounder than those of what is in it."""
        self.box = max(11, min(theme.text.line - 1, 20))
        """The side of a box to tick, the diameter of a radio's and a slider's disc."""


@lru_cache(maxsize=1024)
def ink(colour: str) -> int:
    """Pillow's ink for #rrggbb in a picture whose channels are blue, green, red, unused."""
    return int.from_bytes((*reversed(bytes.fromhex(colour[1:])), 255), "little", signed=True)


@lru_cache(maxsize=1024)
def mix(one: str, other: str, share: float) -> str:
    """The first colour with this share of the other, both #rrggbb."""
    pairs = zip(bytes.fromhex(one[1:]), bytes.fromhex(other[1:]), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


@lru_cache(maxsize=1024)
def readable_on(colour: str) -> str:
    """Black or white, whichever stands out more from the colour."""
    red, green, blue = bytes.fromhex(colour[1:])
    return BLACK if 0.299 * red + 0.587 * green + 0.114 * blue > 150 else WHITE
