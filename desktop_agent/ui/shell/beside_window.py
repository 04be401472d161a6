"""Windows beside the main one: colours that follow the theme, and a size that fits the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QCloseEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from desktop_agent.ui.background_work import BackgroundWork
from desktop_agent.ui.widgets.theme import Theme
from desktop_agent.ui.widgets.wrapped_text import WrappedText

if TYPE_CHECKING:
    from desktop_agent.ui.shell.window import Window

EDGE = 24
NARROWEST = 700


class BesideWindow(QWidget):
    """A window of its own that belongs to the main one; Esc closes it, which ends its work in the background.

    Subclasses make their parts, lay out `note` with them, and then call `_place`.
    """

    def __init__(self, window: Window) -> None:
        super().__init__(window, Qt.WindowType.Window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._window, self._theme = window, window.theme
        self._background = BackgroundWork(self)
        self.note = WrappedText(self._theme, role="small", color="soft", lines=2)
        QShortcut(QKeySequence("Esc"), self).activated.connect(self.close)

    def _place(self, title: str, width: int, height: int) -> None:
        follow_theme(self, self._theme)
        place_beside(self, self._window, width, height)
        self.setWindowTitle(title)

    def _tell(self, words: str, tone: str = "soft") -> None:
        self.note.set_color(tone)
        self.note.set_words(words)

    def _fail(self, message: str, advice: str) -> None:
        self._tell(f"{message} {advice}".strip(), "stop")

    def closeEvent(self, event: QCloseEvent) -> None:
        self._background.close()
        super().closeEvent(event)


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
