"""Opens the window of the agents beside the main window."""

from __future__ import annotations

from desktop_agent.extras.console.ui.agents_at_hand import AgentsAtHand
from desktop_agent.extras.console.ui.agents_window import AgentsWindow
from desktop_agent.ui.shell.window import Window


def open_agents(window: Window, at_hand: AgentsAtHand) -> AgentsWindow:
    """Show it; one that is open already comes to the front."""
    agents = window.findChild(AgentsWindow) or AgentsWindow(window, at_hand)
    agents.show()
    agents.raise_()
    agents.activateWindow()
    return agents
