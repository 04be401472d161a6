"""Agents for the tests of their window: a real roster on desktops in memory."""

from __future__ import annotations

from desktop_agent.extras.console.agents.roster import Roster
from desktop_agent.support.paths import private_folder, write_private
from tests.support.recorded_run import desktop_picture
from tests.support.waiting import until


def make_agents(roster: Roster) -> None:
    """Three: one that waits, one that needs a human (its model has answered LOGIN), one that is stopped."""
    for name in ("mail", "shopping", "research"):
        roster.create(name)
    folder = roster.folders.agent("shopping")
    private_folder(folder.screenshot.parent)
    write_private(folder.screenshot, desktop_picture(1, (960, 540)))
    roster.start("mail")
    roster.start("shopping")
    roster.say("shopping", "Order the usual groceries for Friday, and sign in where it is asked")
    until(lambda: roster.agent("shopping").state == "needs_human", "the question")


class OneRoster:
    """A roster that is there already, and the address of a page that nobody serves."""

    def __init__(self, roster: Roster) -> None:
        self._roster = roster
        self.asked = 0

    def roster(self) -> Roster:
        return self._roster

    def console(self) -> str:
        self.asked += 1
        return "http://127.0.0.1:1/#token=x"

    def close(self) -> None:
        self._roster.close()
