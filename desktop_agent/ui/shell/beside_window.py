"""What windows beside the main one have in common: colours that follow the theme, and a size that fits the screen."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from desktop_agent.ui.widgets.theme import Theme

EDGE = 24
NARROWEST = 700


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


def place_beside(window: QWidget, main: QWidget, width: int, height: int) -> None:
    """Give a window at most this size, beside the main window where there is room, else over it; as much on top as that."""
    window.setWindowFlag(
        Qt.WindowType.WindowStaysOnTopHint, bool(main.windowFlags() & Qt.WindowType.WindowStaysOnTopHint)
    )
    room = main.screen().availableGeometry().adjusted(EDGE, EDGE, -EDGE, -EDGE)
    taken = main.frameGeometry()
    left = room.adjusted(0, 0, min(0, taken.left() - EDGE // 2 - room.right()), 0)
    right = room.adjusted(max(0, taken.right() + EDGE // 2 - room.left()), 0, 0, 0)
    free = max(left, right, key=lambda each: each.width())
    free = free if free.width() >= NARROWEST else room
    window.resize(min(width, free.width()), min(height, free.height()))
    window.move(free.center() - window.rect().center())
