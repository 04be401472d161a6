import pytest

from desktop_agent.extras.avis.simulation.drawing.scene_theme import theme
from desktop_agent.extras.avis.simulation.painting.prepared_theme import (
    MIXED,
    PreparedTheme,
    ink,
    mix,
    readable_on,
)
from tests.extras.avis.simulation.showcase import theme_names

READABLE = (
    ("text", "window"),
    ("text", "field"),
    ("text", "button"),
    ("text", "button_hovered"),
    ("text", "button_pressed"),
    ("muted", "window"),
    ("link", "window"),
    ("on_selection", "selection"),
    ("title", "title_bar"),
)


def _luminance(colour: str) -> float:
    """Relative luminance as WCAG 2.2 defines it."""
    parts = [value / 255 for value in bytes.fromhex(colour[1:])]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(one: str, other: str) -> float:
    dark, bright = sorted((_luminance(one), _luminance(other)))
    return (bright + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("name", theme_names())
def test_texts_stand_out_from_what_is_behind_them(name: str) -> None:
    colours = theme(name).colours
    wanted = 7.0 if name == "contrast" else 4.5
    for one, other in READABLE:
        found = _contrast(getattr(colours, one), getattr(colours, other))
        assert found >= wanted, f"{one} on {other}: {found:.2f}"
    for filled in ("accent", "danger"):
        found = _contrast(colours.on_accent, getattr(colours, filled))
        assert found >= 4.5, f"on_accent on {filled}: {found:.2f}"
    for ring in ("focus", "accent"):
        found = _contrast(getattr(colours, ring), colours.window)
        assert found >= 3.0, f"{ring} on window: {found:.2f}"


@pytest.mark.parametrize("name", theme_names())
def test_a_look_has_every_ink(name: str) -> None:
    look = PreparedTheme(theme(name))
    assert set(MIXED) <= set(look.ink)
    assert look.ink["text"] == ink(theme(name).colours.text)


def test_an_unknown_theme() -> None:
    with pytest.raises(KeyError):
        theme("none")


def test_colours_are_mixed() -> None:
    assert mix("#000000", "#ffffff", 0.5) == "#808080"
    assert mix("#123456", "#ffffff", 0.0) == "#123456"
    assert readable_on("#ffee00") != readable_on("#000080")
    assert ink("#0000ff") & 0xFF == 0xFF
