"""The agent's end of an orchestrator: its process and the messages to and from it."""

from __future__ import annotations

import select
import struct
import time
from collections.abc import Callable
from secrets import token_hex
from typing import TYPE_CHECKING, Protocol

from desktop_agent.extras.project.orchestrator import length_prefixed
from desktop_agent.extras.project.orchestrator.length_prefixed import BrokenMessage
from desktop_agent.protocol.errors import EnvironmentLost

if TYPE_CHECKING:
    from desktop_agent.extras.project.orchestrator.length_prefixed import Message

START_SECONDS = 20.0
_HEAD = struct.Struct(">I")


class Channel(Protocol):
    """The two ends of a process in a sandbox, and its end."""

    def fileno(self) -> int:
        """What becomes readable when there is something to read."""

    def read(self) -> bytes | None:
        """What has come from its standard output, None where it was something else, b"" at its end. Raises OSError."""

    def write(self, data: bytes) -> None:
        """Send this to its standard input. Raises OSError."""

    def complaint(self) -> str:
        """What it said last on standard error, or how it ended; "" for nothing."""

    def end(self) -> None:
        """End it and all that runs in the sandbox, from any thread; safe to call twice."""


class OrchestratorLink:
    """Asks an orchestrator, one question at a time. Ending it, from any thread, ends a question as well."""

    def __init__(self, start: Callable[[], Channel]) -> None:
        """Start it and wait until it is ready. Raises TargetError, OSError, EnvironmentLost."""
        self._channel = start()
        self._unread = b""
        try:
            if not self._next(time.monotonic() + START_SECONDS).get("ready"):
                raise EnvironmentLost("What runs in the sandbox is not the orchestrator.", "Start again.")
        except BaseException:
            self.end()
            raise

    def ask(self, question: Message, seconds: float) -> Message:
        """What is answered within so many seconds. Raises EnvironmentLost: then it has ended or was ended."""
        token = token_hex(16)  # nothing in the sandbox but the orchestrator knows it
        try:
            self._channel.write(length_prefixed.encode({**question, "id": token}))
            answer = self._next(time.monotonic() + seconds)
        except OSError as error:
            raise self._lost(error.strerror or str(error)) from error
        if answer.get("id") != token:
            self.end()
            raise EnvironmentLost(
                "An answer from the sandbox was not the orchestrator's.", "It was ended. Start again."
            )
        return answer

    def end(self) -> None:
        """End it with all that runs in it; safe to call twice."""
        self._channel.end()

    def _next(self, until: float) -> Message:
        while (found := self._message()) is None:
            left = until - time.monotonic()
            if left <= 0 or not select.select([self._channel.fileno()], [], [], left)[0]:
                self.end()
                raise EnvironmentLost("The sandbox does not answer, and was ended.", "Start again.")
            data = self._channel.read()
            if data == b"":
                raise self._lost("")
            self._unread += data or b""
        return found

    def _message(self) -> Message | None:
        if len(self._unread) < _HEAD.size:
            return None
        (length,) = _HEAD.unpack_from(self._unread)
        end = _HEAD.size + length
        if length <= length_prefixed.MOST and len(self._unread) < end:
            return None
        body, self._unread = self._unread[_HEAD.size : end], self._unread[end:]
        try:
            return length_prefixed.decode(body)
        except BrokenMessage as error:
            self.end()
            raise EnvironmentLost(f"The sandbox sent {error}.", "It was ended. Start again.") from error

    def _lost(self, why: str) -> EnvironmentLost:
        self.end()
        why = self._channel.complaint() or why
        return EnvironmentLost(f"The sandbox has ended. {why}".strip(), "The next command gets a new one.")
