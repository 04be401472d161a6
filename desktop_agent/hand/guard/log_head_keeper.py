"""Keeps the hash of a run log's last record outside the brain, so that a log cut short at its end is detected.

The brain tells each new head over the guard's standard input, one line each: `head TEXT<tab>PATH<tab>`, or
`last TEXT<tab>PATH<tab>` when the run is over. The guard understands none of it: it keeps the newest text
of each file and writes it, whole or not at all, also when the brain is killed the moment after.

A pipe of Windows takes what it has room for, so a line may be cut short: every line begins with a line end
of its own, and the tab at its end shows that it is whole.
"""

from __future__ import annotations

import contextlib
import os
import select
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from desktop_agent.platforms import host

T = TypeVar("T")

# Seconds between two writings while heads keep coming.
PAUSE = 0.5
# Up to this length a line goes into a pipe of Linux whole or not at all; the buffer of one of Windows is as large.
LONGEST: int = getattr(select, "PIPE_BUF", 4096)
AGAIN = 0.01
_LAST = b"last"
# On Windows a descriptor would change line ends.
_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0)


def offer(pipe: int, path: Path, text: str, last: bool) -> bool:
    """Tell a guard of a head, without ever waiting; False when it cannot be told now.

    `pipe` is the descriptor of its standard input. A head that was not taken is covered by a later one.
    """
    line = f"\n{'last' if last else 'head'} {text}\t".encode() + os.fsencode(path) + b"\t\n"
    if len(line) > LONGEST or line.count(b"\n") > 2 or line.count(b"\t") > 2:
        return False
    try:
        host.never_wait(pipe)
        return os.write(pipe, line) == len(line)
    except (OSError, ValueError):  # full, or the guard is gone
        return False


def write_whole(path: Path, text: str) -> None:
    """Replace a file's content, whole or not at all, readable by its owner only. Raises OSError."""
    part = path.with_name(f".{path.name}.{os.getpid()}")
    descriptor = os.open(part, _FLAGS, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as file:
            file.write(f"{text}\n")
        patiently(lambda: part.replace(path))
    except OSError:
        with contextlib.suppress(OSError):
            part.unlink()
        raise


def patiently(act: Callable[[], T]) -> T:
    """Do something with a file that another process may be reading or replacing just now. Raises OSError."""
    end = time.monotonic() + host.FILE_IN_USE_SECONDS
    while True:
        try:
            return act()
        except PermissionError:
            if time.monotonic() >= end:
                raise
        threading.Event().wait(AGAIN)


class LogHeadKeeper:
    """Writes the newest head of each log, in a thread of its own: what watches for ESC never waits for a disk."""

    def __init__(self) -> None:
        self._news = threading.Condition()
        self._waiting: dict[bytes, str] = {}
        self._hurry = False
        self._ended = False
        self._thread = threading.Thread(target=self._work, name="witness", daemon=True)

    def follow(self, pipe: int) -> None:
        """Take what the brain tells until its end of the pipe is closed."""
        rest = b""
        while piece := os.read(pipe, 65536):
            *lines, rest = (rest + piece).split(b"\n")
            rest = rest[-LONGEST:]
            for line in lines:
                self._take(line)

    def _take(self, line: bytes) -> None:
        word, _, said = line.partition(b" ")
        text, _, rest = said.partition(b"\t")
        path, whole, more = rest.partition(b"\t")
        if word not in (b"head", _LAST) or not whole or more or not Path(os.fsdecode(path)).is_absolute():
            return
        with self._news:
            self._waiting[path] = text.decode(errors="replace")
            self._hurry = self._hurry or word == _LAST
            if self._thread.ident is None and not self._ended:
                self._thread.start()
            self._news.notify()

    def _work(self) -> None:
        while self._write_next():
            with self._news:
                self._news.wait_for(lambda: self._hurry or self._ended, PAUSE)

    def _write_next(self) -> bool:
        """Wait for heads and write them; False when there will be no more."""
        with self._news:
            self._news.wait_for(lambda: self._waiting or self._ended)
            waiting, self._waiting, self._hurry = self._waiting, {}, False
        for path, text in waiting.items():
            with contextlib.suppress(OSError):  # a full disk is no reason to end: the next head tries again
                write_whole(Path(os.fsdecode(path)), text)
        with self._news:
            return bool(self._waiting) or not self._ended

    def close(self, patience: float) -> None:
        """Write what is waiting; a disk that takes longer than `patience` seconds is not waited for."""
        with self._news:
            self._ended = True
            self._news.notify()
        if self._thread.ident is not None:
            self._thread.join(patience)
