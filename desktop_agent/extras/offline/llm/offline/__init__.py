"""The offline model: a planner of ours that understands everyday instructions and works from what it sees."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from desktop_agent.extras.offline.llm.offline.options import Options
from desktop_agent.llm.base import Answer, Conversation, Model, Readiness, Support
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.support import plugins
from desktop_agent.vision.observation import Observation

if TYPE_CHECKING:
    from desktop_agent.extras.offline.llm.offline.model import Planner

__all__ = ["OfflineModel", "Options", "create", "readiness"]


def readiness(options: Options, configured: bool) -> Readiness:  # noqa: ARG001 - it is always ready
    """For the doctor."""
    return Readiness("ok", "needs no key")


def create(options: Options) -> OfflineModel:
    """The offline model; it needs nothing and costs nothing."""
    return OfflineModel(options)


def warm_up() -> None:
    """Import the planner before the first question needs it."""
    import desktop_agent.extras.offline.llm.offline.model  # noqa: F401


class OfflineModel(Model):
    """Loads its planner, a hundred modules, with the first question: the window does not wait for them."""

    name = "offline"
    support = Support(images=False, messages=False, proves_done=True)

    def __init__(self, options: Options) -> None:
        self._options = options
        self._planner: Planner | None = None
        self._terminal: Model | None = None

    def server(self) -> str:
        return ""

    def reply(
        self,
        conversation: Conversation,
        observation: Observation,
        *,
        on_note: Callable[[str], None],
        stop: StopFlag,
    ) -> Answer:
        """The next turn. Raises Stopped; never BadReply or ModelError."""
        if conversation.turn == 1:
            self._terminal = None
        if observation.terminal is not None or self._terminal is not None:
            return self._in_terminal(conversation, observation, on_note, stop)
        if self._planner is None:
            from desktop_agent.extras.offline.llm.offline.model import Planner

            self._planner = Planner(self._options)
        return self._planner.reply(conversation, observation, on_note=on_note, stop=stop)

    def _in_terminal(
        self,
        conversation: Conversation,
        observation: Observation,
        on_note: Callable[[str], None],
        stop: StopFlag,
    ) -> Answer:
        """What was read as a terminal in this run is worked as one, also while a picture of it cannot be read."""
        if self._terminal is None:
            terminal = plugins.load("llm", "terminal")  # it came with the target that reads terminals
            self._terminal = terminal.create(terminal.Options())
        return self._terminal.reply(conversation, observation, on_note=on_note, stop=stop)
