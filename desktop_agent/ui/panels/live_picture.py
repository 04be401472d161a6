"""The live picture of a target that is not the user's own screen, such as an embedded display."""

from __future__ import annotations

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from desktop_agent.ui.view_model import RunView
from desktop_agent.ui.widgets.primitives import Card
from desktop_agent.ui.widgets.theme import Theme
from desktop_agent.ui.widgets.thumbnails import ApprovalPicture
from desktop_agent.ui.widgets.wrapped_text import WrappedText


class LiveCard(Card):
    """Shows the newest preview across the window's width; hidden until there is one."""

    TALLEST = 260

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent=parent)
        self._compact = False
        self.picture = ApprovalPicture(theme)
        self.picture.TALLEST = self.TALLEST
        self.picture.setAccessibleName("The agent's screen, live")
        self.box.addWidget(WrappedText(theme, "LIVE", role="caps", color="soft"))
        self.box.addWidget(self.picture)
        self.hide()

    def show_live(self, view: RunView) -> None:
        """Show the view's newest preview, if there is one."""
        if view.live is not None:
            self.picture.show_picture(view.live.jpeg, None)
        self._fit()

    def set_compact(self, compact: bool) -> None:
        """Hide the picture while `compact`, that is on a low window."""
        self._compact = compact
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        margins = self.box.contentsMargins()
        width = self.width() - margins.left() - margins.right()
        self.picture.setFixedHeight(max(1, self.picture.wanted(width)))
        self.setVisible(not self.picture.empty and not self._compact)
