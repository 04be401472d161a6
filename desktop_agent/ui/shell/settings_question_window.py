"""The question at the start whether settings that widen what may be done are to count."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from desktop_agent.support.language import later, tr
from desktop_agent.ui.run_window import make_app
from desktop_agent.ui.widgets.buttons import Button
from desktop_agent.ui.widgets.theme import Theme

TITLE = later("Desktop Agent: confirm settings")
WIDTH, HEIGHT = 520, 420
LONG = 24
"""Characters of a word that surely fit into a line."""


class SettingsQuestionWindow(QWidget):
    """Lists what would change, with the buttons [Use it] and [Keep as before]; `yes` is the answer once it is closed.

    Keeping is what Enter, Esc and closing mean: a yes is a click on its button.
    """

    def __init__(self, theme: Theme, about: str, lines: Sequence[str]) -> None:
        super().__init__(None, Qt.WindowType.Window | Qt.WindowType.WindowStaysOnTopHint)
        self.yes = False
        self.setWindowTitle(tr(TITLE))
        self.setPalette(theme.palette())
        self.resize(WIDTH, HEIGHT)
        self.about = _text(theme, tr(about))
        self.lines = tuple(_text(theme, line) for line in lines)
        self.use_button = Button(theme, tr("Use it"))
        self.keep_button = Button(theme, tr("Keep as before"), "primary")
        self._lay_out()
        self.use_button.clicked.connect(self._use)
        self.keep_button.clicked.connect(self.close)
        QShortcut(QKeySequence("Esc"), self).activated.connect(self.close)

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 20, 20, 16)
        column.setSpacing(16)
        column.addWidget(self.about)
        column.addWidget(self._list(), 1)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(self.use_button)
        row.addWidget(self.keep_button)
        column.addLayout(row)
        self.keep_button.setAutoDefault(True)
        self.keep_button.setFocus()

    def _list(self) -> QScrollArea:
        """All lines whole, wrapped, and scrolled where there are many."""
        inner, area = QWidget(), QScrollArea()
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        for line in self.lines:
            column.addWidget(line)
        column.addStretch(1)
        area.setAccessibleName(tr(TITLE))
        area.setWidget(inner)
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        return area

    def _use(self) -> None:
        self.yes = True
        self.close()


def _text(theme: Theme, words: str) -> QLabel:
    label = QLabel(_breakable(words), wordWrap=True, textFormat=Qt.TextFormat.PlainText)
    label.setFont(theme.font("body"))
    return label


def _breakable(words: str) -> str:
    """With places to break in long words: a label cuts what it cannot wrap."""
    return " ".join("\u200b".join(each) if len(each) > LONG else each for each in words.split(" "))


def run_question(about: str, lines: Sequence[str]) -> bool:
    """Show the question, run the Qt event loop until it is answered, and return whether the settings are to be used."""
    app = make_app()
    question = SettingsQuestionWindow(Theme(), about, lines)
    question.show()
    app.exec()
    question.deleteLater()
    return question.yes
