"""The plan card: the steps of the plan, marked as done, current or open."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop_agent.protocol.agent_events import Plan
from desktop_agent.support.language import tr
from desktop_agent.ui.widgets.primitives import Card, Icon
from desktop_agent.ui.widgets.theme import FontRole, Theme
from desktop_agent.ui.widgets.wrapped_text import WrappedText

STEP_LINES = 4


class StepLine(QWidget):
    """Shows one step of the plan: an icon for its state, and its text."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        self._icon = Icon(theme, "open", "soft")
        self._words = WrappedText(theme, role="body", color="soft", lines=STEP_LINES)
        self._icon.setFixedHeight(self._words.heightForWidth(1) - 3)
        row.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self._words, 1)

    def show_step(self, text: str, place: int) -> None:
        """Show `text`; `place` relative to the current step: < 0 is done, 0 current, > 0 open."""
        icon, tone = (
            ("check", "ok") if place < 0 else ("current", "accent") if place == 0 else ("open", "soft")
        )
        role: FontRole = "strong" if place == 0 else "body"
        said = tr("done") if place < 0 else tr("current step") if place == 0 else tr("open")
        self._icon.set_icon(icon, tone)
        self._words.set_role(role)
        self._words.set_color("ink" if place == 0 else "soft")
        self._words.set_words(text)
        self._words.setAccessibleName(f"{said}: {text[:300]}")


class PlanCard(Card):
    """Shows all steps of the plan and their count; rows are reused so that it does not flicker."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent=parent)
        self._theme = theme
        self._lines: list[StepLine] = []
        self._compact = False
        self._plan: Plan | None = None
        head = QHBoxLayout()
        head.addWidget(WrappedText(theme, tr("PLAN"), role="caps", color="soft"), 1)
        self._count = WrappedText(theme, role="small", color="soft", right=True)
        head.addWidget(self._count)
        self.box.addLayout(head)
        self._steps = QVBoxLayout()
        self._steps.setSpacing(6)
        self.box.addLayout(self._steps)
        self.hide()

    def show_plan(self, plan: Plan | None, finished: bool) -> None:
        """Show the plan; `finished` marks every step as done. Hidden for None or a plan without steps."""
        self._plan = plan
        self.setVisible(bool(plan and plan.steps))
        if plan is None or not plan.steps:
            return
        current = len(plan.steps) if finished else max(0, plan.current)
        number = min(current + 1, len(plan.steps))
        self._count.set_words(
            tr("all done") if finished else tr("{n} of {count}").format(n=number, count=len(plan.steps))
        )
        self.setAccessibleName(tr("Plan, step {n} of {count}").format(n=number, count=len(plan.steps)))
        self._fit(len(plan.steps))
        for index, (line, text) in enumerate(zip(self._lines, plan.steps, strict=False)):
            line.show_step(text, index - current)
            line.setVisible(not self._compact or index == min(current, len(plan.steps) - 1))

    def set_compact(self, compact: bool, finished: bool) -> None:
        """Show only the current step while `compact`, that is on a low window."""
        if compact != self._compact:
            self._compact = compact
            self.show_plan(self._plan, finished)

    def _fit(self, count: int) -> None:
        while len(self._lines) < count:
            line = StepLine(self._theme)
            self._steps.addWidget(line)
            self._lines.append(line)
        while len(self._lines) > count:
            line = self._lines.pop()
            self._steps.removeWidget(line)
            line.deleteLater()
