"""A button whose text wraps: it is shown whole, however long it is."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop_agent.ui.widgets.buttons import Button, Kind
from desktop_agent.ui.widgets.theme import Theme
from desktop_agent.ui.widgets.wrapped_text import WrappedText, escape_invisible

LEAST = 200


class WrappedButton(Button):
    """A button as wide as its column, with wrapped text. Signals: those of QPushButton."""

    def __init__(self, theme: Theme, kind: Kind = "row", parent: QWidget | None = None) -> None:
        super().__init__(theme, "", kind=kind, parent=parent)
        self._label = WrappedText(theme)
        self._label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(14, 10, 14, 11)
        self._column.addWidget(self._label)
        policy = self.sizePolicy()
        policy.setHorizontalPolicy(policy.Policy.Expanding)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def set_words(self, text: str, role: str, cap: str = "") -> None:
        """Set the text, after a key cap where there is one; the accessible name is `role` ("Example goal") and the text."""
        self._label.set_words(*(((cap, "cap"), "  ") if cap else ()), text)
        self.setAccessibleName(f"{role}: {escape_invisible(text)}")
        self.updateGeometry()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._column.heightForWidth(width)

    def sizeHint(self) -> QSize:
        return QSize(LEAST, self.heightForWidth(max(LEAST, self.width())))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.updateGeometry()
        super().resizeEvent(event)
