"""The pills under the input: target, model, step mode and permission, each with a menu of what can be chosen."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from desktop_agent.agent.choices import ChoiceName, Offer
from desktop_agent.agent.port import AgentInfo, StepMode
from desktop_agent.protocol.permission import Level
from desktop_agent.support.language import later, tr
from desktop_agent.ui.widgets.buttons import Button
from desktop_agent.ui.widgets.choice_popup import ChoicePopup
from desktop_agent.ui.widgets.theme import Theme
from desktop_agent.ui.widgets.wrapped_text import tool_tip_text

STEP_WORDS: dict[StepMode, str] = {
    "off": later("Step mode is off: it asks only where it matters"),
    "action": later("Step mode: it asks before every action"),
    "plan": later("Step mode: it asks before every step of the plan"),
}
_STEP_PILL: dict[StepMode, str] = {
    "off": later("Step: off"), "action": later("Step: action"), "plan": later("Step: plan"),
}  # fmt: skip
PERMISSION_WORDS: dict[Level, str] = {
    "simulation_only": later("It only looks."),
    "restricted": later("It asks before what may do harm."),
    "full": later("It has full access."),
}
_PERMISSION_PILL: dict[Level, str] = {
    "simulation_only": later("Look only"), "restricted": later("Ask first"), "full": later("Full access"),
}  # fmt: skip
TITLES: dict[ChoiceName, str] = {
    "target": later("WHERE IT WORKS"), "model": later("WHO THINKS"),
    "step": later("STEP MODE"), "permission": later("WHAT IT MAY DO"),
}  # fmt: skip
_BETWEEN_RUNS = later("It can be changed between runs.")
WIDEST, LEAST = 150, 64
"""Pixels of a pill with a name."""


class ChoicePill(Button):
    """A pill with an icon and words; `compact` leaves the words out."""

    def __init__(self, theme: Theme, name: ChoiceName, icon: str, parent: QWidget | None = None) -> None:
        super().__init__(theme, kind="chip", icon=icon, parent=parent)
        self.choice: ChoiceName = name
        self._words = ""
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setMaximumWidth(WIDEST)

    def show_choice(self, words: str, about: str, *, warn: bool = False) -> None:
        """Show the choice in force; `about` is the tool tip and the accessible name."""
        self._words = words
        self.setText(words)
        self.setToolTip(tool_tip_text(about))
        self.setAccessibleName(about)
        self.tone = "warn" if warn else ""
        self.updateGeometry()

    def set_compact(self, compact: bool) -> None:
        """Show the icon alone, or icon and words."""
        self.setText("" if compact else self._words)
        self.updateGeometry()

    def minimumSizeHint(self) -> QSize:
        return QSize(min(self.sizeHint().width(), LEAST), self.sizeHint().height())


class Pills(QWidget):
    """The four pills. Where nothing can be chosen, they only show what is in force.

    Signals: `opened(name)` when a menu opens, which wants its offers and the keyboard; `chosen(name, value)`.
    """

    opened = Signal(str)
    chosen = Signal(str, str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._open: ChoiceName = "model"
        self._working = self._choosable = False
        self._popup: ChoicePopup | None = None
        self.target = ChoicePill(theme, "target", "screen")
        self.model = ChoicePill(theme, "model", "model")
        self.step = ChoicePill(theme, "step", "step")
        self.permission = ChoicePill(theme, "permission", "shield")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(5)
        for pill in self.all:
            row.addWidget(pill)
            pill.clicked.connect(self._clicked)
        row.addStretch(1)

    @property
    def all(self) -> tuple[ChoicePill, ...]:
        """All four, from left to right."""
        return self.target, self.model, self.step, self.permission

    def make_choosable(self) -> None:
        """Let a click open a menu."""
        self._choosable = True
        self._update_enabled()

    def show_info(self, info: AgentInfo) -> None:
        """Show what the agent works with."""
        self.target.show_choice(
            tr(info.target),
            tr("Works on: {target}. ").format(target=tr(info.target)) + tr(PERMISSION_WORDS[info.permission]),
        )
        about = tr("Model: {model}. ").format(model=info.model) + (
            tr(info.model_note) if info.model_note else ""
        )
        self.model.show_choice(info.model, about.strip())
        self.step.show_choice(
            tr(_STEP_PILL[info.step_mode]), tr(STEP_WORDS[info.step_mode]), warn=info.step_mode != "off"
        )
        self.permission.show_choice(
            tr(_PERMISSION_PILL[info.permission]),
            tr(PERMISSION_WORDS[info.permission]),
            warn=info.permission == "full",
        )
        self._fit()

    def show_working(self, working: bool) -> None:
        """While a run is under way, only the step mode can be chosen."""
        self._working = working
        self._update_enabled()

    def show_offers(self, name: ChoiceName, offers: Sequence[Offer], current: str) -> None:
        """Fill the open menu, if it is still that one."""
        if self._popup is not None and self._popup.isVisible() and self._open == name:
            self._popup.show_offers(offers, current)

    def _update_enabled(self) -> None:
        for pill in self.all:
            free = self._choosable and (not self._working or pill is self.step)
            pill.setCursor(Qt.CursorShape.PointingHandCursor if free else Qt.CursorShape.ArrowCursor)
            pill.setAccessibleDescription("" if free else tr(_BETWEEN_RUNS))

    def _clicked(self) -> None:
        pill = self.sender()
        if isinstance(pill, ChoicePill) and self._choosable and (not self._working or pill is self.step):
            self.open_menu(pill)

    def open_menu(self, pill: ChoicePill) -> None:
        """Open the menu of a pill; its offers follow."""
        if self._popup is not None:
            self._popup.deleteLater()
        popup = ChoicePopup(self._theme, tr(TITLES[pill.choice]), self)
        popup.chosen.connect(self._picked)
        self._popup, self._open = popup, pill.choice
        self.opened.emit(pill.choice)
        popup.open_at(pill)

    def _picked(self, value: str) -> None:
        self.chosen.emit(self._open, value)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Leave out the words of what is as usual where there is no room for all."""
        usual = [self.step] * (self.step.tone == "") + [self.permission] * (self.permission.tone == "")
        for pill in self.all:
            pill.set_compact(False)
        if sum(pill.sizeHint().width() + 5 for pill in self.all) > self.width():
            for pill in usual:
                pill.set_compact(True)
