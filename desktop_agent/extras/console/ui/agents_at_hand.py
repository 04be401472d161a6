"""What the window of the agents is given: the roster of this program, and the page on which a screen can be taken."""

from __future__ import annotations

from typing import Protocol

from desktop_agent.extras.console.agents.roster import Roster


class AgentsAtHand(Protocol):
    """Both take a moment at the first call, and raise DesktopAgentError. From any thread."""

    def roster(self) -> Roster:
        """The agents; those that ran when the program ended run again from the first call on."""

    def console(self) -> str:
        """The address of the page, served from the first call on until the program ends."""
