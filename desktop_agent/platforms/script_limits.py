"""The limits of a script in a sandbox, how it ended, and what is kept of its output."""

from __future__ import annotations

import msgspec

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
