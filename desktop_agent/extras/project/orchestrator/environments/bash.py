"""Runs commands in one bash that stays: its directory, variables and functions are kept from command to command.

There is no terminal and no standard input: programs that would ask or draw are refused, or read the end of the file at once.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import time
from pathlib import Path

from desktop_agent.extras.project.orchestrator.interactive_programs import refusal

_LOOP = """\
trap : INT
while IFS= read -r -d '' -u {commands} _command; do
    eval "$_command" {commands}<&- {results}>&-
    printf '%s\\0%s\\0' "$?" "$PWD" >&{results}
done
"""
"""Takes commands, each ended by a zero byte, and tells their exit code and the directory in the same form.

The trap keeps the shell when a command is interrupted. What is run inherits neither pipe, so it cannot answer for the shell.
"""
_QUIET = {
    "PAGER": "cat", "GIT_PAGER": "cat", "MANPAGER": "cat", "TERM": "dumb", "EDITOR": "false", "VISUAL": "false", "GIT_EDITOR": "false",
    "GIT_TERMINAL_PROMPT": "0", "PIP_NO_INPUT": "1", "DEBIAN_FRONTEND": "noninteractive",
}  # fmt: skip
"""What keeps programs from waiting for somebody at a terminal."""
GRACE = 0.7
"""Seconds that an interrupted command has to end before its shell is killed with it."""
_shell: Shell | None = None


def run(command: str) -> str:
    """Carry out a command. Raises ValueError for one that needs a terminal, KeyboardInterrupt after it was ended."""
    global _shell
    if why := refusal(command):
        raise ValueError(why)
    if "\0" in command:
        raise ValueError("The command holds a zero byte, which no command can.")
    shell = _shell = _shell or Shell(str(Path.cwd()))
    try:
        lives = shell.run(command)
    except KeyboardInterrupt:
        if shell.has_ended:
            _shell = Shell(shell.folder, code=shell.code)
            raise ValueError(
                f"It was interrupted and killed with its shell. {_NEW.format(shell.folder)}"
            ) from None
        raise
    if lives:
        return "" if shell.code == 0 else f"exit code {shell.code}"
    _shell = Shell(shell.folder, code=shell.code)
    return f"The shell ended with exit code {shell.code}. {_NEW.format(shell.folder)}"


_NEW = "A new one begins in {}; variables and functions are gone."


def screen() -> str:
    """The exit code of the last command, and the directory."""
    code = _shell.code if _shell is not None else None
    told = "no command yet" if code is None else f"exit code {code}"
    return f"{told}\ndirectory {str(Path.cwd()) if _shell is None else _shell.folder}"


class Shell:
    """A bash, and the exit code of its last command."""

    def __init__(self, folder: str, code: int | None = None) -> None:
        commands, self._commands = os.pipe()
        self._results, results = os.pipe()
        try:
            self._process = subprocess.Popen(
                [
                    "bash",
                    "--noprofile",
                    "--norc",
                    "-c",
                    _LOOP.format(commands=commands, results=results),
                    "bash",
                ],
                stdin=subprocess.DEVNULL,
                cwd=folder if Path(folder).is_dir() else None,
                env={**os.environ, **_QUIET},
                pass_fds=(commands, results),
                start_new_session=True,
            )
        finally:
            os.close(commands)
            os.close(results)
        self.folder, self.code = folder, code

    @property
    def has_ended(self) -> bool:
        return self._process.poll() is not None

    def run(self, command: str) -> bool:
        """Carry out a command and set `code` and `folder`; False when the shell ended by it.

        At an interrupt the command is ended, with the shell where nothing else helps. Raises KeyboardInterrupt then.
        """
        try:
            with contextlib.suppress(BrokenPipeError):
                _write(self._commands, command.encode("utf-8", "surrogateescape") + b"\0")
            return self._take(self._told(None))
        except KeyboardInterrupt:
            self._signal(signal.SIGINT)
            if not self._take(self._told(time.monotonic() + GRACE)):
                self._signal(signal.SIGKILL)
                self.code = _exit_code(self._process.wait())
            raise

    def _take(self, told: list[bytes]) -> bool:
        if len(told) < 2:
            if self._process.poll() is None and not told:
                return False
            self.code = _exit_code(self._process.wait())
            return False
        self.code, self.folder = int(told[0]), os.fsdecode(told[1])
        return True

    def _told(self, until: float | None) -> list[bytes]:
        """Exit code and directory; less where the shell ends before, or the moment (of the monotonic clock) comes."""
        data = b""
        while data.count(b"\0") < 2:
            left = None if until is None else max(0.0, until - time.monotonic())
            if not select.select([self._results], [], [], left)[0]:
                return []
            piece = os.read(self._results, 65_536)
            if not piece:
                break
            data += piece
        return data.split(b"\0")[:2] if data.count(b"\0") >= 2 else [data]

    def _signal(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, number)


def _exit_code(status: int) -> int:
    """As a shell tells it: 128 and the signal's number for a program that a signal ended."""
    return status if status >= 0 else 128 - status


def _write(descriptor: int, data: bytes) -> None:
    while data:
        data = data[os.write(descriptor, data) :]
