"""Colours that can be read, and a style sheet without holes."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication

from desktop_agent.support import resources
from desktop_agent.ui.panels.header import LOOKS
from desktop_agent.ui.widgets.theme import DARK, LIGHT, Theme, Tokens

GROUNDS = {
    "window": ("ink", "soft", "link", "stop"),
    "card": ("ink", "soft", "link", "ok", "warn", "stop"),
    "line": ("soft",),
    "accent_tint": ("ink", "soft"),
    "ok_tint": ("ink", "soft", "ok"),
    "warn_tint": ("ink", "soft", "warn"),
    "stop_tint": ("ink", "soft", "stop"),
    "accent": ("on_accent",),
    "stop": ("on_stop",),
    "bubble": ("on_bubble",),
}


def luminance(color: str) -> float:
    """Relative luminance (WCAG 2.2)."""
    parts = [channel / 255 for channel in (QColor(color).red(), QColor(color).green(), QColor(color).blue())]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("ground", "inks"), GROUNDS.items())
def test_text_can_be_read(tokens: Tokens, ground: str, inks: tuple[str, ...]) -> None:
    for ink in inks:
        assert contrast(getattr(tokens, ink), getattr(tokens, ground)) >= 4.5, (ink, ground)


def test_every_state_is_a_colour_that_can_be_read_and_a_word() -> None:
    for word, tone, tint in LOOKS.values():
        assert word
        assert tone in GROUNDS[tint]


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_the_style_sheet_has_no_holes(qapp: QApplication, mode: str) -> None:
    theme = Theme("light" if mode == "light" else "dark")
    sheet = theme.style_sheet()
    assert theme.tokens.card in sheet
    for line in sheet.splitlines():
        assert "{" not in line.partition("{")[2], line


def test_every_icon_the_code_names_can_be_drawn(qapp: QApplication) -> None:
    theme = Theme("dark")
    names = [path.stem for path in Path(resources.path("icons")).glob("*.svg")]
    assert len(names) > 15
    for name in names:
        image = theme.icon(name, "ink", 16).toImage()
        assert any(image.pixelColor(x, y).alpha() for x in range(16) for y in range(16)), name
