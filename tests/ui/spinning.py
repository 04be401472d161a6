"""Lets Qt work for a while, or until something holds, where no test's own loop runs."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QApplication

from tests.desk import until


def spin(milliseconds: int) -> None:
    """Let Qt work for a while in which nothing is expected to happen."""
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


def until_true(condition: Callable[[], object], what: str) -> None:
    """Let Qt work until the condition holds."""

    def holds() -> bool:
        QApplication.processEvents()
        return bool(condition())

    until(holds, what)
