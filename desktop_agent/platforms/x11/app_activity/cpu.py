"""Measures whether processes are at work: processor time used or wanted, and replies awaited from the network."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from desktop_agent.platforms.x11.app_activity.network_waits import NetworkWaits

BUSY = 0.2
"""Share of one processor above which a program with its children is at work; an idle browser uses 0.05."""
SAMPLE_SECONDS = 0.004
"""Seconds over which the share is measured, at least."""
CHILDREN_SECONDS = 0.05
"""Seconds between two searches for child processes."""
_PROC = Path("/proc")
_CPU_SCHED = 2  # linux/posix-timers.h: CPUCLOCK_SCHED, the time on a processor in nanoseconds


class ProcessActivity:
    """Watches some processes and their descendants for work since `begin`."""

    def __init__(self) -> None:
        self._roots: set[int] = set()
        self.family: tuple[int, ...] = ()
        """The watched process ids, descendants included."""
        self._requests = NetworkWaits()
        self._since = self._used = self._kin_at = self._looked_at = 0.0
        self._busy = True

    def begin(self, pids: Iterable[int]) -> None:
        """Watch these process ids from now on; an unknown one (0) makes the result `unknown`."""
        self._roots = set(pids)
        self._requests.begin()
        self._renew(time.monotonic())
        self._busy = True

    def add(self, pid: int) -> None:
        """Watch one more process; 0 (unknown) is ignored."""
        if pid and pid not in self._roots:
            self._roots.add(pid)
            self._renew(time.monotonic())
            self._busy = True

    @property
    def unknown(self) -> bool:
        """True when the processes to watch are not known."""
        return not self._roots or 0 in self._roots

    def goes_on(self) -> bool:
        """True when one of them uses a processor, or is ready for one, now."""
        now = time.monotonic()
        if now - self._since >= SAMPLE_SECONDS:
            used = _used(self.family)
            self._busy = (used - self._used) / (now - self._since) > BUSY
            self._since, self._used = now, used
            if now - self._kin_at > CHILDREN_SECONDS:
                self._renew(now)
        return self._busy or _wants(self.family)

    def asks(self) -> bool:
        """True when one of them waits for a reply from the network."""
        return self._requests.under_way(self.family)

    def _renew(self, now: float) -> None:
        self.family = tuple(_family(self._roots))
        self._since, self._used, self._kin_at = now, _used(self.family), now

    def close(self) -> None:
        """Close the kernel socket."""
        self._requests.close()


def _family(roots: Iterable[int]) -> Iterator[int]:
    """The process ids of the roots and all their descendants."""
    waiting = [pid for pid in roots if pid]
    while waiting:
        pid = waiting.pop()
        yield pid
        waiting += _children(pid)


def _children(pid: int) -> list[int]:
    """Children of any thread of a process (proc(5), task/TID/children); [] when it has ended."""
    found: list[int] = []
    try:
        for thread in (_PROC / str(pid) / "task").iterdir():
            found += map(int, (thread / "children").read_bytes().split())
    except OSError:
        return found
    return found


def _used(pids: Iterable[int]) -> float:
    """Processor seconds used so far by all threads of these processes."""
    return sum(map(_clock, pids))


def _clock(pid: int) -> float:
    # How glibc's clock_getcpuclockid makes the id of another process's clock.
    try:
        return time.clock_gettime((~pid << 3) | _CPU_SCHED)
    except OSError:  # it has ended
        return 0.0


def _wants(pids: Iterable[int]) -> bool:
    """True when the main thread of one of them is running, runnable (R) or waiting for a disk (D)."""
    return any(_state(pid) in (b"R", b"D") for pid in pids)


def _state(pid: int) -> bytes:
    try:
        with (_PROC / str(pid) / "stat").open("rb", buffering=0) as file:
            line = file.read(512)
    except OSError:
        return b""
    after = line.rfind(b")") + 2  # a program's name may have spaces and brackets
    return line[after : after + 1]
