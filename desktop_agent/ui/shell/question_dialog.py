"""A question in a dialog over its window: yes, no, and perhaps something to tick or a line to fill in."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QDialog, QHBoxLayout, QVBoxLayout, QWidget

from desktop_agent.support.language import tr
from desktop_agent.ui.widgets.buttons import Button, Kind
from desktop_agent.ui.widgets.form_controls import LineField
from desktop_agent.ui.widgets.theme import Theme
from desktop_agent.ui.widgets.wrapped_text import WrappedText

WIDTH = 440


class QuestionDialog(QDialog):
    """Signals after a yes: `agreed(ticked)`, and with a line `answered(text)`; a no, Esc and closing tell nothing.

    The line has the focus where there is one, else the no.
    """

    agreed = Signal(bool)
    answered = Signal(str)

    def __init__(
        self,
        theme: Theme,
        title: str,
        words: str,
        yes: str,
        parent: QWidget,
        *,
        tick: str = "",
        line: str | None = None,
        kind: Kind = "primary",
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        self.setPalette(theme.palette())
        self.words = WrappedText(theme, words)
        self.tick = QCheckBox(tick)
        self.tick.setFont(theme.font("body"))
        self.tick.setMinimumHeight(28)
        self.tick.setVisible(bool(tick))
        self.line = LineField(theme, title)
        self.line.setText(line or "")
        self.line.setVisible(line is not None)
        self.yes, self.no = Button(theme, yes, kind), Button(theme, tr("Cancel"))
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(14)
        column.addWidget(WrappedText(theme, title, role="name"))
        column.addWidget(self.words)
        column.addWidget(self.line)
        column.addWidget(self.tick)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(self.no)
        row.addWidget(self.yes)
        column.addLayout(row)
        self.setFixedSize(WIDTH, max(column.heightForWidth(WIDTH), column.sizeHint().height()))
        self.yes.setAutoDefault(False)
        (self.no if line is None else self.yes).setDefault(True)
        (self.no if line is None else self.line).setFocus()
        self.yes.clicked.connect(self._agree)
        self.no.clicked.connect(self.close)

    def _agree(self) -> None:
        self.agreed.emit(self.tick.isChecked())
        self.answered.emit(self.line.text().strip())
        self.close()
