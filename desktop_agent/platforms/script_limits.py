"""Runs one Python script in a sandbox without a network (a bubblewrap box, else a container), with its limits and its result."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import msgspec

from desktop_agent.platforms import host
from desktop_agent.protocol.errors import DesktopAgentError, TargetError
from desktop_agent.support import plugins
from desktop_agent.support.operating_system import LINUX

KILLED = 128 + 9
"""The exit code of what was killed, as shells tell it."""


CHECK_SECONDS = 0.02
"""Seconds between two looks whether a script is to be ended."""


class ScriptLimits(msgspec.Struct, frozen=True):
    """Seconds, bytes told of each of its two outputs, processes at once, and megabytes of memory and of one file."""

    seconds: float = 20.0
    output: int = 20_000
    processes: int = 512
    memory: int = 1_024
    file: int = 128


class ScriptEnd(msgspec.Struct, frozen=True):
    """How a script ended. `killed_because` is "" for one that ended by itself; else its exit code is KILLED."""

    exit_code: int
    stdout: str
    stderr: str
    killed_because: str = ""


class BoundedOutput:
    """The beginning and the end of a stream of bytes; what lies between them is counted and dropped."""

    def __init__(self, most: int) -> None:
        self._half = most // 2
        self._head, self._tail = b"", b""
        self._dropped = 0

    def add(self, data: bytes) -> None:
        """Take the next bytes."""
        room = self._half - len(self._head)
        self._head += data[:room]
        tail = self._tail + data[room:]
        self._dropped += max(0, len(tail) - self._half)
        self._tail = tail[-self._half :]

    def text(self) -> str:
        """What is kept, with a line about what was dropped."""
        head, tail = (part.decode("utf-8", "replace") for part in (self._head, self._tail))
        if not self._dropped:
            return (self._head + self._tail).decode("utf-8", "replace")
        return f"{head}\n… {self._dropped} bytes are left out here …\n{tail}"


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
                from desktop_agent.platforms.posix.boxed_script import run_boxed

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
