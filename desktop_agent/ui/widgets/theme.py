"""The theme: colours, fonts and icons in a light, a dark and a high-contrast form, or following the system."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict, dataclass
from typing import Literal, TypeAlias, get_args

from PySide6.QtCore import QByteArray, QObject, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QFontInfo,
    QGuiApplication,
    QPainter,
    QPalette,
    QPixmap,
)
from PySide6.QtSvg import QSvgRenderer

from desktop_agent.protocol.errors import TargetError
from desktop_agent.support import resources

Mode: TypeAlias = Literal["system", "light", "dark", "contrast"]
MODES: tuple[Mode, ...] = get_args(Mode)
FontRole: TypeAlias = Literal[
    "body", "strong", "italic", "small", "caps", "mono", "mono_strong", "cap", "title", "name", "headline"
]
# What a system without a desktop theme falls back to, and what looks better when it is installed.
PLAIN_FAMILIES = frozenset(
    {"Sans", "Sans Serif", "DejaVu Sans", "Nimbus Sans", "Bitstream Vera Sans", "Helvetica"}
)
BETTER_FAMILIES = ("Inter", "Noto Sans", "Cantarell", "Ubuntu", "Open Sans", "Liberation Sans", "Arial")
PLAIN_MONOS = frozenset({"Courier New", "Courier", "Fixedsys", "Terminal", "Monospace"})
BETTER_MONOS = ("Cascadia Mono", "Consolas", "DejaVu Sans Mono", "Liberation Mono")


Look: TypeAlias = Literal["light", "dark", "contrast"]


@dataclass(frozen=True)
class Tokens:
    """Every colour of the window, as #rrggbb; colours are passed around by these field names (colour tokens)."""

    window: str
    card: str
    line: str
    quiet: str
    ink: str
    soft: str
    accent: str
    accent_tint: str
    link: str
    ok: str
    ok_tint: str
    warn: str
    warn_tint: str
    stop: str
    stop_tint: str
    bubble: str
    on_bubble: str
    on_accent: str
    on_stop: str
    grip: str
    shadow: str


LIGHT = Tokens(
    window="#f6f7f9", card="#ffffff", line="#e3e7ed", quiet="#e3e7ed", ink="#1b1f27", soft="#586271",
    accent="#2b66f6", accent_tint="#e8efff", link="#2257d2", ok="#0f7452", ok_tint="#e2f5ec",
    warn="#985600", warn_tint="#fff1db", stop="#c8102e", stop_tint="#fdeaec",
    bubble="#2b66f6", on_bubble="#ffffff", on_accent="#ffffff", on_stop="#ffffff",
    grip="#c6cdd8", shadow="#1b2a4a",
)  # fmt: skip
DARK = Tokens(
    window="#15181d", card="#1e232b", line="#2c333e", quiet="#2c333e", ink="#e8ebf0", soft="#9aa5b5",
    accent="#6d9bff", accent_tint="#1f2c4a", link="#8bb0ff", ok="#4fd1a1", ok_tint="#163329",
    warn="#f0b35a", warn_tint="#3a2c14", stop="#ff6b7d", stop_tint="#3c1a20",
    bubble="#2a56c6", on_bubble="#ffffff", on_accent="#0d1117", on_stop="#14060a",
    grip="#434c5a", shadow="#000000",
)  # fmt: skip
CONTRAST = Tokens(
    window="#000000", card="#000000", line="#ffffff", quiet="#1f1f1f", ink="#ffffff", soft="#e6e6e6",
    accent="#ffff00", accent_tint="#00234d", link="#9fd5ff", ok="#5dff8f", ok_tint="#002a12",
    warn="#ffd75e", warn_tint="#332400", stop="#ff9c9c", stop_tint="#330005",
    bubble="#ffffff", on_bubble="#000000", on_accent="#000000", on_stop="#000000",
    grip="#ffffff", shadow="#000000",
)  # fmt: skip
LOOKS: dict[Look, Tokens] = {"light": LIGHT, "dark": DARK, "contrast": CONTRAST}

# Pixels at 96 dpi, weight, letter spacing in percent.
_SIZES: dict[FontRole, tuple[float, QFont.Weight, float]] = {
    "body": (13.5, QFont.Weight.Normal, 100),
    "strong": (13.5, QFont.Weight.DemiBold, 100),
    "italic": (13.5, QFont.Weight.DemiBold, 100),
    "small": (12, QFont.Weight.Normal, 100),
    "caps": (11, QFont.Weight.DemiBold, 107),
    "mono": (12.5, QFont.Weight.Normal, 100),
    "mono_strong": (12.5, QFont.Weight.Bold, 100),
    "cap": (10.5, QFont.Weight.DemiBold, 100),
    "title": (19, QFont.Weight.Bold, 100),
    "name": (14, QFont.Weight.DemiBold, 100),
    "headline": (16, QFont.Weight.Bold, 100),
}


def _family() -> str:
    """The system's UI font family, or the best installed one where the system has only a plain default."""
    family = QFontInfo(QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)).family()
    if family not in PLAIN_FAMILIES:
        return family
    installed = set(QFontDatabase.families())
    return next((name for name in BETTER_FAMILIES if name in installed), family)


def _mono() -> str:
    """The system's monospace font family, or a better installed one in place of Courier and the like."""
    family = QFontInfo(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)).family()
    if family not in PLAIN_MONOS:
        return family
    installed = set(QFontDatabase.families())
    return next((name for name in BETTER_MONOS if name in installed), family)


def make_fonts() -> dict[FontRole, QFont]:
    """One font for each role, scaled up to 1.5 times with the system's font size."""
    screen = QGuiApplication.primaryScreen()
    points = 72 / (screen.logicalDotsPerInchY() if screen else 96)
    system = QFontInfo(QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)).pixelSize()
    zoom = min(1.5, max(1.0, system / 15))
    family = _family()
    mono = _mono()
    fonts: dict[FontRole, QFont] = {}
    for role, (pixels, weight, spacing) in _SIZES.items():
        font = QFont(mono if role in ("mono", "mono_strong", "cap") else family)
        font.setPointSizeF(pixels * points * zoom)
        font.setWeight(weight)
        font.setItalic(role == "italic")
        font.setLetterSpacing(QFont.SpacingType.PercentageSpacing, spacing)
        fonts[role] = font
    return fonts


class Theme(QObject):
    """The current colours, fonts and icons. Signal: `changed()` when the colours have changed and must be repainted."""

    changed = Signal()

    def __init__(self, mode: Mode = "system", parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.mode: Mode = mode
        self._fonts = make_fonts()
        self._icons: dict[tuple[str, str, int, float], QPixmap] = {}
        self._system = system_look()
        watch_system(self._system_changed)

    def set_mode(self, mode: Mode) -> None:
        """Switch to one of the looks, or to following the system."""
        self.mode = mode
        self.changed.emit()

    def _system_changed(self) -> None:
        self._system = system_look()
        if self.mode == "system":
            self.changed.emit()

    @property
    def look(self) -> Look:
        """Which of the colours are used."""
        return self._system if self.mode == "system" else self.mode

    @property
    def dark(self) -> bool:
        """True when light words stand on dark grounds."""
        return self.look != "light"

    @property
    def tokens(self) -> Tokens:
        """The colours in use."""
        return LOOKS[self.look]

    def color(self, token: str, alpha: float = 1.0) -> QColor:
        """The colour of a token (a field of Tokens), `alpha` from 0 to 1."""
        color = QColor(getattr(self.tokens, token))
        color.setAlphaF(alpha)
        return color

    def font(self, role: FontRole) -> QFont:
        """The font of a role."""
        return self._fonts[role]

    def style_sheet(self) -> str:
        """The style sheet of menus (assets/style/menu.qss) with the colours filled in."""
        text = resources.text("style", "menu.qss")
        for name, value in asdict(self.tokens).items():
            text = text.replace("{" + name + "}", value)
        return text

    def palette(self) -> QPalette:
        """The colours as a QPalette."""
        palette = QPalette()
        roles = QPalette.ColorRole
        for role, token in (
            (roles.Window, "window"), (roles.Base, "card"), (roles.Button, "card"),
            (roles.WindowText, "ink"), (roles.Text, "ink"), (roles.ButtonText, "ink"),
            (roles.ToolTipBase, "card"), (roles.ToolTipText, "ink"), (roles.Link, "link"),
            (roles.Highlight, "accent"), (roles.HighlightedText, "on_accent"),
            (roles.PlaceholderText, "soft"),
        ):  # fmt: skip
            palette.setColor(role, self.color(token))
        return palette

    def icon(self, name: str, token: str, size: int, ratio: float = 1.0) -> QPixmap:
        """The icon `assets/icons/NAME.svg` in the colour of a token; `size` in device-independent pixels."""
        color = getattr(self.tokens, token)
        key = (name, color, size, ratio)
        if key not in self._icons:
            self._icons[key] = self._draw(name, color, size, ratio)
        return self._icons[key]

    def _draw(self, name: str, color: str, size: int, ratio: float) -> QPixmap:
        svg = resources.text("icons", f"{name}.svg").replace("currentColor", color)
        pixmap = QPixmap(round(size * ratio), round(size * ratio))
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        QSvgRenderer(QByteArray(svg.encode())).render(painter, QRectF(0, 0, size, size))
        painter.end()
        return pixmap


def system_look() -> Look:
    """What the system asks for, as far as Qt knows (Windows, macOS, GNOME), or the desktop's theme says (X11)."""
    if _says_contrast() or _has_contrast_theme():
        return "contrast"
    return "dark" if QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark else "light"


def watch_system(changed: Callable[[], None]) -> None:
    """Call `changed` when what Qt knows of it changes."""
    hints = QGuiApplication.styleHints()
    hints.colorSchemeChanged.connect(changed)
    if hasattr(hints, "accessibility"):
        hints.accessibility().contrastPreferenceChanged.connect(changed)


def _says_contrast() -> bool:
    """What Qt says; it can from 6.10 on."""
    hints = QGuiApplication.styleHints()
    if not hasattr(hints, "accessibility"):
        return False
    return hints.accessibility().contrastPreference() == Qt.ContrastPreference.HighContrast


def _has_contrast_theme() -> bool:
    """Whether the session's settings name a high-contrast theme; False off X11, or where none are published."""
    if QGuiApplication.platformName() != "xcb":
        return False
    from desktop_agent.platforms.x11.connection import Display, display_errors
    from desktop_agent.platforms.x11.xsettings import theme_name

    try:
        with closing(Display(os.environ)) as display, display_errors(display.name):
            return "highcontrast" in theme_name(display).lower().replace("-", "")
    except TargetError:
        return False
