"""Whether a program has taken everything that the X server sent it: for programs that cannot be asked.

A program takes its events one after the other, and sleeps when there is none left. So one that slept all
the while from one look to the next, with round trips to the server between them, has taken everything:
what the server had for it was sent by then and would have woken it, an answer it waited for as well.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from desktop_agent.platforms.x11.input.socket_queues import SocketQueues

ALL_ASLEEP_SECONDS = 2.0
"""After that it is enough that the main thread sleeps: one of the others may never do."""
_PROC = Path("/proc")
_ROUND_TRIPS = 2
"""The server writes to its clients in no certain order: what it had for others before its first answer to us
is out before it reads our next question."""


class DrainCheck:
    """Looks at one program, by its process id, again and again. `round_trip` asks the X server anything."""

    def __init__(self, pid: int, round_trip: Callable[[], None]) -> None:
        self._pid, self._round_trip = pid, round_trip
        self._unread = SocketQueues()
        self._connections = self._unread.connections(pid) if pid else frozenset()
        self._since = time.monotonic()

    @property
    def visible(self) -> bool:
        """Can anything be told? Not of a program on another machine, nor of one that has ended."""
        return self._connections != frozenset() and bool(self._naps())

    def complete(self) -> bool:
        """Has it taken everything sent before this call? False also means that this cannot be told yet.

        Only of a program that is `visible`.
        """
        before = self._naps()
        if None in before:
            return False
        for _ in range(_ROUND_TRIPS):
            self._round_trip()
        return self._unread.empty(self._connections or frozenset()) and self._naps() == before

    def _naps(self) -> tuple[int | None, ...]:
        """How often each thread has gone to sleep; None for one that does not sleep now."""
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
    """Voluntary switches of a sleeping thread (proc(5), status); None when it runs, is stopped, or has ended."""
    try:
        fields = dict(line.partition(b":")[::2] for line in status.read_bytes().splitlines())
    except OSError:
        return None
    if not fields.get(b"State", b"").strip().startswith(b"S"):
        return None
    return int(fields.get(b"voluntary_ctxt_switches", b"0"))
