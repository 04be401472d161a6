"""The message of a second start: another instance is running, with a button to show its window."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from desktop_agent.support.language import later, tr
from desktop_agent.ui.run_window import make_app
from desktop_agent.ui.widgets.buttons import Button
from desktop_agent.ui.widgets.theme import Theme

TITLE = later("Desktop Agent is open already")
WIDTH = 400


class SecondStartWindow(QWidget):
    """Says that another instance is running, with the buttons [Show it] and [Close].

    `show_it` asks that instance, in a thread, and returns "done" or a key of `words`.
    Signal: `answered(answer)` with what `show_it` returned.
    """

    answered = Signal(str)

    def __init__(self, theme: Theme, text: str, show_it: Callable[[], str], words: Mapping[str, str]) -> None:
        super().__init__(None, Qt.WindowType.Window | Qt.WindowType.WindowStaysOnTopHint)
        self._show_it, self._words = show_it, words
        self.setWindowTitle(tr(TITLE))
        self.setPalette(theme.palette())
        self.setFixedWidth(WIDTH)
        self.text = QLabel(tr(text), wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.text.setFont(theme.font("body"))
        self.show_button = Button(theme, tr("Show it"), "primary")
        self.close_button = Button(theme, tr("Close"))
        self._lay_out()
        self.answered.connect(self._take_answer)
        self.show_button.clicked.connect(self._ask)
        self.close_button.clicked.connect(self.close)
        QShortcut(QKeySequence("Esc"), self).activated.connect(self.close)

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 20, 20, 16)
        column.setSpacing(16)
        column.addWidget(self.text)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(self.close_button)
        row.addWidget(self.show_button)
        column.addLayout(row)
        self.show_button.setAutoDefault(True)
        self.show_button.setFocus()

    def _ask(self) -> None:
        """Call `show_it` in a thread: the other instance may take seconds to answer."""
        self.show_button.setEnabled(False)
        threading.Thread(target=self._ask_in_thread, name="ask", daemon=True).start()

    def _ask_in_thread(self) -> None:
        self.answered.emit(self._show_it())

    def _take_answer(self, answer: str) -> None:
        if answer == "done":
            self.close()
            return
        self.text.setText(tr(self._words[answer]))
        self.show_button.hide()
        self.close_button.setFocus()


def run_message(text: str, show_it: Callable[[], str], words: Mapping[str, str]) -> None:
    """Show the message and run the Qt event loop until it is closed."""
    app = make_app()
    message = SecondStartWindow(Theme(), text, show_it, words)
    message.show()
    app.exec()
    message.deleteLater()
