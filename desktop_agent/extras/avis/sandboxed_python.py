"""Runs one Python script in a sandbox without a network (a bubblewrap box, else a container), with its limits and its result."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from desktop_agent.platforms import host
from desktop_agent.platforms.script_limits import ScriptEnd, ScriptLimits
from desktop_agent.protocol.errors import DesktopAgentError, TargetError
from desktop_agent.support import plugins
from desktop_agent.support.operating_system import LINUX


class SandboxedPython:
    """Each script is alone in a new sandbox, of which nothing stays."""

    def __init__(self, limits: ScriptLimits | None = None) -> None:
        self._limits = limits or ScriptLimits()

    def run(self, code: str, check: Callable[[], None]) -> ScriptEnd:
        """Run it to its end or its limits. Raises TargetError where no sandbox can be had.

        `check` is called all the while; what it raises ends the script, and is raised.
        """
        if not LINUX:
            raise TargetError(f"Scripts run in sandboxes of Linux, not on {host.NAME}.", "Work on Linux.")
        from desktop_agent.platforms.posix import bubblewrap

        try:
            if bubblewrap.is_usable():
                from desktop_agent.extras.avis.boxed_script import run_boxed

                return run_boxed(code, self._limits, check)
            return self._contained(code, check)
        except OSError as error:
            raise TargetError(
                f"The sandbox could not be started: {error}.", "Mend that, and try again."
            ) from error

    def _contained(self, code: str, check: Callable[[], None]) -> ScriptEnd:
        container = plugins.find("target", "container")
        if container is None:
            raise TargetError(
                "No sandbox can be had here.", "Install bubblewrap (apt-get install bubblewrap)."
            )
        try:
            return cast(ScriptEnd, container.run_script(code, self._limits, check))
        except DesktopAgentError as error:
            raise TargetError(
                f"No sandbox can be had here, neither a box nor a container. {error.message}",
                "Install bubblewrap (apt-get install bubblewrap), or Docker or Podman.",
            ) from error
