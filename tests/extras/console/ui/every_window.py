"""The states of the agents' window, for the tests of every window."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from desktop_agent.extras.console.agents.agent_folders import AgentFolders
from desktop_agent.extras.console.agents.roster import Roster
from desktop_agent.extras.console.ui.agents_window import AgentsWindow
from desktop_agent.extras.console.ui.open_agents import open_agents
from desktop_agent.ui.shell.question_dialog import QuestionDialog
from tests.agent.test_run_loop import DONE
from tests.extras.console.agents.test_roster import LOGIN, Building
from tests.extras.console.ui.agents_stage import OneRoster, make_agents
from tests.ui.scripted import ScriptedPort
from tests.ui.spinning import until_true

if TYPE_CHECKING:
    from tests.ui.every_window import Stand


def agents(stand: Stand) -> AgentsWindow:
    at_hand = OneRoster(Roster(AgentFolders(stand.folder / "data"), Building(LOGIN, DONE)))
    stand._ending.callback(at_hand.close)
    make_agents(at_hand.roster())
    listed = open_agents(stand.window(ScriptedPort()), at_hand)
    stand.own(listed)
    until_true(lambda: not listed.picture.image.isNull(), "its picture")
    return listed


def no_agents(stand: Stand) -> QWidget:
    at_hand = OneRoster(Roster(AgentFolders(stand.folder / "data"), Building(DONE)))
    stand._ending.callback(at_hand.close)
    listed = open_agents(stand.window(ScriptedPort()), at_hand)
    stand.own(listed)
    until_true(listed.empty.isVisible, "that there are none")
    return listed


def naming_agent(stand: Stand) -> QWidget:
    listed = agents(stand)
    listed.create_.click()
    return stand.own(listed.findChildren(QuestionDialog)[0])


STATES: Mapping[str, Callable[[Stand], QWidget]] = {
    "agents list": agents, "agents none": no_agents, "agents new": naming_agent,
}  # fmt: skip
