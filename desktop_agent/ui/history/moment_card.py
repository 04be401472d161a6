"""The card beside the picture: what was said or done at a moment, how it is known, and the cost so far."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from desktop_agent.history.moment_words import cost_so_far, heading_of, words_of_moment
from desktop_agent.history.run_story import Moment
from desktop_agent.ui.panels.notices import Receipts
from desktop_agent.ui.widgets.primitives import Card
from desktop_agent.ui.widgets.theme import Theme
from desktop_agent.ui.widgets.wrapped_text import WrappedText

_TONES = {
    "done": "ok",
    "answered": "ok",
    "stopped": "stop",
    "error": "stop",
    "cut": "warn",
    "approval": "warn",
    "question": "warn",
}
_MOST = 4_000
"""Characters of one text; all of it is in an export."""


class MomentCard(Card):
    """Shows one moment."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent=parent)
        self.heading = WrappedText(theme, role="caps", color="soft")
        self.words = WrappedText(theme)
        self.exact = WrappedText(theme, role="mono", color="soft")
        self.output = WrappedText(theme, role="mono", color="soft")
        self.detail = WrappedText(theme, role="small", color="soft")
        self.receipts = Receipts(theme)
        self.cost = WrappedText(theme, role="small", color="soft")
        self._shown: dict[WrappedText, str] = {}
        for part in (
            self.heading,
            self.words,
            self.exact,
            self.output,
            self.detail,
            self.receipts,
            self.cost,
        ):
            self.box.addWidget(part)

    def show_moment(self, moment: Moment) -> None:
        tone = "stop" if moment.outcome in ("failed", "refused") else _TONES.get(moment.kind, "soft")
        self.heading.set_color(tone)
        self.heading.set_words(heading_of(moment).upper())
        words, detail = words_of_moment(moment)
        for label, text in (
            (self.words, words), (self.exact, moment.command or moment.exact), (self.output, moment.output.strip("\n")), (self.detail, detail), (self.cost, cost_so_far(moment)),
        ):  # fmt: skip
            if text != self._shown.get(label):
                self._shown[label] = text
                label.set_words(text if len(text) <= _MOST else f"{text[:_MOST]} …")
                label.setVisible(bool(text))
        self.receipts.show_receipts(moment.receipts)
