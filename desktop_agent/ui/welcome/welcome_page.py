"""The first page: four steps one after the other, each of which can be skipped."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QHBoxLayout, QVBoxLayout, QWidget

from desktop_agent.support.language import tr
from desktop_agent.ui.settings_calls import SettingsCalls
from desktop_agent.ui.welcome.step_escape import EscapeStep
from desktop_agent.ui.welcome.step_here import HereStep
from desktop_agent.ui.welcome.step_practice import PracticeStep
from desktop_agent.ui.welcome.step_thinker import ThinkerStep
from desktop_agent.ui.welcome.welcome_calls import WelcomeCalls
from desktop_agent.ui.welcome.welcome_step import WelcomeStep
from desktop_agent.ui.widgets.buttons import Button
from desktop_agent.ui.widgets.scroll_area import ColumnLayout, ScrollArea
from desktop_agent.ui.widgets.theme import Theme
from desktop_agent.ui.widgets.wrapped_text import WrappedText

MARGIN, SETTLE_MS = 16, 60


class WelcomePage(QWidget):
    """Shows one step at a time. Signal: `finished()` when the last one is done, or all of it is skipped."""

    finished = Signal()

    def __init__(self, theme: Theme, calls: WelcomeCalls, settings: SettingsCalls) -> None:
        super().__init__()
        self._theme = theme
        self.here = HereStep(theme, calls)
        self.thinker = ThinkerStep(theme, calls, settings)
        self.escape = EscapeStep(theme, calls)
        self.practice = PracticeStep(theme, calls)
        self.steps: tuple[WelcomeStep, ...] = (self.here, self.thinker, self.escape, self.practice)
        self.at = -1
        self.count = WrappedText(theme, role="caps", color="soft")
        self.skip = Button(theme, tr("Skip"), kind="chip", name=tr("Skip the welcome"))
        self.back = Button(theme, tr("Back"))
        self.next = Button(theme, tr("Next"), kind="primary")
        self._lay_out()
        self.skip.clicked.connect(self.finished)
        self.back.clicked.connect(lambda: self.go(self.at - 1))
        self.next.clicked.connect(self._forward)
        self.practice.over.connect(self._offer_next)
        self.thinker.key.kept.connect(self._offer_next)

    def _lay_out(self) -> None:
        content = QWidget()
        self._column = ColumnLayout(content)
        self._column.setContentsMargins(MARGIN, 16, MARGIN, 10)
        self._column.setSpacing(4)
        self._column.addWidget(self.count)
        for step in self.steps:
            self._column.addWidget(step, 1)
            step.news.connect(self._bring_into_view)
            step.hide()
        self.area = ScrollArea(self._theme)
        self.area.set_content(content)
        foot = QHBoxLayout()
        foot.setContentsMargins(MARGIN, 8, MARGIN, 2)
        foot.setSpacing(8)
        foot.addWidget(self.skip)
        foot.addStretch(1)
        foot.addWidget(self.back)
        foot.addWidget(self.next)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self.area, 1)
        whole.addLayout(foot)

    @property
    def step(self) -> WelcomeStep:
        """The step that is shown."""
        return self.steps[self.at]

    def go(self, at: int) -> None:
        """Show a step by its place, from 0."""
        if self.at >= 0:
            self.step.leave()
            self.step.hide()
        self.at = at
        step, last = self.step, at == len(self.steps) - 1
        self.count.set_words(tr("STEP {n} OF {all}").format(n=at + 1, all=len(self.steps)))
        self.back.setVisible(at > 0)
        self.skip.setVisible(not last)
        self.next.setText(tr("Done") if last else tr("Next"))
        self.next.set_kind("plain" if last else "primary")  # the practice run is the thing to do there
        self.next.setAccessibleName(self.next.text())
        self.next.updateGeometry()
        step.show()
        self.area.verticalScrollBar().setValue(0)
        self.next.setFocus(Qt.FocusReason.OtherFocusReason)
        said = f"{self.count.text()}: {step.title}. {step.lead.text()}"
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, said))
        step.enter()

    def _bring_into_view(self, part: QWidget) -> None:
        """Scroll to what has changed, once it has its place."""
        QTimer.singleShot(SETTLE_MS, self, lambda: self.area.ensureWidgetVisible(part, 0, MARGIN))

    def _offer_next(self) -> None:
        """Give Next the keyboard, where it is in this page, and show that it is what comes now."""
        self.next.set_kind("primary")
        if self.isVisible() and self.isAncestorOf(QApplication.focusWidget() or self):
            self.next.setFocus(Qt.FocusReason.OtherFocusReason)

    def leave(self) -> None:
        """End what is under way."""
        if self.at >= 0:
            self.step.leave()

    def escape_pressed(self) -> None:
        """Esc in this window: tries the Esc of its step, or stops the practice run."""
        if self.step is self.escape:
            self.escape.escape_pressed()
        self.practice.stop_run()

    def _forward(self) -> None:
        if self.at == len(self.steps) - 1:
            self.finished.emit()
        else:
            self.go(self.at + 1)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        focused = QApplication.focusWidget()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and isinstance(focused, QAbstractButton):
            focused.click()
        else:
            super().keyPressEvent(event)
