"""The processes below the orchestrator, which is the sandbox's first one: whatever loses its parent becomes its child."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal

_PR_SET_DUMPABLE, _PR_SET_CHILD_SUBREAPER = 4, 36  # linux/prctl.h


def keep_to_itself() -> None:
    """Close this process to others of the same user (/proc/PID/fd, ptrace), and let it have what loses its parent.

    Else a program in the sandbox could open the orchestrator's output and answer in its place. Nothing where prctl is missing.
    """
    try:
        prctl = ctypes.CDLL(None, use_errno=True).prctl
    except (OSError, AttributeError):
        return
    prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
    prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


class Children:
    """Ends of child processes: those of the environments are remembered, the others only reaped."""

    def __init__(self) -> None:
        self._ended: dict[int, int] = {}

    def reap(self) -> None:
        """Take the ends of all children that have ended."""
        with contextlib.suppress(ChildProcessError):
            while (found := os.waitpid(-1, os.WNOHANG))[0]:
                self._ended[found[0]] = found[1]

    def status_of(self, pid: int) -> int | None:
        """How a child ended, as `waitpid` tells it; None while it runs."""
        self.reap()
        return self._ended.get(pid)

    def wait_for(self, pid: int) -> int:
        """Wait until a child has ended; returns how, and forgets all ends."""
        while pid not in self._ended:
            try:
                found, status = os.waitpid(-1, 0)
            except ChildProcessError:
                return 0
            self._ended[found] = status
        status, self._ended = self._ended[pid], {}
        return status


def kill_with_descendants(pid: int) -> None:
    """Kill a process and all below it; one that was begun meanwhile is killed, too."""
    for _ in range(3):
        found = [*_descendants(pid), pid]
        for each in found:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(each, signal.SIGKILL)
        if found == [pid]:
            return


def kill_all() -> None:
    """Kill everything below this process, and what that leaves behind, until nothing is left."""
    while below := _descendants(os.getpid()):
        for pid in below:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        try:
            os.waitpid(-1, 0)  # its children become ours
        except ChildProcessError:
            return


def words_of(status: int) -> str:
    """How a process ended, for people."""
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        return (
            f"it was killed by {signal.Signals(number).name}"
            if number in set(signal.Signals)
            else f"it was killed by signal {number}"
        )
    return f"it ended with exit code {os.WEXITSTATUS(status)}"


def _descendants(pid: int) -> list[int]:
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc"):
        if name.isdigit() and (parent := _parent_of(name)) is not None:
            children.setdefault(parent, []).append(int(name))
    found: list[int] = []
    left = [pid]
    while left:
        below = children.get(left.pop(), [])
        found += below
        left += below
    return found


def _parent_of(name: str) -> int | None:
    try:
        with open(f"/proc/{name}/stat", "rb") as file:
            return int(file.read().rpartition(b")")[2].split()[1])
    except (OSError, IndexError, ValueError):
        return None
