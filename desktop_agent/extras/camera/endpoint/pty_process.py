"""Runs a program on a pseudo-terminal of its own (Linux, pty(7)), and ends it with all that runs below it."""

from __future__ import annotations

import fcntl
import os
import queue
import secrets
import selectors
import signal
import struct
import subprocess
import termios
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from desktop_agent.platforms.posix import process_files
from desktop_agent.platforms.posix.process_tree import kill_with_descendants
from desktop_agent.protocol.errors import Refused

MOST_READ = 4_096
"""Bytes that are read at once; the kernel keeps about as many, and then whoever prints waits."""
MOST_PENDING = 64 << 10
"""Bytes typed that a program has not read yet, beside what the kernel keeps."""
LONGEST_REST = 0.02
END_SECONDS = 10.0
_LAST_PIECES = 64
MARK = "DESKTOP_AGENT_TERMINAL"
_LEADER = ("setsid", "--fork", "--wait", "--ctty")
"""Put before a program: the leader of a new session with the terminal as its own, for job control and Ctrl+C (setsid(1))."""
_KEYS = (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP, signal.SIGTSTP)
"""What keys of a terminal and its end send to the programs on it."""
_SIZE = struct.Struct("HHHH")  # struct winsize: rows, columns, two unused (ioctl_tty(2))


def leading(argv: Sequence[str]) -> list[str]:
    """How a program is run so that the terminal it is given is its own, and what its keys send ends it.

    What is ignored here a child ignores too, for good: whoever is started by a script with `&` ignores Ctrl+C.
    """
    ignored = [each.name.removeprefix("SIG") for each in _KEYS if signal.getsignal(each) == signal.SIG_IGN]
    heeded = ("env", f"--default-signal={','.join(ignored)}") if ignored else ()
    return [*_LEADER, *heeded, *argv]


class PtyProcess:
    """A program on a terminal of `size` columns and rows.

    `printed` is called with what it prints, in pieces of MOST_READ bytes at most, and `ended` once with its exit code, both on a
    thread of this object's: while they are at work nothing more is read, so the program waits, and nothing piles up.
    """

    def __init__(
        self,
        argv: Sequence[str],
        environment: Mapping[str, str],
        folder: Path,
        size: tuple[int, int],
        printed: Callable[[bytes], None],
        ended: Callable[[int], None],
    ) -> None:
        """Start it. Raises OSError."""
        self._mark = secrets.token_hex(16)
        self._printed, self._ended = printed, ended
        self._lock = threading.Lock()
        self._pending = bytearray()
        self._open = True
        self._stop = threading.Event()
        self._master, slave = os.openpty()
        self._wake, self._woken = os.pipe()
        for each in (self._master, self._wake, self._woken):
            os.set_blocking(each, False)
        self.resize(*size)
        started: queue.SimpleQueue[subprocess.Popen[bytes] | OSError] = queue.SimpleQueue()
        variables = {**environment, MARK: self._mark}
        self._life = threading.Thread(
            target=self._live,
            args=(list(argv), variables, folder, slave, started.put),
            name="terminal",
            daemon=True,
        )
        self._life.start()
        process = started.get()
        if isinstance(process, OSError):
            raise process
        self._process = process

    @property
    def pid(self) -> int:
        """Of what was started, which is around the program where that is in a sandbox."""
        return self._process.pid

    def write(self, data: bytes) -> None:
        """Type `data`, at once; it never waits. Raises Refused, with nothing typed, for more than is kept for a program that does not read."""
        with self._lock:
            if not self._open:
                raise Refused("The shell has ended: nothing was typed.", "Start another.")
            if len(self._pending) + len(data) > MOST_PENDING:
                raise Refused(
                    "What runs there does not read what is typed, and no more of it is kept.",
                    "Wait, or end it there.",
                )
            if not self._pending:
                data = data[self._written(data) :]
            if data:
                self._pending += data
                with suppress(BlockingIOError):
                    os.write(self._woken, b"\0")

    def resize(self, columns: int, rows: int) -> None:
        """Make the terminal as large; the program is told (SIGWINCH)."""
        with self._lock:
            if self._open:
                fcntl.ioctl(self._master, termios.TIOCSWINSZ, _SIZE.pack(rows, columns, 0, 0))

    def end(self) -> None:
        """Kill the program and all that it has begun; safe to call twice, and from `printed` and `ended` too."""
        self._stop.set()
        if self._process.poll() is None:
            with suppress(ProcessLookupError):
                kill_with_descendants(self._process.pid)
        for pid in self._strays():
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        with self._lock, suppress(BlockingIOError):
            if self._open:
                os.write(self._woken, b"\0")
        if threading.current_thread() is not self._life:
            self._life.join(END_SECONDS)

    def _strays(self) -> list[int]:
        """What it has begun and that has left its family (nohup, setsid): they have inherited the mark."""
        found = (int(name) for name in os.listdir("/proc") if name.isdigit())  # noqa: PTH208
        return [pid for pid in found if process_files.variable(pid, MARK) == self._mark]

    def _live(
        self,
        argv: list[str],
        environment: dict[str, str],
        folder: Path,
        slave: int,
        started: Callable[[subprocess.Popen[bytes] | OSError], None],
    ) -> None:
        """Start it, read what it prints and write what is typed until it has ended: a box ends with the thread that made it (prctl(2))."""
        try:
            process = subprocess.Popen(
                argv, stdin=slave, stdout=slave, stderr=slave, env=environment, cwd=folder
            )
        except OSError as error:
            self._close()
            started(error)
            return
        finally:
            os.close(slave)
        started(process)
        try:
            self._pass_on(process)
        finally:
            self._close()
            code = process.wait()
            self._ended(code if code >= 0 else 128 - code)

    def _pass_on(self, process: subprocess.Popen[bytes]) -> None:
        alive = os.pidfd_open(process.pid)
        try:
            with selectors.DefaultSelector() as ready:
                ready.register(self._master, selectors.EVENT_READ)
                ready.register(self._wake, selectors.EVENT_READ)
                ready.register(alive, selectors.EVENT_READ)
                while not self._stop.is_set():
                    found = {key.fd: events for key, events in ready.select()}
                    if self._wake in found:
                        os.read(self._wake, MOST_READ)
                    if found.get(self._master, 0) & selectors.EVENT_READ and not self._read():
                        return
                    ready.modify(self._master, self._wanted(found.get(self._master, 0)))
                    if alive in found:
                        any(not self._read() for _ in range(_LAST_PIECES))  # what it said last
                        return
        finally:
            os.close(alive)
            if self._stop.is_set():
                with suppress(ProcessLookupError):
                    process.kill()

    def _read(self) -> bool:
        """Pass one piece on; False where there is none, or no more will come."""
        try:
            data = os.read(self._master, MOST_READ)
        except BlockingIOError:
            return False
        except OSError:  # EIO: nobody has it open any more
            return False
        if not data:
            return False
        began = time.monotonic()
        self._printed(data)
        if (
            len(data) >= MOST_READ - 1
        ):  # it prints without end: half of the time is for others, such as who wants to stop it
            self._stop.wait(min(time.monotonic() - began, LONGEST_REST))
        return True

    def _wanted(self, events: int) -> int:
        """Write what is pending if that is possible; returns what is to be waited for."""
        with self._lock:
            if self._pending and events & selectors.EVENT_WRITE:
                del self._pending[: self._written(bytes(self._pending))]
            return selectors.EVENT_READ | (selectors.EVENT_WRITE if self._pending else 0)

    def _written(self, data: bytes) -> int:
        try:
            return os.write(self._master, data)
        except BlockingIOError:
            return 0
        except OSError:  # it ends just now
            return len(data)

    def _close(self) -> None:
        with self._lock:
            self._open = False
            for each in (self._master, self._wake, self._woken):
                os.close(each)
