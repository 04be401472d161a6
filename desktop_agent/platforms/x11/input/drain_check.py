"""Checks whether a program has read everything the X server sent it, for programs that do not answer pings.

A program reads its events one after the other and sleeps when there is none left. So one that slept all
the time between two checks, with round trips to the server between them, has read everything: whatever
the server had for it was sent by then and would have woken it, and so would a reply it waited for.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from desktop_agent.platforms.x11.input.socket_queues import SocketQueues

ALL_ASLEEP_SECONDS = 2.0
"""After that it is enough that the main thread sleeps: another thread may never do."""
_PROC = Path("/proc")
_ROUND_TRIPS = 2
"""The server writes to its clients in no fixed order: what it had for others before its first reply to us
is sent before it reads our next request."""


class DrainCheck:
    """Checks one program, by process id, repeatedly. `round_trip` makes any request with a reply to the X server."""

    def __init__(self, pid: int, round_trip: Callable[[], None]) -> None:
        self._pid, self._round_trip = pid, round_trip
        self._unread = SocketQueues()
        self._connections = self._unread.connections(pid) if pid else frozenset()
        self._since = time.monotonic()

    @property
    def visible(self) -> bool:
        """True when the program can be checked: it runs on this machine, and its sockets or threads can be read."""
        return self._connections != frozenset() and bool(self._naps())

    def complete(self) -> bool:
        """True when it has read everything sent before this call; false also when that is not certain yet.

        Call it only for a program that is `visible`.
        """
        before = self._naps()
        if None in before:
            return False
        for _ in range(_ROUND_TRIPS):
            self._round_trip()
        return self._unread.empty(self._connections or frozenset()) and self._naps() == before

    def _naps(self) -> tuple[int | None, ...]:
        """For each thread how often it has gone to sleep; None for a thread that is not asleep now."""
        if time.monotonic() - self._since > ALL_ASLEEP_SECONDS:
            threads = [str(self._pid)]
        else:
            threads = _names(_PROC / str(self._pid) / "task")
        return tuple(_naps(_PROC / str(self._pid) / "task" / thread / "status") for thread in threads)

    def close(self) -> None:
        self._unread.close()


def _names(folder: Path) -> list[str]:
    try:
        return sorted(path.name for path in folder.iterdir())
    except OSError:  # it has ended, or hides
        return []


def _naps(status: Path) -> int | None:
    """Voluntary context switches of a sleeping thread (proc(5), status); None when it runs, is stopped, or has ended."""
    try:
        fields = dict(line.partition(b":")[::2] for line in status.read_bytes().splitlines())
    except OSError:
        return None
    if not fields.get(b"State", b"").strip().startswith(b"S"):
        return None
    return int(fields.get(b"voluntary_ctxt_switches", b"0"))
