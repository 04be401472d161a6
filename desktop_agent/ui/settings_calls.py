"""Asks for settings and changes them in the background, so that the window never waits for it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import QObject, Signal

from desktop_agent.agent.choices import ChoiceName, Choices
from desktop_agent.ui.background_work import BackgroundWork

CLOSE_SECONDS = 3.0
"""How long the end of what is under way is waited for when the window closes."""


class SettingsCalls(QObject):
    """Calls Choices, one call after the other.

    Signals: `offered(name, tuple[Offer, ...])`; `changed()` when a change is in force; `failed(message, advice)`.
    """

    offered = Signal(str, tuple)
    changed = Signal()
    failed = Signal(str, str)

    def __init__(self, choices: Choices, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.choices = choices
        self._background = BackgroundWork(self, threads=1)

    def ask(self, name: ChoiceName) -> None:
        """Look for what can be chosen; `offered` brings it."""
        self._background.run(
            partial(self.choices.offers, name), partial(self.offered.emit, name), self.failed.emit
        )

    def change(self, values: Mapping[str, object]) -> None:
        """Set values by their dotted names; `changed` or `failed` follows."""
        self._background.run(
            partial(self.choices.change, values), lambda _: self.changed.emit(), self.failed.emit
        )

    def close(self) -> None:
        """Wait for what is under way; nothing more is begun."""
        self._background.close(CLOSE_SECONDS)
