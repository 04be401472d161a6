"""The question card: the agent's question, and a button for each answer that it offers."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QElapsedTimer, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop_agent.protocol.agent_events import Question
from desktop_agent.protocol.ops import MAX_CHOICES
from desktop_agent.support.language import later, tr, tr_sentence
from desktop_agent.ui.panels.approval_card import ARMED_MS
from desktop_agent.ui.panels.notices import NoticeCard
from desktop_agent.ui.widgets.theme import Theme
from desktop_agent.ui.widgets.wrapped_button import WrappedButton


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
