"""The first page: four steps one after the other (findings, model, Esc, practice run), each of which can be skipped."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QGuiApplication,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QAbstractButton, QApplication, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from desktop_agent.support.language import later, tr
from desktop_agent.ui.settings_calls import SettingsCalls
from desktop_agent.ui.welcome.step_practice import PracticeStep
from desktop_agent.ui.welcome.step_thinker import ThinkerStep
from desktop_agent.ui.welcome.welcome_calls import WelcomeCalls
from desktop_agent.ui.welcome.welcome_guide import NO_TELEMETRY, Finding, SoughtSubject
from desktop_agent.ui.welcome.welcome_step import WelcomeStep
from desktop_agent.ui.widgets.buttons import Button
from desktop_agent.ui.widgets.primitives import Card, Icon, Spinner
from desktop_agent.ui.widgets.scroll_area import ColumnLayout, ScrollArea
from desktop_agent.ui.widgets.theme import Theme
from desktop_agent.ui.widgets.wrapped_text import WrappedText, escape_invisible

MARGIN, SETTLE_MS = 16, 60


GUARD_MS = 900
"""How long after this window saw Esc the guard is waited for."""


_LOOKS = {"ok": ("check", "ok"), "optional": ("open", "soft"), "attention": ("warn", "warn")}
_SAID = {"ok": later("there"), "optional": later("not needed"), "attention": later("limited")}
MARK = 18


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


class EscapeKey(QWidget):
    """A drawing of the Esc key; with a tick once it was pressed."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.pressed = False
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_pressed(self, pressed: bool) -> None:
        self.pressed = pressed
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(120, 96)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme, tone = self._theme, "ok" if self.pressed else "accent"
        key = QRectF((self.width() - 104) / 2, 8, 104, 72)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("grip"))
        painter.drawRoundedRect(key.adjusted(0, 5, 0, 5), 12, 12)
        if self.pressed:
            key.translate(0, 4)
        painter.setPen(QPen(theme.color(tone), 2))
        painter.setBrush(theme.color("ok_tint" if self.pressed else "card"))
        painter.drawRoundedRect(key, 12, 12)
        painter.setFont(theme.font("title"))
        painter.setPen(theme.color("ok" if self.pressed else "ink"))
        painter.drawText(key, Qt.AlignmentFlag.AlignCenter, "Esc")
        if self.pressed:
            icon = theme.icon("check", "ok", 20, self.devicePixelRatioF())
            painter.drawPixmap(round(key.right() - 28), round(key.top() + 7), icon)
        painter.end()


class EscapeStep(WelcomeStep):
    """Waits for Esc, from the guard where there can be one, else from this window. `by_guard` tells who saw it."""

    def __init__(self, theme: Theme, calls: WelcomeCalls) -> None:
        lead = tr(
            "Whatever I am doing, in whichever program you are: Esc stops me at once, and I let go of every key and "
            "button. Try it."
        )
        super().__init__(theme, tr("Esc stops everything"), lead)
        self._calls = calls
        self.by_guard: bool | None = None
        self._problem: str | None = None
        self.key = EscapeKey(theme)
        self.told = WrappedText(theme, role="strong")
        self.about = WrappedText(theme, role="small", color="soft")
        self._card = Card(theme)
        self._card.box.addWidget(self.key)
        self._card.box.addWidget(self.told)
        self._card.box.addWidget(self.about)
        for part in (self.told, self.about):
            part.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.column.addWidget(self._card)
        self.column.addStretch(1)
        self._timer = QTimer(self, singleShot=True, interval=GUARD_MS)
        self._timer.timeout.connect(lambda: self._show_seen(by_guard=False))
        calls.watching.connect(self._show_watching)
        calls.seen.connect(lambda: self._show_seen(by_guard=True))

    def enter(self) -> None:
        self.by_guard = self._problem = None
        self.key.set_pressed(False)
        self._card.set_look("card", "line")
        self._say(tr("Press Esc now"), tr("One moment: I start the process that watches for it …"))
        self._calls.watch_escape()

    def leave(self) -> None:
        self._timer.stop()
        self._calls.unwatch_escape()

    def escape_pressed(self) -> None:
        """This window has seen Esc; what the guard sees counts for more."""
        if self.by_guard is None and not self._timer.isActive():
            self._timer.start(0 if self._problem else GUARD_MS)

    def _show_watching(self, problem: str) -> None:
        if not self.isVisible() or self.by_guard is not None:
            return
        self._problem = problem
        about = tr("A process of its own watches now, as in every run. It hears Esc in any program.")
        if problem:
            about = tr("Here only this window hears it: {why}").format(why=problem)
        self._say(tr("Press Esc now"), about)

    def _show_seen(self, by_guard: bool) -> None:
        if not self.isVisible() or self.by_guard:
            return
        self.by_guard = by_guard
        self._timer.stop()
        self.key.set_pressed(True)
        self._card.set_look("ok_tint", "ok_tint")
        about = tr("Tested: the guard, a process of its own, saw it. In a run it would have stopped me now.")
        if not by_guard:
            about = tr(
                "Tested: this window saw it. In a run a guard, a process of its own, watches for it, too."
            )
        self._say(tr("Seen. Nothing stays pressed."), about)
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, self.told.text()))

    def _say(self, words: str, about: str) -> None:
        self.told.set_words(words)
        self.told.set_color("ok" if self.by_guard is not None else "ink")
        self.about.set_words(escape_invisible(about))
        self.about.set_color("ink" if self.by_guard is not None else "soft")
        self._card.setAccessibleName(escape_invisible(f"{words}. {about}"))


class FindingRow(QWidget):
    """One subject: looked for, then what was found and what can be done about it."""

    def __init__(self, theme: Theme, subject: SoughtSubject) -> None:
        super().__init__()
        self.subject = subject
        self.finding: Finding | None = None
        self._spinner = Spinner(theme)
        self._icon = Icon(theme, "open", "soft", MARK)
        self._title = WrappedText(theme, subject.title, role="strong")
        self.words = WrappedText(theme, tr("Looking …"), role="small", color="soft")
        self.advice = WrappedText(theme, role="small", color="soft")
        self.copy = Button(theme, kind="icon", icon="copy", name=tr("Copy what to do"))
        self.copy.setFixedSize(28, 28)
        self.copy.clicked.connect(self._copy)
        self._lay_out()

    def _lay_out(self) -> None:
        self._doing = QWidget()
        doing = QHBoxLayout(self._doing)
        doing.setContentsMargins(0, 0, 0, 0)
        doing.setSpacing(4)
        doing.addWidget(self.advice, 1)
        doing.addWidget(self.copy, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout()
        column.setSpacing(1)
        column.addWidget(self._title)
        column.addWidget(self.words)
        column.addWidget(self._doing)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(10)
        for mark in (self._spinner, self._icon):
            row.addWidget(mark, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(column, 1)
        self._doing.hide()
        self._icon.hide()

    def show_finding(self, finding: Finding) -> None:
        """Show what was found."""
        self.finding = finding
        self._icon.set_icon(*_LOOKS[finding.state])
        self._spinner.hide()
        self._icon.show()
        self.words.set_words(escape_invisible(finding.words))
        self.advice.set_words(escape_invisible(finding.advice))
        self._doing.setVisible(bool(finding.advice))
        self._title.setAccessibleName(f"{self.subject.title}, {tr(_SAID[finding.state])}")
        self.copy.setAccessibleName(f"{tr('Copy what to do')}: {self.subject.title}")

    @property
    def said(self) -> str:
        """What a screen reader says of it."""
        return f"{self._title.accessibleName()}: {self.words.text()} {self.advice.text()}"

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.advice.text())


class HereStep(WelcomeStep):
    """What is here; looked for again each time the step is entered."""

    def __init__(self, theme: Theme, calls: WelcomeCalls) -> None:
        lead = tr("I look at the screen, plan, and use mouse and keyboard for you. First, what is here:")
        super().__init__(theme, tr("Welcome"), lead)
        self._calls = calls
        card = Card(theme)
        card.box.setSpacing(11)
        self.rows = {each.name: FindingRow(theme, each) for each in calls.guide.subjects}
        for row in self.rows.values():
            card.box.addWidget(row)
        self.leaves = WrappedText(theme)
        self.column.addWidget(card)
        self.column.addWidget(self._privacy(theme))
        self.column.addStretch(1)
        calls.found.connect(self._show)
        calls.leaves.connect(self._show_leaves)

    def _privacy(self, theme: Theme) -> Card:
        card = Card(theme, "ok_tint", "ok_tint", shadow=False)
        row = QHBoxLayout()
        row.setSpacing(10)
        row.addWidget(Icon(theme, "shield", "ok", MARK), 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout()
        column.setSpacing(3)
        column.addWidget(self.leaves)
        column.addWidget(WrappedText(theme, tr(NO_TELEMETRY)))
        row.addLayout(column, 1)
        card.box.addLayout(row)
        self.leaves.hide()
        return card

    def enter(self) -> None:
        self._calls.look()

    def _show(self, name: str, finding: Finding) -> None:
        if name in self.rows:
            self.rows[name].show_finding(finding)

    def _show_leaves(self, words: str) -> None:
        self.leaves.set_words(escape_invisible(words))
        self.leaves.show()
