"""Asks for settings and changes them in a thread, so that the window never waits for it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping

from PySide6.QtCore import QObject, QRunnable, QThreadPool, Signal

from desktop_agent.agent.choices import ChoiceName, Choices
from desktop_agent.protocol.errors import DesktopAgentError
from desktop_agent.redaction.redactor import redactor
from desktop_agent.support.language import tr

CLOSE_MS = 3_000
"""How long the end of what is under way is waited for when the window closes."""

_log = logging.getLogger(__name__)


class SettingsCalls(QObject):
    """Calls Choices one after the other in a thread of its own.

    Signals: `offered(name, tuple[Offer, ...])`; `changed()` when a change is in force; `failed(message, advice)`.
    """

    offered = Signal(str, tuple)
    changed = Signal()
    failed = Signal(str, str)

    def __init__(self, choices: Choices, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.choices = choices
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(1)

    def ask(self, name: ChoiceName) -> None:
        """Look for what can be chosen; `offered` brings it."""
        self._start(lambda: self.offered.emit(name, self.choices.offers(name)))

    def change(self, values: Mapping[str, object]) -> None:
        """Set values by their dotted names; `changed` or `failed` follows."""

        def work() -> None:
            self.choices.change(values)
            self.changed.emit()

        self._start(work)

    def close(self) -> None:
        """Wait for what is under way; nothing more is begun."""
        self._pool.clear()
        self._pool.waitForDone(CLOSE_MS)

    def _start(self, work: Callable[[], None]) -> None:
        self._pool.start(_Call(self, work))


class _Call(QRunnable):
    def __init__(self, calls: SettingsCalls, work: Callable[[], None]) -> None:
        super().__init__()
        self._calls, self._work = calls, work

    def run(self) -> None:
        try:
            self._work()
        except DesktopAgentError as error:
            self._fail(error.message, error.advice)
        except Exception as error:  # noqa: BLE001 - the boundary of a thread: the user must hear of it
            _log.exception("a setting could not be read or changed")
            self._fail(str(error), tr("The log has the details."))

    def _fail(self, message: str, advice: str) -> None:
        self._calls.failed.emit(redactor().clean(message), redactor().clean(advice))
