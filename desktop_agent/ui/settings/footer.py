"""The bar at the bottom of the dialog: what is not saved, what is wrong, and the buttons Discard and Save."""

from __future__ import annotations

from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QWidget

from desktop_agent.support.language import tr
from desktop_agent.ui.widgets.buttons import Button
from desktop_agent.ui.widgets.theme import Theme
from desktop_agent.ui.widgets.wrapped_text import WrappedText

NARROW = 480
"""Pixels of width below which the words stand above the buttons."""


class SaveBar(QWidget):
    """Hidden while there is nothing to save and nothing to say. Signals: those of its buttons."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.busy = False
        self.words = WrappedText(theme, role="small", color="soft")
        self.discard = Button(theme, tr("Discard"))
        self.save = Button(theme, tr("Save"), kind="primary", name=tr("Save (Ctrl+S)"))
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addStretch(1)
        buttons.addWidget(self.discard)
        buttons.addWidget(self.save)
        self._parts = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._parts.setContentsMargins(18, 10, 18, 12)
        self._parts.setSpacing(8)
        self._parts.addWidget(self.words, 1)
        self._parts.addLayout(buttons)
        self.show_state(0, 0, 0)

    def show_state(self, changed: int, wrong: int, widening: int) -> None:
        """Show how many settings are not saved, are wrong, and would give more rights."""
        parts = []
        if wrong:
            parts.append(tr("To be mended: {n}").format(n=wrong))
        if changed:
            parts.append(tr("Not saved: {n}").format(n=changed))
        if widening:
            parts.append(tr("gives more rights: {n}").format(n=widening))
        self.say(" · ".join(parts), "stop" if wrong else "warn" if widening else "soft")
        for button in (self.save, self.discard):
            button.setVisible(changed > 0)
        self.setVisible(changed > 0)

    def show_busy(self, busy: bool) -> None:
        """Disable the buttons while it is being saved."""
        self.busy = busy
        self.save.setEnabled(not busy)
        self.discard.setEnabled(not busy)
        if busy:
            self.say(tr("Saving…"))

    def say_saved(self) -> None:
        """Say that all was saved."""
        self.say(tr("Saved. It counts from the next run on."), "ok")

    def say_problem(self, problem: str) -> None:
        """Say why something did not work."""
        self.say(problem, "stop")

    def say(self, words: str, tone: str = "soft") -> None:
        """Say something in the colour of a token."""
        self.words.set_words(words)
        self.words.set_color(tone)
        self.words.setVisible(bool(words))
        if words:
            self.setVisible(True)

    def resizeEvent(self, event: QResizeEvent) -> None:
        narrow = self.width() < NARROW
        way = QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight
        self._parts.setDirection(way)
        super().resizeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(0, 0, self.width(), 1, self._theme.color("line"))
        painter.end()
