"""The window of a simulated desktop, beside the chat while the agent works on one."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from desktop_agent.startup.arguments import Arguments
from desktop_agent.support.config import Config
from desktop_agent.targets.base import Target

if TYPE_CHECKING:  # Qt is loaded with the main window
    from desktop_agent.agent.session import AgentSession
    from desktop_agent.ui.bridge import Bridge
    from desktop_agent.ui.shell.window import Window


def create(settings: Config, arguments: Arguments, session: AgentSession) -> SceneBesideChat:
    """The window that follows the session's target."""
    del settings, arguments
    return SceneBesideChat(lambda: session.parts.target)


class SceneBesideChat:
    """Shows the scene of what `target` gives, where that is a simulated desktop."""

    def __init__(self, target: Callable[[], Target]) -> None:
        self._target = target

    def join(self, window: Window, bridge: Bridge) -> None:
        """Let a host follow the target as long as the main window lives."""
        from desktop_agent.extras.avis.ui.scene_host import SceneHost

        SceneHost(window, bridge, self._target)

    def close(self) -> None:
        """Nothing to end: the host goes with the main window."""
