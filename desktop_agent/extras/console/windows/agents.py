"""The agents of the window: put together by its settings when they are first asked for, ended with the program."""

from __future__ import annotations

import threading
from functools import partial
from typing import TYPE_CHECKING

from desktop_agent.protocol.errors import DesktopAgentError
from desktop_agent.startup.arguments import Arguments
from desktop_agent.support import optional_package, paths
from desktop_agent.support.config import Config
from desktop_agent.support.language import tr
from desktop_agent.support.operating_system import LINUX

if TYPE_CHECKING:
    from desktop_agent.agent.session import AgentSession
    from desktop_agent.extras.console.agents.roster import Roster
    from desktop_agent.extras.console.page.console_server import Console
    from desktop_agent.ui.bridge import Bridge
    from desktop_agent.ui.shell.window import Window

_NEEDED = ("fastapi", "uvicorn", "websockets", "novnc")
END_SECONDS = 20.0


def create(settings: Config, arguments: Arguments, session: AgentSession) -> AgentsInWindow | None:
    """The agents of this window; None on systems without computers of their own for them."""
    del session
    return AgentsInWindow(settings, arguments) if LINUX else None


class AgentsInWindow:
    """One roster, and one page that serves it. From any thread, but for `show`."""

    def __init__(self, settings: Config, arguments: Arguments) -> None:
        self._settings, self._arguments = settings, arguments
        self._roster: Roster | None = None
        self._console: Console | None = None
        self._serving: threading.Thread | None = None
        self._lock = threading.Lock()
        self._over = False

    def join(self, window: Window, bridge: Bridge) -> None:
        """Put the entry that shows their window into the menu."""
        del bridge
        window.header.add_window(tr("Agents …"), partial(self.show, window))

    def show(self, window: Window) -> None:
        """Show their window beside the main one; one that is open already comes to the front."""
        from desktop_agent.extras.console.ui.open_agents import (
            open_agents,
        )  # what agents are made of is loaded with it

        open_agents(window, self)

    def roster(self) -> Roster:
        """The agents; those that ran when the program ended run again from the first call on."""
        from desktop_agent.extras.console.agent_assembly import agent_builder
        from desktop_agent.extras.console.agents.agent_folders import AgentFolders
        from desktop_agent.extras.console.agents.roster import Roster

        with self._lock:
            if self._over:
                raise DesktopAgentError("The program ends.", "Start it again.")
            if self._roster is None:
                build = agent_builder(self._settings, self._arguments)
                self._roster = Roster(AgentFolders(paths.data()), build)
                self._roster.bring_back()
            return self._roster

    def console(self) -> str:
        """The address of the page, served from the first call on. Raises ConfigError without the extra."""
        for package in _NEEDED:
            optional_package.require(package, "the console", "console")
        from desktop_agent.extras.console.page.console_server import Console

        roster = self.roster()
        with self._lock:
            if self._console is None:
                self._console = console = Console(roster)
                up = threading.Event()
                self._serving = threading.Thread(
                    target=console.serve, args=(up.set,), name="console", daemon=True
                )
                self._serving.start()
                up.wait(END_SECONDS)
            return self._console.address

    def close(self) -> None:
        """End the page and all agents; those that run come back at the next start."""
        with self._lock:
            self._over = True
            roster, console, serving = self._roster, self._console, self._serving
        if console is not None and serving is not None:
            console.end()
            serving.join(END_SECONDS)
        if roster is not None:
            roster.close()
