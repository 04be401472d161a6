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
import tempfile
from typing import IO, Annotated, Any

import msgspec

from desktop_agent.llm.base import Model, NumericPolicy, Tick
from desktop_agent.protocol.errors import ModelError
from desktop_agent.protocol.geometry import Size
from desktop_agent.redaction.variable_names import without_secrets
from desktop_agent.support.child_command import WITHOUT_CONSOLE

MAX_LINE = 10_000
"""Bytes of one answer."""
_LEAVE_SECONDS = 2.0
_COMPLAINT = 500


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """[llm.policy_program]. `command` is the program with its arguments, as in ["python", "policy.py"]."""

    command: tuple[Annotated[str, msgspec.Meta(min_length=1)], ...] = ()


def create(options: Options) -> Model:
    """The policy; its program is started with the first run. Raises ModelError when none is named."""
    if not options.command:
        raise ModelError("No program is named.", "Set `command` in [llm.policy_program].")
    return PolicyProgram(options.command)


class PolicyProgram(NumericPolicy):
    """Talks with one process, which is started anew after it has ended."""

    def __init__(self, command: tuple[str, ...]) -> None:
        super().__init__(os.path.basename(command[0]))  # noqa: PTH119 - of a name that may be no path here
        self._command = command
        self._process: subprocess.Popen[bytes] | None = None
        self._complaints: IO[bytes] | None = None

    def begin(self, goal: str) -> None:
        self.close()
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the process
        try:
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._complaints,
                env=without_secrets(os.environ),
                creationflags=WITHOUT_CONSOLE,
            )
        except OSError as error:
            raise ModelError(
                f"The program {self._command[0]} cannot be started: {error.strerror}.",
                "Check `command` in [llm.policy_program].",
            ) from error
        self._tell({"goal": goal})

    def act(self, frame: bytes, size: Size, tick: int) -> Tick:
        head = {"tick": tick, "width": size.width, "height": size.height, "bytes": len(frame)}
        self._tell(head, frame)
        line = self._running().stdout.readline(MAX_LINE)  # type: ignore[union-attr]  # it is a pipe
        if not line.endswith(b"\n"):
            raise self._ended() if len(line) < MAX_LINE else self._wrong("is too long")
        try:
            return msgspec.json.decode(line, type=Tick)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise self._wrong(str(error)) from error

    def abandon(self) -> None:
        if (process := self._process) is not None:
            process.kill()

    def close(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            with contextlib.suppress(OSError):
                process.stdin.close()  # type: ignore[union-attr]
            try:
                process.wait(_LEAVE_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            process.stdout.close()  # type: ignore[union-attr]
        if self._complaints is not None:
            self._complaints.close()
            self._complaints = None

    def _tell(self, head: dict[str, Any], frame: bytes = b"") -> None:
        stream = self._running().stdin
        try:
            stream.write(msgspec.json.encode(head) + b"\n")  # type: ignore[union-attr]
            stream.write(frame)  # type: ignore[union-attr]
            stream.flush()  # type: ignore[union-attr]
        except OSError:
            raise self._ended() from None

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            raise self._ended()
        return self._process

    def _ended(self) -> ModelError:
        said = ""
        if self._complaints is not None:
            self._complaints.seek(0)
            said = self._complaints.read()[-_COMPLAINT:].decode("utf-8", "replace").strip()
        return ModelError(
            f"The program {self.name} has ended{': ' + said if said else ''}.", "Start the run again."
        )

    def _wrong(self, why: str) -> ModelError:
        return ModelError(
            f"What the program {self.name} said is no tick: {why}.",
            'Let it answer with lines like {"x": 10, "y": 20}.',
        )
