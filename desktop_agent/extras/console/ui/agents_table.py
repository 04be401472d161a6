"""The table of the agents: one row an agent, with words for each column."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from desktop_agent.extras.console.agents.roster import AgentView
from desktop_agent.extras.console.ui.agent_words import STATES, state_words
from desktop_agent.support.language import later, tr
from desktop_agent.support.terminal_text import one_line
from desktop_agent.ui.widgets.theme import Theme
from desktop_agent.ui.widgets.wrapped_text import tool_tip_text

COLUMNS = (later("Name"), later("State"), later("Goal"))
STATE, GOAL = 1, 2
Index = QModelIndex | QPersistentModelIndex


class AgentsTable(QAbstractTableModel):
    """The model of the list: `agents` in the order they are shown."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.agents: list[AgentView] = []

    def show_agents(self, agents: list[AgentView]) -> None:
        """Show these; where the same stand in the same order the choice stays."""
        if [each.name for each in agents] == [each.name for each in self.agents]:
            self.agents = agents
            if agents:
                self.dataChanged.emit(self.index(0, 0), self.index(len(agents) - 1, len(COLUMNS) - 1))
            return
        self.beginResetModel()
        self.agents = agents
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self.agents)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return tr(COLUMNS[section])
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        agent, column = self.agents[index.row()], index.column()
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return _words(agent, column)
            case Qt.ItemDataRole.ToolTipRole:
                return tool_tip_text(agent.goal if column == GOAL else _words(agent, column))
            case Qt.ItemDataRole.AccessibleTextRole:
                return f"{tr(COLUMNS[column])}: {_words(agent, column)}"
            case Qt.ItemDataRole.ForegroundRole if column == STATE:
                return self._theme.color(STATES[agent.state][1])
            case Qt.ItemDataRole.ForegroundRole if column == GOAL:
                return self._theme.color("soft")
        return None


def _words(agent: AgentView, column: int) -> str:
    if column == STATE:
        return state_words(agent)
    return one_line(agent.goal, 300) if column == GOAL else agent.name
