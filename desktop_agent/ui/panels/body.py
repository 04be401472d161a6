"""The middle of the window: conversation, plan, live picture, activity, notices and the approval card."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop_agent.agent.port import AgentInfo
from desktop_agent.ui.chat.conversation import Chat
from desktop_agent.ui.panels.activity_feed import ActionsCard, CurrentActionStrip
from desktop_agent.ui.panels.approval_card import ApprovalCard
from desktop_agent.ui.panels.environments_card import EnvironmentsCard
from desktop_agent.ui.panels.live_picture import LiveCard
from desktop_agent.ui.panels.notices import Greeting, NoticeCard
from desktop_agent.ui.panels.plan import PlanCard
from desktop_agent.ui.panels.question_card import QuestionCard
from desktop_agent.ui.panels.scope_card import ScopeCard
from desktop_agent.ui.view_model import RunView, Section
from desktop_agent.ui.widgets.scroll_area import ColumnLayout, ScrollArea
from desktop_agent.ui.widgets.theme import Theme

MARGIN = 13
LOW = 430
KEEP_ABOVE = 76
NEAR_END = 24
ABOVE = 8


class Body(QWidget):
    """A scroll area with all panels; the approval card lies below it and never scrolls out of view."""

    def __init__(self, theme: Theme, info: AgentInfo, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._view: RunView | None = None
        self._follow = True
        self.greeting = Greeting(theme, info)
        self.chat = Chat(theme)
        self.scope = ScopeCard(theme)
        self.plan = PlanCard(theme)
        self.live = LiveCard(theme)
        self.environments = EnvironmentsCard(theme)
        self.now = CurrentActionStrip(theme)
        self.activity = ActionsCard(theme)
        self.question = QuestionCard(theme)
        self.ending = NoticeCard(theme)
        self.approval = ApprovalCard(theme)
        self.area = ScrollArea(theme)
        self._lay_out()
        bar = self.area.verticalScrollBar()
        bar.rangeChanged.connect(self._range_changed)
        bar.valueChanged.connect(self._value_changed)
        self.scope.fold.clicked.connect(self._stay)
        self.environments.heading.clicked.connect(self._stay)
        self.chat.sight = self._chat_in_sight
        self.chat.shifted.connect(self._shift)
        self.chat.reached.connect(self.area.ensureWidgetVisible)
        self.chat.deeds.working = lambda: self._view is not None and self._view.working

    def _lay_out(self) -> None:
        content = QWidget()
        self._column = column = ColumnLayout(content)
        column.setContentsMargins(MARGIN, 14, MARGIN, 8)
        column.setSpacing(12)
        column.addWidget(self.greeting, 1)
        for part in (
            self.chat,
            self.scope,
            self.plan,
            self.live,
            self.environments,
            self.now,
            self.activity,
            self.question,
            self.ending,
        ):
            column.addWidget(part)
        column.addStretch(0)
        self.area.set_content(content)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self.area, 1)
        holder = QVBoxLayout()
        holder.setContentsMargins(MARGIN, 0, MARGIN, 0)
        holder.addWidget(self.approval)
        whole.addLayout(holder)

    def show_view(self, view: RunView, changed: set[Section]) -> None:
        """Update the panels of the sections in `changed` from the view."""
        self._view = view
        if "messages" in changed:
            self.chat.show_messages(view)
        if changed & {"scope", "state"}:
            self.scope.show_scope(view.scope if view.working else None, view.standing)
        if changed & {"plan", "state"}:
            self.plan.show_plan(view.plan, view.finished)
        if changed & {"actions", "state", "asked"}:
            self.activity.show_actions(view)
            self.now.show_now(view)
        if changed & {"live", "state"}:
            self.live.show_live(view)
        if "environments" in changed:
            self.environments.show_environments(view.environments)
        if changed & {"asked", "state"}:
            self._show_asked(view)
        self.greeting.setVisible(not view.entries and view.ending is None and not view.working)
        self.fit()

    def _show_asked(self, view: RunView) -> None:
        self.question.show_question(view.question)
        self.ending.show_ending(view.ending, view.recording)
        self.approval.show_asked(view.approval)

    def _stay(self) -> None:
        """Keep in sight what the user unfolds, instead of following to the end."""
        self._follow = False

    def follow(self) -> None:
        """Scroll to the end, and stay there while content is added, until the user scrolls up."""
        self._follow = True
        bar = self.area.verticalScrollBar()
        bar.setValue(0 if self.greeting.isVisibleTo(self) else max(self._end(), bar.value()))

    def _end(self) -> int:
        """The scroll value of the end; of a question higher than the window, of its first line."""
        end = self.area.verticalScrollBar().maximum()
        return min(end, max(0, self.question.y() - ABOVE)) if self.question.isVisibleTo(self) else end

    def page(self, direction: int) -> None:
        """Scroll by 90 % of a page, up (-1) or down (1)."""
        bar = self.area.verticalScrollBar()
        bar.setValue(bar.value() + direction * round(bar.pageStep() * 0.9))

    def fit(self) -> None:
        """Fit the panels to the window's height: below LOW pixels plan, actions and picture become compact."""
        asked = self.approval.isVisibleTo(self)
        compact = self.height() < LOW or (asked and self.height() < LOW + 180)
        finished = self._view is not None and self._view.finished
        self.plan.set_compact(compact, finished)
        self.activity.set_compact(compact)
        self.live.set_compact(compact)
        self.environments.set_compact(compact)
        if asked:
            width = self.width() - 2 * MARGIN
            room = self.height() - (KEEP_ABOVE if self.height() > LOW - 100 else 0)
            self.approval.setFixedHeight(self.approval.fit(width, room))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    def _range_changed(self, _lowest: int, highest: int) -> None:
        """Take the scroll bar's width from the right margin, so that content does not move when the bar appears."""
        bar = self.area.verticalScrollBar().sizeHint().width() if highest else 0
        from_the_right = self.layoutDirection() == Qt.LayoutDirection.RightToLeft  # and so is the bar
        left, right = (bar, 0) if from_the_right else (0, bar)
        self._column.setContentsMargins(MARGIN - left, 14, MARGIN - right, 8)
        if self._follow:
            self.follow()

    def _value_changed(self, value: int) -> None:
        self._follow = self.greeting.isVisibleTo(self) or value >= self._end() - NEAR_END
        self.chat.lay_out()

    def _chat_in_sight(self) -> tuple[int, int]:
        """The first and the last line of the chat in sight; while the end is followed, what will be."""
        height = self.area.viewport().height()
        top = self.area.verticalScrollBar().value() - self.chat.y()
        top = max(top, self.chat.total - height) if self._follow else top
        return top, top + height

    def _shift(self, pixels: int) -> None:
        """Keep in place what is in sight, when what is above it has become higher."""
        if self._follow:
            return
        for part in (self.area.widget(), self.area.viewport()):  # the bar must know of the new height
            QCoreApplication.sendPostedEvents(part, QEvent.Type.LayoutRequest)
        bar = self.area.verticalScrollBar()
        bar.setValue(bar.value() + pixels)
