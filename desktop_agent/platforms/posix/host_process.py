"""Processes, pipes and files of POSIX systems, as `platforms.host` offers them."""

from __future__ import annotations

import contextlib
import os
import select
import signal
from pathlib import Path

CHILD_FLAGS = 0
REMOVES_OPEN_FILES = True
FILE_IN_USE_SECONDS = 0.0

_FROZEN = frozenset("TtD")  # states of proc(5)


class Peer:
    """A process by its id, held by a descriptor so that it is never taken for a later one; one that is gone is just gone."""

    def __init__(self, pid: int) -> None:
        self._stat = Path(f"/proc/{pid}/stat")
        try:
            self._fd: int | None = os.pidfd_open(pid)
        except ProcessLookupError:
            self._fd = None

    def wait(self, seconds: float | None = None) -> bool:
        """True once the process is gone (a zombie is); waits so many seconds for it, or for ever."""
        if self._fd is None:
            return True
        poll = select.poll()
        poll.register(self._fd, select.POLLIN)
        return bool(poll.poll(None if seconds is None else seconds * 1000))

    def kill(self) -> None:
        """End it at once."""
        if self._fd is not None and not self.wait(0):
            signal.pidfd_send_signal(self._fd, signal.SIGKILL)

    def frozen(self) -> bool:
        """True when it does nothing for now: stopped, traced, or its memory is being fetched. False where that cannot be told."""
        try:
            return self._stat.read_text().rpartition(")")[2].split()[0] in _FROZEN
        except (OSError, IndexError):
            return False


def schedule_guard() -> None:
    """See `platforms.host`: a priority that only some users may take."""
    with contextlib.suppress(OSError):
        os.nice(-10)


def schedule_hand() -> None:
    """See `platforms.host`: nothing here; a session ends its processes in no order."""


def never_wait(pipe: int) -> None:
    """See `platforms.host`."""
    os.set_blocking(pipe, False)
