"""The middle of the window: conversation, plan, live picture, activity, notices, questions, environments and the approval card."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QCoreApplication, QElapsedTimer, QEvent, Qt, Signal
from PySide6.QtGui import QPalette, QResizeEvent, QTextOption
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from desktop_agent.agent.port import AgentInfo
from desktop_agent.protocol.agent_events import Question
from desktop_agent.protocol.ops import MAX_CHOICES
from desktop_agent.support.language import later, tr, tr_sentence
from desktop_agent.support.terminal_text import visible
from desktop_agent.ui.chat.conversation import Chat
from desktop_agent.ui.panels.activity_feed import ActionsCard, CurrentActionStrip
from desktop_agent.ui.panels.approval_card import ARMED_MS, ApprovalCard
from desktop_agent.ui.panels.live_picture import LiveCard
from desktop_agent.ui.panels.notices import Greeting, NoticeCard
from desktop_agent.ui.panels.plan import PlanCard
from desktop_agent.ui.panels.scope_card import ScopeCard
from desktop_agent.ui.view_model import RunView, Section
from desktop_agent.ui.widgets.buttons import INSET, Button
from desktop_agent.ui.widgets.primitives import SHADOW, Card
from desktop_agent.ui.widgets.scroll_area import ColumnLayout, ScrollArea, ThinBar
from desktop_agent.ui.widgets.theme import Theme
from desktop_agent.ui.widgets.wrapped_button import WrappedButton
from desktop_agent.ui.widgets.wrapped_text import WrappedText

MARGIN = 13
LOW = 430
KEEP_ABOVE = 76
NEAR_END = 24
ABOVE = 8


MOST_LINES = 14
"""Lines of the panel; more are scrolled to."""


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


class QuestionCard(NoticeCard):
    """Shows the agent's question and its choices; it can always be answered in other words below.

    A press within ARMED_MS of the card appearing is ignored. Signal: `chosen(text)`, once for each question.
    """

    chosen = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._asked: Question | None = None
        self._age = QElapsedTimer()
        self.choices = [WrappedButton(theme, "plain") for _ in range(MAX_CHOICES)]
        column = QVBoxLayout()
        column.setSpacing(6)
        for number, button in enumerate(self.choices):
            button.clicked.connect(partial(self._choose, number))
            column.addWidget(button)
        self.box.insertLayout(self.box.indexOf(self._note), column)

    def show_question(self, asked: Question | None) -> None:
        """Show the question, or hide the card for None; the same question again changes nothing."""
        if asked is self._asked:
            return
        self._asked = asked
        if asked is None:
            self.hide()
            return
        self._age.start()
        self._show("question", later("A QUESTION FOR YOU"), "warn", "warn_tint")
        self._show_choices(asked.choices)
        numbers = tr("Press one, type its number below, or answer in your own words.")
        self._say(asked.text, "", numbers if asked.choices else tr("Answer below."))

    def _show_choices(self, choices: tuple[str, ...]) -> None:
        for number, button in enumerate(self.choices):
            button.setVisible(number < len(choices))
            button.setEnabled(number < len(choices))
            if number < len(choices):
                role = tr("Answer {n}").format(n=number + 1)
                button.set_words(tr_sentence(choices[number], "notes"), role, cap=str(number + 1))

    @property
    def armed(self) -> bool:
        """True once the question has been shown for ARMED_MS: only then a press counts."""
        return self._asked is not None and self._age.hasExpired(ARMED_MS)

    def meant(self, text: str) -> str:
        """The choice that `text` is the number of; `text` itself where it is none, or a choice itself."""
        choices = self._asked.choices if self._asked is not None and self.armed else ()
        numbered = {str(number): choice for number, choice in enumerate(choices, 1)}
        return text if text in choices else numbered.get(text, text)

    def _choose(self, number: int, _checked: bool = False) -> None:
        if self._asked is None or not self.armed:
            return
        for button in self.choices:
            button.setEnabled(False)
        self.chosen.emit(self._asked.choices[number])


class ShownText(QPlainTextEdit):
    """Plain text in monospace that is scrolled, selected and copied; as high as it needs, up to MOST_LINES."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._waiting: str | None = None
        self.setReadOnly(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setTabChangesFocus(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.setFont(theme.font("mono"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBar(ThinBar(theme))
        self.document().setDocumentMargin(0)
        self.viewport().setAutoFillBackground(False)
        self.copyAvailable.connect(self._selected)
        theme.changed.connect(self._recolor)
        self._recolor()

    def _recolor(self) -> None:
        palette = self._theme.palette()
        palette.setColor(QPalette.ColorRole.Base, self._theme.color("window"))
        self.setPalette(palette)

    def show_words(self, text: str) -> None:
        """Show `text` at the same place of it; while words are selected it waits, or they could not be copied."""
        if self.textCursor().hasSelection():
            self._waiting = text
            return
        self._waiting = None
        bar = self.verticalScrollBar()
        place, at_end = bar.value(), bar.value() == bar.maximum() > 0
        self.setPlainText(visible(text))
        self.fit()
        bar.setValue(bar.maximum() if at_end else place)

    def _selected(self, some: bool) -> None:
        if not some and self._waiting is not None:
            self.show_words(self._waiting)

    def fit(self) -> None:
        """Take the height of the text, up to MOST_LINES."""
        lines, needed, block = 0, 0.0, self.document().begin()
        while block.isValid() and lines < MOST_LINES:
            height, count = self.blockBoundingRect(block).height(), max(1, block.layout().lineCount())
            shown = min(count, MOST_LINES - lines)
            lines, needed = lines + shown, needed + height * shown / count
            block = block.next()
        self.setFixedHeight(max(self.fontMetrics().height(), round(needed + 0.49)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.fit()


class EnvironmentsCard(Card):
    """Shows what the environments of a run show; hidden where it has none. Its heading folds it to itself alone.

    Signals: `folded(bool)` when the user has folded or unfolded it.
    """

    folded = Signal(bool)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent=parent)
        self._shown = ""
        self._folded = self._compact = False
        self.heading = Button(theme, tr("SCREEN"), kind="head", icon="down")
        self.heading.clicked.connect(self._flip)
        self._about = WrappedText(theme, tr("what the environments show"), role="small", color="soft", lines=1, right=True)  # fmt: skip
        self.text = ShownText(theme)
        self.text.setAccessibleName(tr("Screen of the environments"))
        self._ground = Card(theme, "window", "line", shadow=False)
        self._ground.box.setContentsMargins(9, 7, 4, 7 + SHADOW)
        self._ground.box.addWidget(self.text)
        self.box.setContentsMargins(13 - INSET, 8, 13, 8 + SHADOW)
        self.box.setSpacing(4)
        head = QHBoxLayout()
        head.addWidget(self.heading)
        head.addWidget(self._about, 1)
        self.box.addLayout(head)
        inside = QHBoxLayout()
        inside.setContentsMargins(INSET, 0, 0, 4)
        inside.addWidget(self._ground)
        self.box.addLayout(inside)
        self._fit()
        self.hide()

    def show_environments(self, text: str) -> None:
        """Show what the environments show; hidden for ""."""
        self.setVisible(bool(text.strip()))
        if text != self._shown:
            self._shown = text
            self.text.show_words(text.strip("\n"))

    def fold(self, folded: bool) -> None:
        """Show the heading alone while `folded`."""
        self._folded = folded
        self._fit()

    def set_compact(self, compact: bool) -> None:
        """Show the heading alone while `compact`, that is on a low window."""
        self._compact = compact
        self._fit()

    def _flip(self) -> None:
        self.fold(not self._folded)
        self.folded.emit(self._folded)

    def _fit(self) -> None:
        closed = self._folded or self._compact
        self._ground.setVisible(not closed)
        name = tr("Screen of the environments, collapsed") if closed else tr("Screen of the environments, expanded")  # fmt: skip
        self.heading.set_icon("right" if closed else "down", name)
        self.heading.setEnabled(not self._compact)
