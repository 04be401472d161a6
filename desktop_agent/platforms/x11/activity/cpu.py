"""Whether programs are at work: by the processor time they use, who wants it, and what they wait for from the network."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from desktop_agent.platforms.x11.activity.network_waits import NetworkWaits

BUSY = 0.2
"""Share of one processor above which a program and its children are at work; a quiet browser uses 0.05."""
ENOUGH = 0.004
"""Seconds over which the share is taken."""
RELATIVES_SECONDS = 0.05
LOOK_SECONDS = 0.02
_PROC = Path("/proc")
_CPU_SCHED = 2  # linux/posix-timers.h: CPUCLOCK_SCHED, the time on a processor in nanoseconds


class ProcessActivity:
    """What some processes and their children do since `begin`."""

    def __init__(self) -> None:
        self._roots: set[int] = set()
        self.family: tuple[int, ...] = ()
        """The processes that are watched, children included."""
        self._requests = NetworkWaits()
        self._since = self._used = self._kin_at = self._looked_at = 0.0
        self._busy = True

    def begin(self, pids: Iterable[int]) -> None:
        """Watch these from now on; an unknown one (0) makes the whole unknown."""
        self._roots = set(pids)
        self._requests.begin()
        self._renew(time.monotonic())
        self._busy = True

    def add(self, pid: int) -> None:
        """One more that has come to it; one that is not known is left out."""
        if pid and pid not in self._roots:
            self._roots.add(pid)
            self._renew(time.monotonic())
            self._busy = True

    @property
    def unknown(self) -> bool:
        """True when there is nobody to watch."""
        return not self._roots or 0 in self._roots

    def goes_on(self) -> bool:
        """Did one of them use a processor, or wait for one, just now?"""
        now = time.monotonic()
        if now - self._since >= ENOUGH:
            used = _used(self.family)
            self._busy = (used - self._used) / (now - self._since) > BUSY
            self._since, self._used = now, used
            if now - self._kin_at > RELATIVES_SECONDS:
                self._renew(now)
        return self._busy or _wants(self.family)

    def asks(self) -> bool:
        """Does one of them wait for an answer from the network?"""
        return self._requests.under_way(self.family)

    def _renew(self, now: float) -> None:
        self.family = tuple(_family(self._roots))
        self._since, self._used, self._kin_at = now, _used(self.family), now

    def close(self) -> None:
        """Let go of what was opened."""
        self._requests.close()


def _family(roots: Iterable[int]) -> Iterator[int]:
    """The processes and all their descendants."""
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
    """Seconds on a processor of all threads together."""
    return sum(map(_clock, pids))


def _clock(pid: int) -> float:
    # How glibc's clock_getcpuclockid makes the id of another process's clock.
    try:
        return time.clock_gettime((~pid << 3) | _CPU_SCHED)
    except OSError:  # it has ended
        return 0.0


def _wants(pids: Iterable[int]) -> bool:
    """Is the main thread of one of them running, ready to, or at a disk?"""
    return any(_state(pid) in (b"R", b"D") for pid in pids)


def _state(pid: int) -> bytes:
    try:
        with (_PROC / str(pid) / "stat").open("rb", buffering=0) as file:
            line = file.read(512)
    except OSError:
        return b""
    after = line.rfind(b")") + 2  # a program's name may have spaces and brackets
    return line[after : after + 1]
