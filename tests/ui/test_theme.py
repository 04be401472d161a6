"""Colours that can be read, and a style sheet without holes."""

from __future__ import annotations

import struct
from contextlib import closing
from pathlib import Path

import pytest
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication

from desktop_agent.platforms.x11.connection import Display
from desktop_agent.support import resources
from desktop_agent.ui.panels.header import LOOKS
from desktop_agent.ui.widgets.theme import CONTRAST, DARK, LIGHT, MODES, Mode, Theme, Tokens
from tests.desk import Desk

GROUNDS = {
    "window": ("ink", "soft", "link", "stop"),
    "card": ("ink", "soft", "link", "ok", "warn", "stop"),
    "quiet": ("ink", "soft"),
    "accent_tint": ("ink", "soft", "link"),
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


@pytest.mark.parametrize(
    ("tokens", "least"),
    [(LIGHT, 4.5), (DARK, 4.5), (CONTRAST, 7.0)],
    ids=["light", "dark", "contrast"],
)
@pytest.mark.parametrize(("ground", "inks"), GROUNDS.items())
def test_text_can_be_read(tokens: Tokens, least: float, ground: str, inks: tuple[str, ...]) -> None:
    for ink in inks:
        assert contrast(getattr(tokens, ink), getattr(tokens, ground)) >= least, (ink, ground)


def test_in_high_contrast_edges_are_seen_as_well() -> None:
    for edge in ("line", "grip", "accent"):
        assert contrast(getattr(CONTRAST, edge), CONTRAST.window) >= 7


def test_every_state_is_a_colour_that_can_be_read_and_a_word() -> None:
    for word, tone, tint in LOOKS.values():
        assert word
        assert tone in GROUNDS[tint]


def test_a_system_of_high_contrast_is_followed(qapp: QApplication, desk: Desk) -> None:
    """As a session's settings program publishes it (XSETTINGS)."""
    assert Theme("system").look == "light"
    name, value = b"Net/ThemeName", b"HighContrastInverse"
    text = struct.pack("<BxH", 1, len(name)) + name.ljust(16, b"\0")
    raw = struct.pack("<B3xII", 0, 1, 1) + text + struct.pack("<II", 0, len(value)) + value.ljust(20, b"\0")
    with closing(Display(desk.environment)) as session:
        window = session.connection.generate_id()
        session.core.CreateWindow(0, window, session.root, 0, 0, 1, 1, 0, 1, 0, 0, [])
        atom = session.atom("_XSETTINGS_SETTINGS")
        session.core.ChangeProperty(0, window, atom, atom, 8, len(raw), raw)
        session.core.SetSelectionOwner(window, session.atom("_XSETTINGS_S0"), 0)
        session.sync()
        assert Theme("system").look == "contrast"
        assert Theme("dark").look == "dark"


@pytest.mark.parametrize("mode", MODES)
def test_the_style_sheet_has_no_holes(qapp: QApplication, mode: Mode) -> None:
    theme = Theme(mode)
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
