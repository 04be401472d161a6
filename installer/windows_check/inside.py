"""This side of the probe: questions to Windows, one typed method each."""

from __future__ import annotations

import json
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

import msgspec

from desktop_agent.hand.ipc.shared_block import KEYCODES, Word
from desktop_agent.protocol.geometry import Rect
from installer.windows_check.machine import Machine
from installer.windows_check.outcome import Broken
from installer.windows_check.probes.keys import KeyEvent

PROBE = "installer.windows_check.probes.server"
START_SECONDS, ANSWER_SECONDS, END_SECONDS = 120.0, 60.0, 20.0


class TopWindow(NamedTuple):
    """A window that can be seen; `kind` is its class."""

    window: int
    title: str
    kind: str
    pid: int
    place: Rect
    topmost: bool
    minimised: bool


class Process(msgspec.Struct, frozen=True):
    """A running process."""

    pid: int
    name: str


class Hands(NamedTuple):
    """What brain, hand and guard share: their process ids and what the ledger says is held."""

    path: str
    brain: int
    hand: int
    guard: int
    keys: tuple[int, ...]
    buttons: int
    busy: bool

    @property
    def holding(self) -> bool:
        return bool(self.keys or self.buttons)


class Inside:
    """Asks the probe. Raises Broken when it does not answer, or says that it cannot."""

    def __init__(self, line: socket.socket) -> None:
        line.settimeout(ANSWER_SECONDS)
        self._stream = line.makefile("rwb")

    def ask(self, task: str, *arguments: Any) -> Any:
        """One task of `probes/server.py` with its arguments."""
        try:
            self._stream.write(json.dumps([task, arguments]).encode() + b"\n")
            self._stream.flush()
            answer = json.loads(self._stream.readline() or "null")
        except OSError as error:
            raise Broken(f"the probe did not answer {task}: {error}") from error
        if not answer:
            raise Broken(f"the probe ended at {task}")
        if "error" in answer:
            raise Broken(f"{task}: {answer['error']}")
        return answer["value"]

    def windows(self) -> list[TopWindow]:
        """All windows that can be seen, front first."""
        return [TopWindow(**{**each, "place": Rect(*each["place"])}) for each in self.ask("listed")]

    def window(self, title: str) -> TopWindow | None:
        """The frontmost window with these words in its title."""
        return next((each for each in self.windows() if title.lower() in each.title.lower()), None)

    def work_area(self) -> Rect:
        return Rect(*self.ask("work_area"))

    def text(self, window: int) -> str:
        """What stands in a window's edit control, with \\n between lines."""
        return str(self.ask("text", window)).replace("\r\n", "\n")

    def held(self) -> list[int]:
        """Virtual keys and buttons that are down."""
        return [int(code) for code in self.ask("held")]

    def keys_seen(self) -> list[KeyEvent]:
        """Key events since the task `watch`."""
        return [KeyEvent(*each) for each in self.ask("seen")]

    def processes(self) -> list[Process]:
        return [Process(**each) for each in self.ask("running")]

    def hands(self) -> list[Hands]:
        """Every shared block there is, the newest last."""
        folder = self.ask("environment", "TEMP")["TEMP"]
        paths = self.ask("files", folder, "desktop-agent-hand-*/shared")
        return [found for path in paths if (found := self._hands(path)) is not None]

    def _hands(self, path: str) -> Hands | None:
        try:
            words = self.ask("numbers", path)
        except Broken:
            return None  # it went away meanwhile
        if len(words) < Word.COUNT:
            return None
        keys = (code for code in range(KEYCODES) if words[Word.KEYS + code // 64] >> code % 64 & 1)
        pids = (words[Word.BRAIN_PID], words[Word.HAND_PID], words[Word.GUARD_PID])
        return Hands(path, *pids, tuple(keys), words[Word.BUTTONS], bool(words[Word.BUSY]))


@contextmanager
def inside(machine: Machine) -> Iterator[Inside]:
    """A probe at work. Raises Broken when it does not come up."""
    with connected(machine, PROBE) as line:
        yield Inside(line)


@contextmanager
def connected(machine: Machine, module: str) -> Iterator[socket.socket]:
    """The line to a module at work inside, which calls the port that it is told and ends when we hang up.

    Raises Broken when it does not call.
    """
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(START_SECONDS)
        process = machine.start([machine.python, "-m", module, str(server.getsockname()[1])])
        try:
            line = server.accept()[0]
        except OSError as error:
            _end(process, 0)
            raise Broken(f"{module} did not start: {error}") from error
    try:
        yield line
    finally:
        with suppress(OSError):  # it has hung up already
            line.shutdown(socket.SHUT_RDWR)  # closing alone is not heard while a stream on it is open
        line.close()
        _end(process, END_SECONDS)


def _end(process: subprocess.Popen[bytes], seconds: float) -> None:
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
