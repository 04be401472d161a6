"""The terminals of a sandbox, by the log they write: what they print is told once, without control sequences.

The log is what `script` writes (util-linux): everything that the terminal was sent. A small terminal emulator (pyte)
carries out what is in it, so what was deleted, written over or drawn by cursor keys reads as it stood there.
"""

from __future__ import annotations

import io
import os
import re
import stat
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from desktop_agent.protocol import ops
from desktop_agent.protocol.errors import ConfigError
from desktop_agent.protocol.ops import Op, name_of
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.support import paths
from desktop_agent.support.optional_package import require
from desktop_agent.tools.base import MAX_TOLD, Environment, Response

TITLE = "[TERM]"
MOST_READ = 48_000
"""Bytes of the log that are read at once, the last ones: several times of what is told."""
BEGINNING = 4_000
"""Bytes that are told of a log that was there before."""
COLUMNS, LINES = 80, 24
QUIET, LONG_QUIET, PATIENCE, PAUSE = 0.15, 0.6, 3.0, 0.03
"""Seconds without output that end the waiting: at a prompt, elsewhere, at most in all; and between two looks at the log."""
_HEAD = re.compile(rb"Script (?:started|done) on [^\r\n]*\[[^\r\n]*\]\r?\n?")
_WIDTH = re.compile(rb'COLUMNS="([1-9][0-9]{1,3})"')
_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[environment.terminal]`: the log, with its whole path; empty: `term.log` in the workspace in the program's data folder."""

    log: str = ""


def create(options: Options) -> Environment:
    """The terminals that write this log. Raises ConfigError for a path that is not whole."""
    log = Path(options.log).expanduser() if options.log else paths.data() / "workspace" / "term.log"
    if not log.is_absolute():
        raise ConfigError(
            f"The log {options.log!r} is not a whole path.", "Set `log` in [environment.terminal]."
        )
    return TerminalLog(log)


class TerminalLog(Environment):
    """What was printed since it was last told, once the terminal waits; a log that is not there is empty."""

    name = "terminal"
    operations = frozenset(("read_terminal",))
    brings_news = True

    def __init__(self, path: Path) -> None:
        self._path = path
        self._told: int | None = None
        """How many bytes of the log have been told; None before the first."""
        self._columns = COLUMNS

    def start(self) -> None:
        require("pyte", "the environment terminal", "sandbox")

    def execute(self, op: Op, stop: StopFlag) -> Response:
        stop.check()
        if not isinstance(op, ops.ReadTerminal):
            return Response(
                "refused", f"{name_of(op)} is nothing that can be done with the terminal's output."
            )
        try:
            size = self._await_prompt(stop)
            printed = self._text(max(0, size - MOST_READ), size)
        except OSError as error:
            return Response("failed", f"The terminal's log cannot be read: {error.strerror}.")
        self._told = size
        return Response("done", "" if printed else "Nothing has been printed yet.", printed)

    def screen(self) -> str:
        """What is new since it was last asked, below a line `[TERM]`; "" when nothing is. Waits a little for the prompt."""
        try:
            size = self._size()
            if self._told is None:
                self._told = max(0, size - BEGINNING)
            if size == self._told:
                return ""
            size = self._await_prompt(StopFlag())
            printed = self._text(self._told if self._told <= size else 0, size)
        except OSError as error:
            return f"{TITLE}\nThe log cannot be read: {error.strerror}."
        self._told = size
        return f"{TITLE}\n{printed}" if printed else ""

    def news(self, stop: StopFlag) -> Callable[[], bool]:
        """What is not told yet counts, once the shell waits for the next command or more is printed.

        Else the echo of a command that was just typed would end a wait for what it prints.
        """
        begun = self._await_prompt(stop)
        over = self._at_prompt(begun)

        def came() -> bool:
            size = self._size()
            return size != (self._told or 0) and (over or size != begun)

        return came

    def _await_prompt(self, stop: StopFlag) -> int:
        """The size of the log once nothing has been printed for a while. Raises Stopped, OSError."""
        began = changed = time.monotonic()
        size = self._size()
        while (now := time.monotonic()) - began < PATIENCE:
            quiet = now - changed
            if quiet >= LONG_QUIET or (quiet >= QUIET and self._at_prompt(size)):
                break
            stop.wait(PAUSE)
            if (new := self._size()) != size:
                size, changed = new, time.monotonic()
        return size

    def _at_prompt(self, size: int) -> bool:
        """Does the terminal wait in the middle of a line?"""
        return not self._bytes(max(0, size - 1), size).endswith(b"\n")

    def _size(self) -> int:
        try:
            found = self._path.lstat()
        except FileNotFoundError:
            return 0
        return found.st_size if stat.S_ISREG(found.st_mode) else 0

    def _bytes(self, start: int, end: int) -> bytes:
        if end <= start:
            return b""
        with os.fdopen(os.open(self._path, os.O_RDONLY | _NO_FOLLOW), "rb") as log:
            log.seek(start)
            return log.read(end - start)

    def _text(self, start: int, end: int) -> str:
        """What this part of the log left standing, its last MAX_TOLD characters at most. Raises OSError."""
        left_out = max(0, end - MOST_READ - start)
        data = self._bytes(start + left_out, end)
        if width := _WIDTH.search(self._bytes(0, 500)):
            self._columns = int(width[1])
        text = plain_output(_HEAD.sub(b"", data).decode(errors="replace"), self._columns)
        note = f"… ({left_out} bytes before this are in the log)\n" if left_out else ""
        room = MAX_TOLD - len(TITLE) - 1
        if len(note) + len(text) <= room:
            return note + text
        note = "… (what was printed before is in the log)\n"
        return note + text[len(note) - room :]


def plain_output(data: str, columns: int) -> str:
    """The lines that stand on a terminal of this width once it was sent `data`, without blanks at their ends."""
    import pyte  # an extra, and slow to load

    screen = pyte.HistoryScreen(columns, LINES, history=MOST_READ, ratio=0.5)
    pyte.Stream(screen).feed(data)
    out = io.StringIO()
    for row in screen.history.top:
        out.write("".join(row[column].data for column in range(columns)).rstrip() + "\n")
    out.write("\n".join(line.rstrip() for line in screen.display))
    return out.getvalue().strip("\n")
