"""The offline model: a planner of ours that understands everyday instructions and works from what it sees."""

from desktop_agent.llm.offline.model import OfflineModel, Options, create

__all__ = ["OfflineModel", "Options", "create"]
