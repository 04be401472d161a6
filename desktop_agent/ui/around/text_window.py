"""A window that shows a long plain text with buttons: the licences, a report of a crash."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from desktop_agent.support.language import tr
from desktop_agent.ui.widgets.buttons import Button
from desktop_agent.ui.widgets.theme import Theme
from desktop_agent.ui.widgets.wrapped_text import WrappedText

WIDTH, HEIGHT = 700, 560
PART = 400
"""Lines that are taken in at once: a window that takes in all licences in one go stands still meanwhile."""


class TextWindow(QWidget):
    """Says `intro`, shows `text` as it is (never as rich text) and has a button to close; `add_button` adds others.

    With `on_top` it is above all others, as a window beside it may be. Closing it never ends the program.
    Signal: `closed()`.
    """

    closed = Signal()

    def __init__(self, theme: Theme, title: str, intro: str, text: str, *, on_top: bool = True) -> None:
        super().__init__(None, Qt.WindowType.Window)
        self.setWindowFlag(Qt.WindowType.WindowStaysOnTopHint, on_top)
        self._theme = theme
        self.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, False)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        self.setPalette(theme.palette())
        self.intro = WrappedText(theme, intro)
        self.text = QPlainTextEdit(text, readOnly=True, tabChangesFocus=True)
        self.text.setFont(theme.font("mono"))
        self.text.setAccessibleName(title)
        self.close_button = Button(theme, tr("Close"), "primary")
        self.close_button.clicked.connect(self.close)
        self._row = QHBoxLayout()
        self._lines: list[str] = []
        self._next = QTimer(self, singleShot=True, interval=0)
        self._next.timeout.connect(self._go_on)
        self._lay_out()
        QShortcut(QKeySequence("Esc"), self).activated.connect(self.close)
        room = self.screen().availableGeometry()
        self.resize(min(WIDTH, room.width()), min(HEIGHT, room.height()))

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 20, 20, 16)
        column.setSpacing(12)
        column.addWidget(self.intro)
        column.addWidget(self.text, 1)
        self._row.addStretch(1)
        self._row.addWidget(self.close_button)
        column.addLayout(self._row)
        self.close_button.setFocus()

    def fill(self, text: str) -> None:
        """Show another text, a part at a time."""
        self.text.clear()
        self._lines = text.split("\n")
        self._go_on()

    def _go_on(self) -> None:
        part, self._lines = self._lines[:PART], self._lines[PART:]
        if part:
            self.text.appendPlainText("\n".join(part))
            self._next.start()

    def add_button(self, words: str) -> Button:
        """A further button before the one that closes."""
        button = Button(self._theme, words)
        self._row.insertWidget(self._row.count() - 1, button)
        return button

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self.closed.emit()
