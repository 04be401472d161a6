"""Notice cards: how a run ended, and the greeting before the first goal."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop_agent.agent.port import AgentInfo
from desktop_agent.protocol.agent_events import Receipt
from desktop_agent.support.language import capitalized, later, tr, tr_sentence
from desktop_agent.ui.view_model import Ending
from desktop_agent.ui.widgets.buttons import Button
from desktop_agent.ui.widgets.primitives import Card, Icon
from desktop_agent.ui.widgets.theme import Theme
from desktop_agent.ui.widgets.wrapped_button import WrappedButton
from desktop_agent.ui.widgets.wrapped_text import WrappedText

# Every one works with the offline model too.
EXAMPLES = (
    "Open the text editor, type Hello and save it as hello.txt in the home folder",
    "Open the calculator and work out 12.5 * 8",
    "Open the file manager and make a folder called Receipts",
)
# Longer words are folded to so many lines until the reader asks for all.
FOLDED, LONG = 8, 380
# Icon, heading, colour, tint.
_ENDINGS = {
    "done": ("check", later("DONE"), "ok", "ok_tint"),
    "stopped": ("stop", later("STOPPED"), "stop", "stop_tint"),
    "error": ("warn", later("SOMETHING WENT WRONG"), "stop", "stop_tint"),
}
_ANSWERED = ("check", later("ANSWERED"), "ok", "ok_tint")
_AS_YOU_SAID = ("check", later("DONE, AS YOU SAID"), "ok", "ok_tint")
_NOT_CHECKED = ("question", later("DONE, NOT CHECKED"), "warn", "warn_tint")
MOST_RECEIPTS = 6
_ORDER = {"contradicted": 0, "verified": 1, "unverified": 2}
# Icon, word, colour.
_VERDICTS = {
    "verified": ("check", later("Verified"), "ok"),
    "unverified": ("question", later("Not checked"), "soft"),
    "contradicted": ("warn", later("Contradicted"), "stop"),
}
_STOPPED = later("Nothing is held down, and nothing goes on by itself.")
_NO_KEY = later(
    "No key found: using the {model}, which understands plain instructions about what is on the screen."
)


class NoticeCard(Card):
    """Shows a question or an ending: icon and heading, text, advice, and a Copy button.

    Signal: `replay_wanted()` when the user wants to see what happened in the run that ended.
    """

    replay_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, shadow=False, parent=parent)
        head = QHBoxLayout()
        head.setSpacing(7)
        self._icon = Icon(theme, "check", "ok")
        self._title = WrappedText(theme, role="caps")
        self._words = WrappedText(theme, lines=FOLDED)
        self._advice = WrappedText(theme, color="ink", lines=FOLDED)
        self._more = Button(theme, tr("Show all"), kind="chip")
        self._more.clicked.connect(self._unfold)
        self._note = WrappedText(theme, role="small", color="soft", lines=3)
        head.addWidget(self._icon)
        head.addWidget(self._title, 1)
        self.copy = Button(theme, kind="icon", icon="copy", name=tr("Copy"))
        self.copy.setFixedSize(28, 28)
        self.copy.clicked.connect(self._copy)
        head.addWidget(self.copy)
        # The button is higher than the heading; the words under it stay as near as in the other cards.
        head.setContentsMargins(0, -6, -6, -4)
        self.box.addLayout(head)
        self._receipts = Receipts(theme)
        self.replay = Button(theme, tr("Show what happened"))
        self.replay.clicked.connect(self.replay_wanted)
        self.replay.hide()
        for part in (self._words, self._advice, self._more, self._receipts, self.replay, self._note):
            self.box.addWidget(part)
        self.hide()

    def _show(self, icon: str, title: str, tone: str, tint: str) -> None:
        self.set_look(tint, tint)
        self._icon.set_icon(icon, tone)
        self._title.set_color(tone)
        self._title.set_words(tr(title))
        self.show()

    def _say(self, words: str, advice: str, note: str) -> None:
        for label, text in ((self._words, words), (self._advice, advice), (self._note, note)):
            label.set_words(text)
            label.setVisible(bool(text))
        self._fold(lines=FOLDED)
        self._more.setVisible(max(len(words), len(advice)) > LONG)
        self.setAccessibleName(f"{self._title.text()}: {words[:500]} {advice[:500]}")

    def _copy(self) -> None:
        words = "\n".join(label.text() for label in (self._words, self._advice) if label.text())
        QGuiApplication.clipboard().setText(words)

    def _fold(self, lines: int) -> None:
        for label in (self._words, self._advice):
            label.set_lines(lines)

    def _unfold(self) -> None:
        self._more.hide()
        self._fold(lines=0)

    def show_ending(self, ending: Ending | None, recording: str) -> None:
        """Show how the run ended and where it is recorded; hidden for None."""
        if ending is None:
            self.hide()
            return
        unchecked = _AS_YOU_SAID if ending.said_by_user else _NOT_CHECKED
        done = _ENDINGS[ending.kind] if ending.checked else unchecked
        self._show(*(_ANSWERED if ending.answered else done))
        self._receipts.show_receipts(ending.receipts)
        self.replay.setVisible(bool(recording))
        note = tr("Recorded in {file}").format(file=recording) if recording else ""
        if ending.kind == "stopped":
            reason = capitalized(ending.text).rstrip(".")
            self._say(f"{reason}." if reason else "", tr(_STOPPED), note)
        else:
            self._say(ending.text, ending.advice, note)


class Receipts(QWidget):
    """Lists what a "done" is known by: each with a mark, the word for its verdict, and the reason."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 4, 0, 2)
        self._column.setSpacing(5)
        self.shown: tuple[Receipt, ...] = ()
        self.hide()

    def show_receipts(self, receipts: tuple[Receipt, ...]) -> None:
        """Show the first of them, what is contradicted and verified before the rest; hidden for none."""
        wanted = tuple(sorted(receipts, key=lambda each: _ORDER[each.verdict])[:MOST_RECEIPTS])
        self.setVisible(bool(wanted))
        if wanted == self.shown:
            return
        self.shown = wanted
        while (item := self._column.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.deleteLater()
        for each in wanted:
            self._column.addWidget(_receipt_row(self._theme, each))


def _receipt_row(theme: Theme, receipt: Receipt) -> QWidget:
    icon, english, tone = _VERDICTS[receipt.verdict]
    word = tr(english)
    row = QWidget()
    line = QHBoxLayout(row)
    line.setContentsMargins(0, 0, 0, 0)
    line.setSpacing(7)
    words = WrappedText(theme, role="small", lines=4)
    detail = tr_sentence(receipt.detail, "evidence")
    words.set_words((word, "strong"), f"  {capitalized(detail)}" if detail else "")
    mark = Icon(theme, icon, tone)
    mark.setFixedHeight(words.fontMetrics().height())
    line.addWidget(mark, 0, Qt.AlignmentFlag.AlignTop)
    line.addWidget(words, 1)
    row.setAccessibleName(f"{word}: {detail}")
    return row


class ExampleGoal(WrappedButton):
    """A button with an example goal as wrapped text."""

    def __init__(self, theme: Theme, text: str, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent=parent)
        self.goal = ""
        self.show_goal(text)

    def show_goal(self, text: str) -> None:
        """Show another goal."""
        self.goal = text
        self.set_words(text, tr("Example goal"))


class Greeting(QWidget):
    """Shown before the first goal: what the agent does, and example goals. Signal: `example_chosen(text)`."""

    example_chosen = Signal(str)

    def __init__(self, theme: Theme, info: AgentInfo, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addStretch(1)
        column.addWidget(WrappedText(theme, tr("What shall we do?"), role="title"))
        lead = WrappedText(theme, color="soft")
        lead_words = tr(
            "I look at the screen, plan, and use the mouse and keyboard. Press {key} anywhere and I let go of everything."
        )
        before, _, after = lead_words.partition("{key}")
        lead.set_words(before, ("Esc", "cap"), after)
        column.addWidget(lead)
        column.addSpacing(8)
        self.examples = [ExampleGoal(theme, text) for text in EXAMPLES]
        for card in self.examples:
            card.clicked.connect(lambda _checked=False, card=card: self.example_chosen.emit(card.goal))
            column.addWidget(card)
        column.addStretch(3)
        if info.start_note:
            column.addWidget(_start_card(theme, info.start_note))
        self._model = _model_card(theme, info)
        column.addWidget(self._model)
        self.show_info(info)

    def show_info(self, info: AgentInfo) -> None:
        """Say which model is used only where that is because no key was found."""
        self._model.setVisible(not info.key_found)

    def show_examples(self, goals: Sequence[str]) -> None:
        """Show these as examples, as many as there is room for."""
        for card, goal in zip_longest(self.examples, goals[: len(self.examples)]):
            card.setVisible(goal is not None)
            if goal is not None:
                card.show_goal(goal)


def _start_card(theme: Theme, note: str) -> Card:
    """Build the card that tells what the start of the program found and did."""
    card = Card(theme)
    card.box.addWidget(WrappedText(theme, tr("CLEANED UP"), role="caps", color="soft"))
    words = WrappedText(theme)
    words.set_words(note)
    card.box.addWidget(words)
    return card


def _model_card(theme: Theme, info: AgentInfo) -> Card:
    """Build the card that says which model is used when no API key was found."""
    card = Card(theme)
    card.box.addWidget(WrappedText(theme, tr("MODEL"), role="caps", color="soft"))
    words = WrappedText(theme)
    if info.model_note:
        words.set_words(tr(info.model_note))
    else:
        before, _, after = tr(_NO_KEY).partition("{model}")
        words.set_words(before, (tr("offline model"), "strong"), after)
    card.box.addWidget(words)
    return card
