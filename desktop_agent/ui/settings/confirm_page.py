"""A question within the dialog: what is about to happen, line by line, and a button for yes and for no."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QVBoxLayout, QWidget

from desktop_agent.ui.widgets.buttons import Button
from desktop_agent.ui.widgets.primitives import Card, Icon
from desktop_agent.ui.widgets.scroll_area import ColumnLayout, ScrollArea
from desktop_agent.ui.widgets.theme import Theme
from desktop_agent.ui.widgets.wrapped_text import WrappedText

MARGIN = 22
Answer = tuple[str, Callable[[], None]]
"""A button's text, and what it does."""


class ConfirmPage(QWidget):
    """Asks; the last answer is the safe one, which has the keyboard and is what Esc means."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.buttons: list[Button] = []
        self._safe: Callable[[], None] | None = None
        self._outer = QVBoxLayout(self)
        self._outer.setContentsMargins(0, 0, 0, 0)
        self._body: QWidget | None = None
        self._row: QBoxLayout | None = None

    def ask(
        self, icon: str, tone: str, title: str, about: str, lines: Sequence[str], answers: Sequence[Answer]
    ) -> None:
        """Show the question with its answers, the safe one last. `icon` is a file of assets/icons, `tone` its colour."""
        if self._body is not None:
            self._outer.removeWidget(self._body)
            self._body.hide()
            self._body.deleteLater()
        area, inner = ScrollArea(self._theme), QWidget()
        column = ColumnLayout(inner)
        column.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        column.setSpacing(12)
        column.addWidget(Icon(self._theme, icon, tone, 30), 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(WrappedText(self._theme, title, role="title"))
        if about:
            column.addWidget(WrappedText(self._theme, about, color="soft"))
        if lines:
            column.addWidget(self._card(lines))
        column.addLayout(self._answers(answers))
        column.addStretch(1)
        area.set_content(inner)
        self._body = area
        self._outer.addWidget(area)
        self._safe = answers[-1][1]
        self.setAccessibleName(f"{title} {about}")
        self.buttons[-1].setFocus(Qt.FocusReason.OtherFocusReason)

    def decline(self) -> None:
        """Give the safe answer."""
        if self._safe is not None:
            self._safe()

    def _card(self, lines: Sequence[str]) -> Card:
        card = Card(self._theme)
        for line in lines:
            card.box.addWidget(WrappedText(self._theme, line))
        return card

    def _answers(self, answers: Sequence[Answer]) -> QBoxLayout:
        row = self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        row.setSpacing(8)
        row.addStretch(1)
        self.buttons = []
        for number, (text, act) in enumerate(answers, 1):
            button = Button(self._theme, text, "primary" if number == len(answers) else "plain")
            button.setAutoDefault(True)
            button.clicked.connect(act)
            row.addWidget(button)
            self.buttons.append(button)
        self._turn()
        return row

    def _turn(self) -> None:
        """Put the buttons beside each other where the width suffices, else one under the other."""
        if self._row is None:
            return
        needed = sum(each.sizeHint().width() + 8 for each in self.buttons) + 2 * MARGIN
        narrow = self.width() < needed
        self._row.setDirection(
            QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._turn()
        super().resizeEvent(event)
