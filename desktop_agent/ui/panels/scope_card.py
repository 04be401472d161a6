"""The scope card: where the run may work and what it may do there, and what was added last."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from desktop_agent.protocol.agent_events import ScopeSet
from desktop_agent.ui.widgets.primitives import Card
from desktop_agent.ui.widgets.theme import Theme
from desktop_agent.ui.widgets.wrapped_text import WrappedText, escape_invisible

_LINES = 6


class ScopeCard(Card):
    """Shows the scope of the run in a few lines; hidden while there is none."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, shadow=False, parent=parent)
        self._words = WrappedText(theme, lines=_LINES)
        self._added = WrappedText(theme, role="small", color="soft", lines=3)
        self.box.addWidget(WrappedText(theme, "THIS RUN MAY", role="caps", color="soft"))
        self.box.addWidget(self._words)
        self.box.addWidget(self._added)
        self.hide()

    def show_scope(self, scope: ScopeSet | None) -> None:
        """Show where the run may work; hidden for None."""
        self.setVisible(scope is not None)
        if scope is None:
            return
        words = "\n".join(map(escape_invisible, scope.words)) or "Look; anything else is asked about"
        self._words.set_words(words)
        self._added.setVisible(bool(scope.added))
        self._added.set_words(f"New: {escape_invisible(', '.join(scope.added))}")
        self.setAccessibleName(f"This run may: {words[:500]}")
