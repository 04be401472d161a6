"""What the windows of earlier runs have in common: colours that follow the theme, and a size that fits the screen."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from desktop_agent.ui.widgets.theme import Theme

EDGE = 40


def follow_theme(window: QWidget, theme: Theme) -> None:
    """Give a window the theme's colours, now and whenever they change."""

    def recolor() -> None:
        window.setPalette(theme.palette())
        for each in window.findChildren(QWidget):
            each.update()
        window.update()

    recolor()
    theme.changed.connect(recolor)
    window.destroyed.connect(lambda: theme.changed.disconnect(recolor))


def fit_to_screen(window: QWidget, width: int, height: int) -> None:
    """Give a window this size, or what the screen has room for."""
    room = window.screen().availableGeometry()
    window.resize(min(width, room.width() - EDGE), min(height, room.height() - EDGE))
