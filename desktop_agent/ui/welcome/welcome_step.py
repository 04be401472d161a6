"""One step of the first page: a heading, what it is about, and room for its parts."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop_agent.ui.widgets.theme import Theme
from desktop_agent.ui.widgets.wrapped_text import WrappedText


class WelcomeStep(QWidget):
    """A step with a title and a lead; its parts are added to `column`. Signal: `news(part)` where something has changed."""

    news = Signal(QWidget)

    def __init__(self, theme: Theme, title: str, lead: str) -> None:
        super().__init__()
        self._theme = theme
        self.title = title
        self.setAccessibleName(title)
        self.lead = WrappedText(theme, lead, color="soft")
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(10)
        self.column.addWidget(WrappedText(theme, title, role="title"))
        self.column.addWidget(self.lead)
        self.column.addSpacing(4)

    def enter(self) -> None:
        """Begin; it has just been shown."""

    def leave(self) -> None:
        """End what is under way; another step is shown, or none."""
