"""Who has the screen of which agent: one viewer at a time, and only that one's keys go in."""

from __future__ import annotations

import threading

from desktop_agent.agents.roster import Roster


class ScreenControl:
    """The viewers that have taken a screen, by the agent's name. From any thread."""

    def __init__(self, roster: Roster) -> None:
        self._roster = roster
        self._viewers: dict[str, str] = {}
        self._lock = threading.Lock()

    def take(self, agent: str, viewer: str) -> None:
        """This viewer takes the screen; the agent pauses. Raises Refused where somebody has it."""
        with self._lock:
            self._roster.take(agent)
            self._viewers[agent] = viewer

    def give_back(self, agent: str) -> None:
        """The screen is the agent's again: said by whoever had it, or by another viewer where that one is gone."""
        with self._lock:
            self._viewers.pop(agent, None)
            self._roster.give_back(agent)

    def has(self, agent: str, viewer: str) -> bool:
        """May this viewer press something there?"""
        return self._viewers.get(agent) == viewer

    def holder(self, agent: str) -> str:
        """The viewer that has it, "" for none."""
        return self._viewers.get(agent, "")

    def forget(self, agent: str) -> None:
        """The agent has ended."""
        with self._lock:
            self._viewers.pop(agent, None)
