"""A question about a run, in a dialog over its window: yes, no, and perhaps something to tick."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QDialog, QHBoxLayout, QVBoxLayout, QWidget

from desktop_agent.support.language import tr
from desktop_agent.ui.widgets.buttons import Button, Kind
from desktop_agent.ui.widgets.theme import Theme
from desktop_agent.ui.widgets.wrapped_text import WrappedText

WIDTH = 440


class HistoryQuestion(QDialog):
    """Signal: `agreed(ticked)` after a yes; a no, Esc and closing tell nothing. The no has the focus."""

    agreed = Signal(bool)

    def __init__(
        self,
        theme: Theme,
        title: str,
        words: str,
        yes: str,
        parent: QWidget,
        *,
        tick: str = "",
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
        self.yes, self.no = Button(theme, yes, kind), Button(theme, tr("Cancel"))
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(14)
        column.addWidget(WrappedText(theme, title, role="name"))
        column.addWidget(self.words)
        column.addWidget(self.tick)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(self.no)
        row.addWidget(self.yes)
        column.addLayout(row)
        self.setFixedSize(WIDTH, max(column.heightForWidth(WIDTH), column.sizeHint().height()))
        self.yes.setAutoDefault(False)
        self.no.setDefault(True)
        self.no.setFocus()
        self.yes.clicked.connect(self._agree)
        self.no.clicked.connect(self.close)

    def _agree(self) -> None:
        self.agreed.emit(self.tick.isChecked())
        self.close()
