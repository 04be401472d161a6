"""Starts and ends a child process of the brain (hand or guard), and reads why it failed."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from pathlib import Path
from typing import BinaryIO, cast

from desktop_agent.platforms import host
from desktop_agent.protocol.errors import HandError
from desktop_agent.redaction.redactor import redactor
from desktop_agent.redaction.variable_names import without_secrets
from desktop_agent.support import child_command

DEATH_SECONDS = 1.0
"""From the end of a process's pipe until the system has it ended: first its memory goes."""
_ROOT = str(Path(__file__).parents[3])


class Child:
    """`python -m desktop_agent ROLE SHARED`, in a session of its own so that Ctrl-C is not for it."""

    def __init__(self, role: str, shared: Path, environment: dict[str, str]) -> None:
        self.role = role
        self._log = shared.parent / f"{role}.log"
        command = child_command.command(f"_{role}", str(shared))
        try:
            with self._log.open("wb") as log:
                self._process = subprocess.Popen(
                    command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=log,
                    env=environment,
                    start_new_session=True,
                    creationflags=host.CHILD_FLAGS,
                )
        except OSError as error:
            raise HandError(
                f"The {role} process cannot start: {error}.", "Install the program again."
            ) from error

        self._stdin = cast(BinaryIO, self._process.stdin)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    @property
    def stdin(self) -> int:
        """Descriptor of the pipe to it."""
        return self._stdin.fileno()

    @property
    def stdout(self) -> BinaryIO:
        """The pipe from it."""
        return cast(BinaryIO, self._process.stdout)

    @property
    def ending(self) -> str:
        """How it ended, in words, once its pipe has: the system may tell of its death a moment later."""
        try:
            code = self._process.wait(DEATH_SECONDS)
        except subprocess.TimeoutExpired:
            return "it has closed its pipe and does not end"
        return f"it ended with code {code}" if code >= 0 else f"it was killed ({_signal_name(-code)})"

    def complaint(self) -> str:
        """The last line it wrote to its log before it ended, or else how it ended. To be called once its pipe has ended."""
        ending = self.ending
        if ending.startswith("it was killed"):
            return ending
        with contextlib.suppress(OSError):
            lines = self._log.read_text(errors="replace").split("\n")
            if said := [line for line in lines if line.strip()]:
                return redactor().clean(said[-1])[:500]
        return ending

    def end(self, patience: float) -> None:
        """Close the pipe, which ends it; one that does not end in time is killed."""
        with contextlib.suppress(OSError):
            self._stdin.close()
        self.wait(patience)

    def wait(self, patience: float) -> None:
        """Wait for its end; one that does not end in time is killed."""
        try:
            self._process.wait(patience)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def environment(extra: dict[str, str]) -> dict[str, str]:
    """The brain's variables without its API keys: what the agent opens has no use for them."""
    kept = without_secrets(os.environ)
    paths = (_ROOT, kept.get("PYTHONPATH", ""))
    return {**kept, **extra, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
