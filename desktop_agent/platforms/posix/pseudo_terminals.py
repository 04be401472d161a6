"""Tells which programs run a shell in a pseudo-terminal of their own, whatever they are called (Linux, proc(5), pts(4))."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import NamedTuple

_PROC, _SLAVES = Path("/proc"), Path("/dev/pts")
_MASTERS = frozenset(("/dev/ptmx", "/dev/pts/ptmx", "/dev/pty/ptmx"))
_FIRST_MAJOR, _LAST_MAJOR = 136, 143
"""Device numbers of the slave side (Linux, Documentation/admin-guide/devices.txt)."""
_INDEX = re.compile(r"^tty-index:\s*(\d+)", re.MULTILINE)
KEPT_SECONDS = 10.0
"""For how long an answer holds at most; it is dropped at once when a pseudo-terminal of this system comes or goes."""


class _Told(NamedTuple):
    answer: bool
    slaves: tuple[tuple[str, int], ...]
    time: float


class TerminalHosts:
    """Answers for processes, and keeps each answer for a moment."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._told: dict[int, _Told] = {}

    def hosts(self, pid: int, apart: Callable[[], Collection[int]]) -> bool:
        """Does this process, or a helper it has started, hold the master side of a pseudo-terminal?

        `apart()` are the processes with windows of their own: what they and their children hold is not the
        asked one's. False for 0 and for a process that does not let us look.
        """
        if not pid:
            return False
        slaves, now = _slaves(), self._clock()
        told = self._told.get(pid)
        if told is None or told.slaves != slaves or now - told.time > KEPT_SECONDS:
            told = _Told(_holds_master(pid) or any(map(_holds_master, _helpers(pid, apart()))), slaves, now)
            self._told[pid] = told
        return told.answer


def _slaves() -> tuple[tuple[str, int], ...]:
    """The pseudo-terminals there are, each with when it was made or given away."""
    found = []
    try:
        with os.scandir(_SLAVES) as entries:
            for entry in entries:
                try:
                    found.append((entry.name, entry.stat().st_ctime_ns))
                except OSError:  # it has ended meanwhile
                    continue
    except OSError:  # no such folder here
        return ()
    return tuple(sorted(found))


def _holds_master(pid: int) -> bool:
    """Not so for one that it got from the terminal it was started in, by a descriptor left open."""
    own = _terminal_of(pid)
    return any(index != own for index in _masters(pid))


def _masters(pid: int) -> Iterator[int]:
    """The numbers of the pseudo-terminals whose master side a process has open; -1 where the number is not told."""
    folder = _PROC / str(pid)
    try:
        descriptors = list((folder / "fd").iterdir())
    except OSError:  # it has ended, or is another user's
        return
    for descriptor in descriptors:
        try:
            if str(descriptor.readlink()) not in _MASTERS:
                continue
            found = _INDEX.search((folder / "fdinfo" / descriptor.name).read_text())
        except OSError:
            continue
        yield int(found[1]) if found else -1


def _terminal_of(pid: int) -> int:
    """The number of the pseudo-terminal a process was started in; -2 for none."""
    fields = _stat(str(pid))
    device = int(fields[4]) if fields else 0
    major, minor = os.major(device), os.minor(device)
    return (major - _FIRST_MAJOR) * 256 + minor if _FIRST_MAJOR <= major <= _LAST_MAJOR else -2


def _helpers(pid: int, apart: Collection[int]) -> list[int]:
    """The descendants of a process, without those that have windows of their own and their descendants."""
    children: dict[int, list[int]] = {}
    for entry in _PROC.iterdir():
        if entry.name.isdigit() and (fields := _stat(entry.name)):
            children.setdefault(int(fields[1]), []).append(int(entry.name))
    found, ahead = [], [pid]
    while ahead:
        below = [each for each in children.get(ahead.pop(), ()) if each not in apart]
        found += below
        ahead += below
    return found


def _stat(name: str) -> list[str]:
    """The fields of /proc/PID/stat after the program's name: state, parent, group, session, terminal …; [] when gone."""
    try:
        return (_PROC / name / "stat").read_text(errors="replace").rpartition(")")[2].split()
    except OSError:
        return []
