"""Raises the window from any thread, for a second start of the program."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget


class WindowRaiser(QObject):
    """Shows, raises and activates a window on request. Signal: `asked()`, queued to the UI thread."""

    asked = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self.asked.connect(self._raise, Qt.ConnectionType.QueuedConnection)

    def ask(self) -> bool:
        """Ask to raise the window; callable from any thread. Returns True: there is a window."""
        self.asked.emit()
        return True

    def _raise(self) -> None:
        bring_to_front(self._window)


def bring_to_front(window: QWidget) -> None:
    """Show the window above others, with the keyboard unless it refuses that while the agent works elsewhere."""
    window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
    window.show()
    window.raise_()
    handle = window.windowHandle()
    if handle is not None and not handle.flags() & Qt.WindowType.WindowDoesNotAcceptFocus:
        window.activateWindow()
