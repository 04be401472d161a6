"""Brings a window to the front when another thread asks for it."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget


class Raiser(QObject):
    """Shows a window when another thread asks. Signal `asked()`."""

    asked = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self.asked.connect(self._raise, Qt.ConnectionType.QueuedConnection)

    def ask(self) -> bool:
        """From any thread; True: there is a window."""
        self.asked.emit()
        return True

    def _raise(self) -> None:
        window = self._window
        window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
        window.show()
        window.raise_()
        window.activateWindow()
