"""Brings the window to the front."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


def bring_to_front(window: QWidget) -> None:
    """Show the window above others, with the keyboard unless it refuses that while the agent works elsewhere."""
    window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
    window.show()
    window.raise_()
    handle = window.windowHandle()
    if handle is not None and not handle.flags() & Qt.WindowType.WindowDoesNotAcceptFocus:
        window.activateWindow()
