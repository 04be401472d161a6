"""The step that says what is here: each finding as soon as it is known, and what leaves the computer."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop_agent.support.language import later, tr
from desktop_agent.ui.welcome.welcome_calls import WelcomeCalls
from desktop_agent.ui.welcome.welcome_guide import NO_TELEMETRY, Finding, SoughtSubject
from desktop_agent.ui.welcome.welcome_step import WelcomeStep
from desktop_agent.ui.widgets.buttons import Button
from desktop_agent.ui.widgets.primitives import Card, Icon, Spinner
from desktop_agent.ui.widgets.theme import Theme
from desktop_agent.ui.widgets.wrapped_text import WrappedText, escape_invisible

_LOOKS = {"ok": ("check", "ok"), "optional": ("open", "soft"), "attention": ("warn", "warn")}
_SAID = {"ok": later("there"), "optional": later("not needed"), "attention": later("limited")}
MARK = 18


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
