"""What the user allowed with "Always here", each with a button that takes it back."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop_agent.support.language import tr
from desktop_agent.ui.settings.latest_task import LatestTask
from desktop_agent.ui.settings.options.surroundings import AlwaysAllowed, Surroundings
from desktop_agent.ui.widgets.buttons import Button
from desktop_agent.ui.widgets.primitives import Card
from desktop_agent.ui.widgets.theme import Theme
from desktop_agent.ui.widgets.wrapped_text import WrappedText


class AllowedPanel(Card):
    """A card with one line each; taking one back counts at once. No signals of its own."""

    def __init__(self, theme: Theme, surroundings: Surroundings) -> None:
        super().__init__(theme)
        self._theme, self._surroundings = theme, surroundings
        self.buttons: list[Button] = []
        self._rows: list[QWidget] = []
        self.box.addWidget(WrappedText(theme, tr("Always allowed"), role="strong"))
        about = tr("What you answered with “Always here”. Taking one back counts at once.")
        self.box.addWidget(WrappedText(theme, about, role="small", color="soft"))
        self._lines = QVBoxLayout()
        self._lines.setSpacing(4)
        self.box.addLayout(self._lines)
        self.state = WrappedText(theme, "", role="small", color="soft")
        self.box.addWidget(self.state)
        self._work = LatestTask(self)
        self._work.done.connect(self._show)
        self._work.failed.connect(self.state.set_words)
        self._work.run(surroundings.allowed)

    def _show(self, allowed: Sequence[AlwaysAllowed]) -> None:
        for row in self._rows:
            self._lines.removeWidget(row)
            row.hide()
            row.deleteLater()
        self._rows, self.buttons = [], []
        for each in allowed:
            self._add(each)
        self.state.set_words("" if allowed else tr("Nothing yet."))
        self.state.setVisible(not allowed)

    def _add(self, each: AlwaysAllowed) -> None:
        line = QWidget()
        row = QHBoxLayout(line)
        row.setContentsMargins(0, 0, 0, 0)
        button = Button(self._theme, tr("Take back"), name=f"{tr('Take back')}: {each.words}")
        button.clicked.connect(partial(self._take_back, each))
        self.buttons.append(button)
        row.addWidget(WrappedText(self._theme, each.words), 1)
        row.addWidget(button)
        self._lines.addWidget(line)
        self._rows.append(line)

    def _take_back(self, each: AlwaysAllowed) -> None:
        for button in self.buttons:
            button.setEnabled(False)
        self._work.run(partial(_removed_one, each, self._surroundings))


def _removed_one(each: AlwaysAllowed, surroundings: Surroundings) -> Sequence[AlwaysAllowed]:
    each.remove()
    return surroundings.allowed()
