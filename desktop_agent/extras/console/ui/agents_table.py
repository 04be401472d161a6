"""The table of the agents: one row an agent, with words for each column."""

from __future__ import annotations

from desktop_agent.extras.console.agents.roster import AgentView
from desktop_agent.extras.console.ui.agent_words import STATES, state_words
from desktop_agent.support.language import later
from desktop_agent.support.terminal_text import one_line
from desktop_agent.ui.widgets.named_rows import NamedRows

_STATE, _GOAL = 1, 2


class AgentsTable(NamedRows[AgentView]):
    """The model of the list of agents."""

    columns = (later("Name"), later("State"), later("Goal"))
    widest = _GOAL

    def words(self, row: AgentView, column: int) -> str:
        if column == _STATE:
            return state_words(row)
        return one_line(row.goal, 300) if column == _GOAL else row.name

    def about(self, row: AgentView, column: int) -> str:
        return row.goal if column == _GOAL else self.words(row, column)

    def tone(self, row: AgentView, column: int) -> str:
        return STATES[row.state][1] if column == _STATE else "soft" if column == _GOAL else ""
