"""The step in which one chooses who thinks, or pastes a key, or goes on without one."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout

from desktop_agent.agent.choices import Offer
from desktop_agent.support.language import tr
from desktop_agent.ui.settings_calls import SettingsCalls
from desktop_agent.ui.welcome.key_card import KeyCard
from desktop_agent.ui.welcome.welcome_calls import WelcomeCalls
from desktop_agent.ui.welcome.welcome_step import WelcomeStep
from desktop_agent.ui.widgets.choice_popup import ChoiceRow
from desktop_agent.ui.widgets.primitives import Spinner
from desktop_agent.ui.widgets.theme import Theme
from desktop_agent.ui.widgets.wrapped_text import WrappedText, escape_invisible

MOST = 6
"""Models that are shown; the pill under the input lists all."""
NAME = "agent.model"


class ThinkerStep(WelcomeStep):
    """Lists the models that can be used now; choosing one puts it into force."""

    def __init__(self, theme: Theme, calls: WelcomeCalls, settings: SettingsCalls) -> None:
        lead = tr(
            "A model decides what to do next. The offline model needs no key and understands plain instructions; a "
            "large one understands more. You can change it at any time."
        )
        super().__init__(theme, tr("Who thinks?"), lead)
        self._settings = settings
        self.rows: list[ChoiceRow] = []
        self._list = QVBoxLayout()
        self._list.setSpacing(6)
        self._waiting = WrappedText(theme, tr("Looking for what is here …"), color="soft")
        self._spinner = Spinner(theme)
        waiting = QHBoxLayout()
        waiting.setSpacing(8)
        waiting.addWidget(self._spinner)
        waiting.addWidget(self._waiting, 1)
        self.problem = WrappedText(theme, color="stop")
        self.problem.hide()
        self.key = KeyCard(theme, calls)
        self.column.addLayout(waiting)
        self.column.addLayout(self._list)
        self.column.addWidget(self.problem)
        self.column.addWidget(self.key)
        self.column.addStretch(1)
        settings.offered.connect(self._show_offers)
        settings.changed.connect(self._changed)
        self.key.kept.connect(self._choose)
        calls.judged.connect(lambda _verdict: self.news.emit(self.key.told))

    def enter(self) -> None:
        self._settings.ask("model")

    def show_problem(self, message: str, advice: str) -> None:
        """Say why a choice is not in force."""
        self.problem.set_words(escape_invisible(f"{message} {advice}".strip()))
        self.problem.show()

    def _choose(self, value: str) -> None:
        self.problem.hide()
        self._settings.change({NAME: value})

    def _changed(self) -> None:
        if self.isVisible():
            self._settings.ask("model")

    def _show_offers(self, name: str, offers: tuple[Offer, ...]) -> None:
        if name != "model":
            return
        for part in (self._waiting, self._spinner):
            part.hide()
        current = self._settings.choices.settings().agent.model
        focused = next((each.offer.value for each in self.rows if each.hasFocus()), "")
        for row in self.rows:
            self._list.removeWidget(row)
            row.hide()
            row.deleteLater()
        self.rows = [ChoiceRow(self._theme, each, each.value == current) for each in _shown(offers, current)]
        for row in self.rows:
            row.clicked.connect(partial(self._choose, row.offer.value))
            self._list.addWidget(row)
            if row.offer.value == focused:
                row.setFocus(Qt.FocusReason.TabFocusReason)


def _shown(offers: tuple[Offer, ...], current: str) -> list[Offer]:
    """Those that can be used now, at most MOST, the one in force among them."""
    usable = [each for each in offers if not each.problem]
    late = [each for each in usable[MOST:] if each.value == current]
    return [*usable[: MOST - len(late)], *late]
