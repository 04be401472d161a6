"""One shell on a terminal, which lives on between keystrokes; when it has ended another can be started in its place."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from desktop_agent.extras.camera.endpoint.key_sequences import KeySequence
from desktop_agent.extras.camera.endpoint.pty_process import PtyProcess
from desktop_agent.extras.camera.endpoint.terminal_emulator import BRACKETED_PASTE, CURSOR_KEYS
from desktop_agent.extras.camera.endpoint.terminal_screen import TerminalScreen
from desktop_agent.extras.camera.endpoint.terminal_shell import shell_command
from desktop_agent.protocol.errors import DesktopAgentError, Refused

SMALLEST, LARGEST = (2, 1), (500, 300)
"""Columns and rows that a terminal may have."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class ShellStart:
    """How a shell is started: its program, the folder it works in, in a sandbox or not, and columns and rows."""

    program: str
    folder: Path
    sandboxed: bool = True
    columns: int = 80
    rows: int = 24
    restarts: bool = False
    """Is another started by itself when one ends?"""


def _nobody() -> None:
    """Nobody wants to know."""


class PersistentShell:
    """A shell and its screen; for several threads. `changed` is called on one of its own when there is something new to show."""

    def __init__(self, start: ShellStart) -> None:
        self._start = start
        self.changed: Callable[[], None] = _nobody
        self.screen = TerminalScreen(*bounded(start.columns, start.rows), self._answer)
        self._lock = threading.RLock()
        self._process: PtyProcess | None = None
        self._kept = ExitStack()
        self._alive = self._closed = False
        self.exit_code: int | None = None
        """Of the last shell that ended."""

    @property
    def sandboxed(self) -> bool:
        return self._start.sandboxed

    @property
    def alive(self) -> bool:
        return self._alive

    @property
    def columns(self) -> int:
        return self.screen.columns

    @property
    def rows(self) -> int:
        return self.screen.lines

    @property
    def pid(self) -> int:
        """Of what was started last, 0 before that."""
        return self._process.pid if self._process else 0

    def start(self) -> None:
        """Start the shell; nothing when one is alive. Raises TargetError where no sandbox can be made, ConfigError, OSError."""
        with self._lock:
            if self._alive or self._closed:
                return
            if self._process is not None:
                self._process.end()
                self.screen.feed(b"\x1bc")
            self._kept.close()
            command = self._kept.enter_context(
                shell_command(self._start.program, self._start.folder, self._start.sandboxed)
            )
            self._alive, self.exit_code = True, None
            try:
                self._process = PtyProcess(
                    command.argv,
                    command.environment,
                    self._start.folder,
                    (self.columns, self.rows),
                    self._printed,
                    self._ended,
                )
            except OSError:
                self._alive = False
                raise
        self.changed()

    def press(self, keys: KeySequence) -> None:
        """Type what a key types. Raises Refused where the shell has ended or nothing there reads it."""
        self._write(keys.application if self.screen.mode(CURSOR_KEYS) else keys.usual)

    def type(self, text: str) -> None:
        """Type a text. Raises Refused like `press`."""
        self._write(text.encode())

    def paste(self, text: str) -> None:
        """Type a text of the clipboard: without control characters, and marked as pasted where the program wants that."""
        plain = "".join(
            "\r" if each == "\n" else each for each in text if each.isprintable() or each in "\n\t"
        )
        marked = self.screen.mode(BRACKETED_PASTE)
        self._write((f"\x1b[200~{plain}\x1b[201~" if marked else plain).encode("utf-8", "replace"))

    def resize(self, columns: int, rows: int) -> None:
        """Give the terminal so many columns and rows, as far as it may have them."""
        size = bounded(columns, rows)
        if size == (self.columns, self.rows):
            return
        self.screen.resize(*size)
        with self._lock:
            if self._process is not None:
                self._process.resize(*size)
        self.changed()

    def end(self) -> None:
        """End it with all that it has begun; no other is started."""
        with self._lock:
            self._closed = True
            process = self._process
        if process is not None:
            process.end()
        self._kept.close()

    def _write(self, data: bytes) -> None:
        process = self._process
        if not self._alive or process is None:
            raise Refused("The shell has ended: nothing was typed.", "Start another in its window.")
        process.write(data)

    def _answer(self, data: bytes) -> None:
        try:
            self._write(data)
        except Refused as error:
            _log.info("An answer of the terminal was not taken: %s", error.message)

    def _printed(self, data: bytes) -> None:
        self.screen.feed(data)
        self.changed()

    def _ended(self, code: int) -> None:
        self._alive, self.exit_code = False, code
        self.changed()
        if self._start.restarts and not self._closed:
            threading.Thread(target=self._restart, name="shell restart", daemon=True).start()

    def _restart(self) -> None:
        try:
            self.start()
        except (DesktopAgentError, OSError):
            _log.exception("Another shell could not be started.")
            self.changed()


def bounded(columns: int, rows: int) -> tuple[int, int]:
    """A size that a terminal may have."""
    return (
        max(SMALLEST[0], min(columns, LARGEST[0])),
        max(SMALLEST[1], min(rows, LARGEST[1])),
    )
