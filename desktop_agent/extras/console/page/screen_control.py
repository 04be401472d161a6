"""Who has the screen of which agent: one viewer at a time, and only that one's keys go in."""

from __future__ import annotations

import threading

from desktop_agent.extras.console.agents.roster import Roster
from desktop_agent.protocol.errors import Refused

GONE = ""
"""The viewer of a screen that was taken in a page that is closed."""


class ScreenControl:
    """The viewers that have taken a screen, by the agent's name. From any thread."""

    def __init__(self, roster: Roster) -> None:
        self._roster = roster
        self._viewers: dict[str, str] = {}
        self._lock = threading.Lock()

    def take(self, agent: str, viewer: str) -> None:
        """This viewer takes the screen; the agent pauses. Raises Refused where somebody has it whose page is still there."""
        with self._lock:
            if self._viewers.get(agent, agent) != GONE:
                self._roster.take(agent)
            self._viewers[agent] = viewer

    def give_back(self, agent: str, viewer: str) -> None:
        """The screen is the agent's again: said by the viewer that has it, or by any where that one's page is gone.

        Raises Refused where somebody else has it.
        """
        with self._lock:
            if self._viewers.get(agent, viewer) not in (viewer, GONE):
                raise Refused(f"Somebody else has the screen of {agent}.", "Wait until they give it back.")
            self._viewers.pop(agent, None)
            self._roster.give_back(agent)

    def left(self, agent: str, viewer: str) -> None:
        """This viewer's page does not show the screen any more: if it had it, whoever comes may give it back."""
        with self._lock:
            if self._viewers.get(agent) == viewer:
                self._viewers[agent] = GONE

    def has(self, agent: str, viewer: str) -> bool:
        """May this viewer press something there?"""
        return self._viewers.get(agent) == viewer

    def forget(self, agent: str) -> None:
        """The agent has ended."""
        with self._lock:
            self._viewers.pop(agent, None)
