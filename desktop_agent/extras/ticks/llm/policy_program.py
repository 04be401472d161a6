"""A numeric policy that is a program of its own: frames go to its standard input, ticks come from its standard output.

It is told one line of JSON when a run begins, `{"goal": "…"}`. Then for each tick it gets a line
`{"tick": 0, "width": 1280, "height": 800, "bytes": 4096000}` and after it so many bytes of the frame (rows of pixels,
four bytes each: blue, green, red, unused), and answers with one line: `{"x": 10, "y": 20, "buttons": ["left"],
"keys": ["w"], "value": 0.5, "done": false}`, of which all but `x` and `y` may be left out.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import threading
from typing import Annotated, Any, BinaryIO, cast

import msgspec

from desktop_agent.extras.ticks.numeric_policy import NumericPolicy, Tick
from desktop_agent.llm.base import Model
from desktop_agent.platforms import host
from desktop_agent.protocol.errors import ModelError
from desktop_agent.protocol.geometry import Size
from desktop_agent.redaction.secret_reference import without_secrets

MAX_LINE = 10_000
"""Bytes of one answer."""
_LEAVE_SECONDS = 2.0
_COMPLAINT = 500
"""Bytes that are kept of what it says on its standard error."""


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """[llm.policy_program]. `command` is the program with its arguments, as in ["python", "policy.py"]."""

    command: tuple[Annotated[str, msgspec.Meta(min_length=1)], ...] = ()


def create(options: Options) -> Model:
    """The policy; its program is started with the first run. Raises ModelError when none is named."""
    if not options.command:
        raise ModelError("No program is named.", "Set `command` in [llm.policy_program].")
    return PolicyProgram(options.command)


class PolicyProgram(NumericPolicy):
    """Talks with one process, which is started anew after it has ended. What it starts ends with it."""

    def __init__(self, command: tuple[str, ...]) -> None:
        super().__init__(os.path.basename(command[0]))  # noqa: PTH119 - of a name that may be no path here
        self._command = command
        self._running: _Running | None = None

    def begin(self, goal: str) -> None:
        self.close()
        try:
            running = self._running = _Running(self._command)
        except OSError as error:
            raise ModelError(
                f"The program {self._command[0]} cannot be started: {error.strerror}.",
                "Check `command` in [llm.policy_program].",
            ) from error
        self._tell(running, {"goal": goal})

    def act(self, frame: bytes, size: Size, tick: int) -> Tick:
        running = self._running
        if running is None:
            raise self._ended("")
        head = {"tick": tick, "width": size.width, "height": size.height, "bytes": len(frame)}
        self._tell(running, head, frame)
        line = running.stdout.readline(MAX_LINE)
        if not line.endswith(b"\n"):
            raise self._ended(running.last_words()) if len(line) < MAX_LINE else self._wrong("is too long")
        try:
            return msgspec.json.decode(line, type=Tick)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise self._wrong(str(error)) from error

    def abandon(self) -> None:
        if (running := self._running) is not None:
            running.kill()

    def close(self) -> None:
        running, self._running = self._running, None
        if running is not None:
            running.close()

    def _tell(self, running: _Running, head: dict[str, Any], frame: bytes = b"") -> None:
        try:
            running.stdin.write(msgspec.json.encode(head) + b"\n")
            running.stdin.write(frame)
            running.stdin.flush()
        except OSError:
            raise self._ended(running.last_words()) from None

    def _ended(self, said: str) -> ModelError:
        return ModelError(
            f"The program {self.name} has ended{': ' + said if said else ''}.", "Start the run again."
        )

    def _wrong(self, why: str) -> ModelError:
        return ModelError(
            f"What the program {self.name} said is no tick: {why}.",
            'Let it answer with lines like {"x": 10, "y": 20}.',
        )


class _Running:
    """One process of the program, in a group of its own, and the end of what it says on its standard error."""

    def __init__(self, command: tuple[str, ...]) -> None:
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=without_secrets(os.environ),
            start_new_session=True,
            creationflags=host.CHILD_FLAGS,
        )
        self._peer = host.Peer(self._process.pid)
        self.stdin = cast(BinaryIO, self._process.stdin)
        self.stdout = cast(BinaryIO, self._process.stdout)
        self._said = b""
        self._listener = threading.Thread(target=self._listen, name="policy's complaints", daemon=True)
        self._listener.start()

    def kill(self) -> None:
        """End it and its children at once; on Windows it alone. From any thread."""
        if self._process.returncode is None:
            host.kill_group(self._process.pid)

    def last_words(self) -> str:
        """The end of what it said on its standard error, after its own end: what is left of it is ended first."""
        self._peer.wait(_LEAVE_SECONDS)
        self.kill()
        self._listener.join(_LEAVE_SECONDS)
        return self._said.decode("utf-8", "replace").strip()

    def close(self) -> None:
        """Close its input, which ends it; what has not ended in time, or is left of it, is killed."""
        with contextlib.suppress(OSError):
            self.stdin.close()
        self._peer.wait(_LEAVE_SECONDS)
        self.kill()  # before its id is given back by `wait`: it is that of the group, too
        self._process.wait()
        self._listener.join(_LEAVE_SECONDS)
        self.stdout.close()

    def _listen(self) -> None:
        """Read on, so that it never waits for a reader, and keep the end alone."""
        with cast(BinaryIO, self._process.stderr) as stream:
            while said := stream.read1(4_096):  # type: ignore[attr-defined]  # a buffered pipe has it
                self._said = (self._said + said)[-_COMPLAINT:]
