"""The live picture of what the agent sees: of an embedded display several a second, of the user's screen one."""

from __future__ import annotations

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from desktop_agent.protocol.geometry import Point
from desktop_agent.support.language import tr
from desktop_agent.ui.view_model import RunView
from desktop_agent.ui.widgets.primitives import Card
from desktop_agent.ui.widgets.theme import Theme
from desktop_agent.ui.widgets.thumbnails import ApprovalPicture, picture_size, to_picture_point
from desktop_agent.ui.widgets.wrapped_text import WrappedText


class LiveCard(Card):
    """Shows the newest preview across the window's width, and where the agent acts next; hidden until there is one."""

    TALLEST = 260

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent=parent)
        self._compact = False
        self.shown = True
        """False switches it off."""
        self.picture = ApprovalPicture(theme)
        self.picture.TALLEST, self.picture.ZOOMS, self.picture.MARK = self.TALLEST, False, 10
        self.picture.setAccessibleName(tr("The agent's screen, live"))
        self.box.addWidget(WrappedText(theme, tr("LIVE"), role="caps", color="soft"))
        self.box.addWidget(self.picture)
        self.hide()

    def show_live(self, view: RunView) -> None:
        """Show the view's newest preview, if there is one."""
        if view.live is not None:
            self.picture.show_picture(view.live.jpeg, _marked(view))
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
        self.setVisible(self.shown and not self.picture.empty and not self._compact)


def _marked(view: RunView) -> Point | None:
    """Where the agent acts next, in pixels of the live picture; None when nowhere in it."""
    if view.live is None or view.upcoming is None:
        return None
    place = to_picture_point(view.live.region, view.upcoming.at, picture_size(view.live.jpeg))
    return Point(round(place.x()), round(place.y())) if place is not None else None
