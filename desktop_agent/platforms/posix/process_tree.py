"""Reads from /proc which processes there are, below which others, and which of them write a file just now."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import struct
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

_ACCESS = os.O_WRONLY | os.O_RDWR
_KERNEL_THREADS = 2
"""The process whose children they are (kthreadd)."""


_CREDENTIALS = struct.Struct("3i")  # of SO_PEERCRED (unix(7)): pid, uid, gid


@dataclass(frozen=True)
class Process:
    """A process: `name` is the kernel's short one, `terminal` the number of its terminal, 0 for none.

    `born` is in seconds since the computer was started.
    """

    pid: int
    parent: int
    name: str
    terminal: int
    born: float


def processes() -> dict[int, Process]:
    """All processes of programs by their ids; empty where the system has no /proc. Source of the form: proc(5)."""
    try:
        found = (_process(name) for name in os.listdir("/proc") if name.isdigit())  # noqa: PTH208
        return {each.pid: each for each in found if each and _KERNEL_THREADS not in (each.pid, each.parent)}
    except OSError:
        return {}


def with_descendants(roots: Iterable[int], there: Mapping[int, Process]) -> set[int]:
    """The processes `roots` that are still there, and all below them."""
    below: dict[int, list[int]] = {}
    for each in there.values():
        below.setdefault(each.parent, []).append(each.pid)
    found: set[int] = set()
    ahead = [pid for pid in roots if pid in there]
    while ahead:
        pid = ahead.pop()
        if pid not in found:
            found.add(pid)
            ahead += below.get(pid, ())
    return found


def kill_with_descendants(pid: int) -> None:
    """Kill a process and all below it; one that was begun meanwhile is killed, too."""
    for _ in range(3):
        found = with_descendants([pid], processes()) or {pid}
        for each in found:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(each, signal.SIGKILL)
        if found == {pid}:
            return


def file_of(pid: int) -> str:
    """The file of the program that the process runs; "" when it cannot be told."""
    try:
        return str(Path(f"/proc/{pid}/exe").readlink())
    except OSError:
        return ""


def user_of(pid: int) -> int:
    """The user whose rights the process has; -1 when it has ended. The owner of /proc/PID would be root for a closed one."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text(errors="replace").splitlines()
        return int(next(line for line in lines if line.startswith("Uid:")).split()[2])
    except (OSError, StopIteration, ValueError):
        return -1


def writers_of(path: str, pids: Collection[int]) -> Iterator[int]:
    """Those processes that have the file open for writing, as far as the system lets us see it."""
    try:
        there = os.stat(path)  # noqa: PTH116
    except OSError:
        return
    for pid in pids:
        folder = f"/proc/{pid}/fd"
        try:
            if any(_writes(pid, name, there) for name in os.listdir(folder)):  # noqa: PTH208
                yield pid
        except OSError:  # it has ended, or is closed to us
            continue


def _writes(pid: int, name: str, there: os.stat_result) -> bool:
    try:
        found = os.stat(f"/proc/{pid}/fd/{name}")  # noqa: PTH116
        if (found.st_ino, found.st_dev) != (there.st_ino, there.st_dev):
            return False
        told = Path(f"/proc/{pid}/fdinfo/{name}").read_text(encoding="ascii", errors="replace")
        flags = next(line for line in told.splitlines() if line.startswith("flags:"))
        return bool(int(flags.partition(":")[2], 8) & _ACCESS)
    except (OSError, StopIteration, ValueError):
        return False


def _process(name: str) -> Process | None:
    try:
        with open(f"/proc/{name}/stat", "rb") as file:  # noqa: PTH123
            before, _, after = file.read().decode(errors="replace").rpartition(")")
        fields = after.split()
        return Process(
            pid=int(name),
            parent=int(fields[1]),
            name=before.partition("(")[2],
            terminal=int(fields[4]),
            born=int(fields[19]) / os.sysconf("SC_CLK_TCK"),
        )
    except (OSError, IndexError, ValueError):
        return None


def of_process(pid: int) -> int:
    """The number of the namespace that a process is in; 0 when that cannot be told."""
    try:
        return Path(f"/proc/{pid}/ns/pid").stat().st_ino if pid else 0
    except OSError:
        return 0


def of_peer(connection: socket.socket) -> int:
    """The number of the namespace of who listens at the other end of a Unix socket; 0 when that cannot be told."""
    told = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    return of_process(_CREDENTIALS.unpack(told)[0])
