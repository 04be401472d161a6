"""Keeps one piece of background work, the latest, whose result counts."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Signal

from desktop_agent.ui.background_work import BackgroundWork


class LatestTask(QObject):
    """One piece of work at a time; newer work takes the place of older, whose result is dropped.

    Signals: `done(result)`; `failed(message)` in words for the user, without secrets; `busy(bool)`.
    """

    done = Signal(object)
    failed = Signal(str)
    busy = Signal(bool)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._background = BackgroundWork(self)
        self._number = 0

    def run(self, work: Callable[[], Any]) -> None:
        """Call `work` in a thread; returns at once."""
        self._number += 1
        self.busy.emit(True)
        self._background.run(work, partial(self._succeed, self._number), partial(self._fail, self._number))

    def forget(self) -> None:
        """Drop the result of what is under way."""
        self._number += 1
        self.busy.emit(False)

    def _succeed(self, number: int, result: object) -> None:
        if number == self._number:
            self.busy.emit(False)
            self.done.emit(result)

    def _fail(self, number: int, message: str, advice: str) -> None:
        if number == self._number:
            self.busy.emit(False)
            self.failed.emit(f"{message} {advice}".strip())
