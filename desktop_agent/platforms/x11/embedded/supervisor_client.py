"""Talks to the supervisor of an embedded session: starts programs in it, ends the session."""

from __future__ import annotations

import json
import os
import select
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from desktop_agent.platforms.posix import unix_sockets
from desktop_agent.protocol.errors import TargetError

LAUNCHER = "DESKTOP_AGENT_LAUNCHER"
"""Variable of a target's address: path of the supervisor's socket for starting programs."""

ANSWER_BYTES = 64_000
ANSWER_SECONDS = 10.0
END_SECONDS = 10.0


class _Answer(msgspec.Struct, frozen=True):
    pid: int = 0
    error: str = ""


class Launcher:
    """One connection to a supervisor, for one request at a time."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        connection.settimeout(ANSWER_SECONDS)

    @classmethod
    def connect(cls, path: str) -> Launcher:
        """Connect to the supervisor's socket at this path. Raises TargetError when the session is over.

        Programs in a box may put something else in its place, but no link that leads out of it.
        """
        try:
            return cls(unix_sockets.connect(path, ANSWER_SECONDS, socket.SOCK_SEQPACKET))
        except OSError as error:
            raise TargetError("The embedded display is gone.", "Start the run again.") from error

    def run(
        self, argv: Sequence[str], *, output: int | None = None, vital: bool = False, plain: bool = False
    ) -> int:
        """Start a program in the session and return its process id, in a box the one that it has there.

        `output` is a file descriptor that becomes its standard output; the session ends when a
        `vital` program does; a `plain` one is not wrapped. Raises TargetError when it cannot be started.
        """
        request = {"run": list(argv), "vital": vital, "plain": plain}
        answer = self._ask(request, [] if output is None else [output])
        if answer.error:
            raise TargetError(f"{argv[0]} could not be started: {answer.error}")
        return answer.pid

    def set_environment(self, variables: Mapping[str, str]) -> None:
        """Add variables to the environment of every program started from now on."""
        self._ask({"environment": dict(variables)}, [])

    def _ask(self, request: object, descriptors: list[int]) -> _Answer:
        try:
            socket.send_fds(self._connection, [json.dumps(request).encode()], descriptors)
            answer = self._connection.recv(ANSWER_BYTES)
        except OSError as error:
            raise TargetError("The embedded display does not answer.", "Start the run again.") from error
        if not answer:
            raise TargetError("The embedded display has ended.", "Start the run again.")
        try:
            return msgspec.json.decode(answer, type=_Answer)
        except msgspec.DecodeError as error:
            raise TargetError("The embedded display gives a wrong answer.", "Start the run again.") from error

    def close(self) -> None:
        self._connection.close()


class SupervisorClient(Launcher):
    """Starts the supervisor process of a session and owns it: closing this ends the session."""

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        script = str(Path(__file__).with_name("supervisor.py"))
        with theirs, (folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", script, str(folder), str(os.getpid())],
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=log,
                env=dict(environment),
                start_new_session=True,
            )
        super().__init__(ours)
        self.folder = folder
        if not select.select([ours], [], [], ANSWER_SECONDS)[0] or not ours.recv(ANSWER_BYTES):
            complaint = self.complaint()
            self.close()
            raise TargetError(f"The supervisor of the embedded display did not start. {complaint}")

    @property
    def pid(self) -> int:
        pid: int = self._process.pid
        return pid

    def end_now(self) -> None:
        """Begin the end of the session, from any thread; `close` is still to be called."""
        self._process.terminate()

    def complaint(self) -> str:
        """The last three lines that the session's programs wrote to standard error, at most 500 characters."""
        try:
            lines = (self.folder / "log").read_text(errors="replace").splitlines()
        except OSError:
            return ""
        return " ".join(lines[-3:])[-500:]

    def close(self) -> None:
        """End the session and wait until all its processes are gone; safe to call twice."""
        super().close()
        try:
            self._process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
