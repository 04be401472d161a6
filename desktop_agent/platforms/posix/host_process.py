"""Processes, pipes and files of POSIX systems, as `platforms.host` offers them."""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import gc
import linecache
import os
import select
import signal
import stat
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

CHILD_FLAGS = 0
FILE_IN_USE_SECONDS = 0.0

_FROZEN = frozenset("TtD")  # states of proc(5)


class Peer:
    """A process by its id, held by a descriptor so that it is never taken for a later one; one that is gone is just gone."""

    def __init__(self, pid: int) -> None:
        self._stat, self._status = Path(f"/proc/{pid}/stat"), Path(f"/proc/{pid}/status")
        try:
            self._fd: int | None = os.pidfd_open(pid)
        except ProcessLookupError:
            self._fd = None
        else:
            weakref.finalize(self, os.close, self._fd).atexit = False

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

    def killed(self) -> bool:
        """True once it is to be killed, though the system may take a while to end it: it does nothing more."""
        if self.wait(0):
            return True
        try:
            lines = self._status.read_text().splitlines()
        except OSError:
            return self.wait(0)
        pending = (int(line.split()[1], 16) for line in lines if line.startswith(("SigPnd:", "ShdPnd:")))
        return any(mask >> (signal.SIGKILL - 1) & 1 for mask in pending)


def give_memory_back() -> None:
    """See `platforms.host`."""
    linecache.clearcache()  # PySide reads the sources of what it wraps
    gc.collect()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # of glibc
    if trim is not None:
        trim(0)


def kill_group(pid: int) -> None:
    """See `platforms.host`."""
    with contextlib.suppress(ProcessLookupError, PermissionError):  # all gone, or another user's by now
        os.killpg(pid, signal.SIGKILL)


def schedule_guard() -> None:
    """See `platforms.host`: a priority that only some users may take."""
    with contextlib.suppress(OSError):
        os.nice(-10)


def schedule_hand() -> None:
    """See `platforms.host`: nothing here; a session ends its processes in no order."""


def never_wait(pipe: int) -> None:
    """See `platforms.host`."""
    os.set_blocking(pipe, False)


def start_apart(command: Sequence[str], work: Callable[[], object]) -> None:
    """See `platforms.host`: `work` is done by a copy of this process, which shares nearly all of its memory.

    To be called while there is one thread only. `command` is not needed.
    """
    del command
    gc.freeze()  # or looking for garbage would copy what could be shared
    if child := os.fork():
        os.waitpid(child, 0)
        return
    gc.disable()
    try:
        os.setsid()
        if (
            not os.fork()
        ):  # nobody's child any more, so that it is in no tree of processes that is ended together
            _forget_where_we_came_from()
            work()
    finally:
        os._exit(0)


def _forget_where_we_came_from() -> None:
    """Keep the log (standard error) only: our pipes' ends are how others notice that we are gone."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    os.closerange(3, os.sysconf("SC_OPEN_MAX"))


def keep_in_use(file: int) -> int | None:
    """See `platforms.host`: a shared lock, which the system takes away with the last process that has it."""
    kept = os.dup(file)
    fcntl.flock(kept, fcntl.LOCK_SH)
    return kept


@contextmanager
def abandoned(path: Path) -> Iterator[bytes | None]:
    """See `platforms.host`."""
    file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
    try:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield os.read(file, 1 << 16) if os.fstat(file).st_nlink else None
        except BlockingIOError:
            yield None
    finally:
        os.close(file)


def ours_alone(folder: Path) -> bool:
    """See `platforms.host`."""
    found = folder.lstat()
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o077
