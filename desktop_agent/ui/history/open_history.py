"""Opens the windows of earlier runs beside the main window."""

from __future__ import annotations

from pathlib import Path

from desktop_agent.agent.port import AgentPort
from desktop_agent.ui.history.history_window import HistoryWindow
from desktop_agent.ui.history.player_window import PlayerWindow
from desktop_agent.ui.shell.window import Window


def open_history(window: Window, runs_folder: Path, port: AgentPort) -> HistoryWindow:
    """Show the list of runs; the one that is open already comes to the front."""
    history = window.findChild(HistoryWindow) or HistoryWindow(window, runs_folder, port)
    history.show()
    history.raise_()
    history.activateWindow()
    return history


def open_run(window: Window, folder: Path, port: AgentPort) -> PlayerWindow:
    """Show what happened in the run in this folder, such as the one that has just ended."""
    player = PlayerWindow(window, folder.parent, folder.name, port)
    player.show()
    return player
