"""Runs what may take seconds in a thread, and hands its result to the UI thread."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal

from desktop_agent.protocol.errors import DesktopAgentError
from desktop_agent.redaction.redactor import redactor


class LatestTask(QObject):
    """One piece of work at a time; newer work takes the place of older, whose result is dropped.

    Signals: `done(result)`; `failed(message)` in words for the user, without secrets; `busy(bool)`.
    """

    done = Signal(object)
    failed = Signal(str)
    busy = Signal(bool)
    _ended = Signal(int, object, str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._number = 0
        self._ended.connect(self._end, Qt.ConnectionType.QueuedConnection)

    def run(self, work: Callable[[], Any]) -> None:
        """Call `work` in a thread of its own; returns at once."""
        self._number += 1
        self.busy.emit(True)
        threading.Thread(target=self._work, args=(self._number, work), name="settings", daemon=True).start()

    def forget(self) -> None:
        """Drop the result of what is under way."""
        self._number += 1
        self.busy.emit(False)

    def _work(self, number: int, work: Callable[[], Any]) -> None:
        result, problem = None, ""
        try:
            result = work()
        except DesktopAgentError as error:
            problem = str(error)
        except Exception as error:  # noqa: BLE001 - thread boundary: the user must hear of it
            problem = f"{type(error).__name__}: {error}"
        try:
            self._ended.emit(number, result, redactor().clean(problem))
        except RuntimeError:  # the dialog was closed meanwhile
            return

    def _end(self, number: int, result: object, problem: str) -> None:
        if number != self._number:
            return
        self.busy.emit(False)
        if problem:
            self.failed.emit(problem)
        else:
            self.done.emit(result)
