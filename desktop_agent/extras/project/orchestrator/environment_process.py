"""The orchestrator's side of one environment: its process, what it is asked, and what it prints."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
import time

from desktop_agent.extras.project.orchestrator import environment_child, length_prefixed
from desktop_agent.extras.project.orchestrator.bounded_text import ends
from desktop_agent.extras.project.orchestrator.children import Children, kill_with_descendants, words_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from desktop_agent.extras.project.orchestrator.length_prefixed import Message

LOADING, INTERRUPTING = 10.0, 2.0
"""Seconds that a module may take to load, and that a command has to end once it is interrupted."""
MOST_PRINTED = 1_000_000
"""Bytes of what a command prints that are kept: the first half and the last."""


class EnvironmentEnded(Exception):
    """The process ended or was ended; the message says why, as a sentence."""


class HungUp(BaseException):
    """Nobody waits for an answer any more: the agent has ended."""


class EnvironmentProcess:
    """A process with one environment. One thing is asked of it at a time."""

    def __init__(self, children: Children, name: str, path: str = "", hangup: int | None = None) -> None:
        """Begin it; `path` is the module's file, "" for a built-in one. Raises OSError.

        While it is asked, `hangup` (a file descriptor) becomes readable only when nobody waits for the answer any more.
        """
        self.name, self.path, self._children, self._hangup = name, path, children, hangup
        requests, self._requests = os.pipe()
        self._answers, answers = os.pipe()
        self._printed, printed = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            _become(name, path, requests, answers, printed)
        for each in (requests, answers, printed):
            os.close(each)
        os.set_blocking(self._printed, False)
        self._kept = _Kept()
        self._unread = b""

    def loaded(self) -> Message:
        """What it says once its module is loaded: `problems`, and `about` where there are none. Raises EnvironmentEnded."""
        return self._answer(time.monotonic() + LOADING, "it took too long to load")

    def run(self, command: str, seconds: float) -> Message:
        """Carry out a command: its `text`, what was `printed`, and `failed` where it did. Raises EnvironmentEnded.

        After `seconds` the command is interrupted; one that does not heed it is ended with the environment.
        """
        self._kept.clear()
        self._ask({"run": command})
        try:
            answer = self._answer(time.monotonic() + seconds, "")
        except _Late:
            self.signal(signal.SIGINT)
            answer = self._answer(
                time.monotonic() + INTERRUPTING, f"a command took longer than {seconds:g} s"
            )
            answer["text"] = f"It took longer than {seconds:g} s. {answer.get('text', '')}".strip()
            answer["failed"] = True
        self._read_printed()
        return {**answer, "printed": self._kept.text}

    def ask_screen(self) -> None:
        """Ask what there is to see; `screen` gives it. Raises EnvironmentEnded."""
        self._ask({"screen": True})

    def screen(self, until: float) -> str:
        """What there is to see, until a moment of the monotonic clock. Raises EnvironmentEnded."""
        return str(self._answer(until, "its screen took too long")["text"])

    def is_running(self) -> bool:
        """Has it not ended by itself?"""
        return self._children.status_of(self.pid) is None

    def signal(self, number: int) -> None:
        """Send a signal to its process alone."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, number)

    def end(self) -> str:
        """End it with all that it started; returns how it had ended, as words."""
        kill_with_descendants(self.pid)
        status = self._children.wait_for(self.pid)
        for each in (self._requests, self._answers, self._printed):
            with contextlib.suppress(OSError):
                os.close(each)
        return words_of(status)

    @property
    def last_printed(self) -> str:
        """What it printed since its last command began."""
        return self._kept.text

    # ---- asking ------------------------------------------------------------------------------

    def _ask(self, request: Message) -> None:
        data = length_prefixed.encode(request)
        with contextlib.suppress(BrokenPipeError):  # it has ended: reading its answer says so
            while data:
                data = data[os.write(self._requests, data) :]

    def _answer(self, until: float, late: str) -> Message:
        """The next answer; printing is read meanwhile, or it would not go on. Raises EnvironmentEnded, _Late where `late` is ""."""
        while (found := self._message()) is None:
            left = until - time.monotonic()
            if left <= 0:
                if not late:
                    raise _Late
                raise EnvironmentEnded(late)
            ready, _, _ = select.select([self._answers, self._printed, *self._watched], [], [], left)
            if self._hangup in ready:
                raise HungUp
            if self._printed in ready:
                self._read_printed()
            if self._answers in ready:
                data = os.read(self._answers, 1 << 16)
                if not data:
                    raise EnvironmentEnded("")
                self._unread += data
        return found

    @property
    def _watched(self) -> list[int]:
        return [] if self._hangup is None else [self._hangup]

    def _message(self) -> Message | None:
        """The answer that is complete; None where none is yet. Raises EnvironmentEnded for what is no answer."""
        if len(self._unread) < 4:
            return None
        length = int.from_bytes(self._unread[:4], "big")
        if length > length_prefixed.MOST:
            raise EnvironmentEnded("it answered with something that is no answer")
        if len(self._unread) < 4 + length:
            return None
        data, self._unread = self._unread[: 4 + length], self._unread[4 + length :]
        try:
            found = length_prefixed.decode(data[4:])
        except length_prefixed.BrokenMessage:
            raise EnvironmentEnded("it answered with something that is no answer") from None
        if not isinstance(found.get("text", ""), str):
            raise EnvironmentEnded("it answered with something that is no answer")
        return found

    def _read_printed(self) -> None:
        with contextlib.suppress(BlockingIOError):
            while data := os.read(self._printed, 1 << 16):
                self._kept.add(data)


class _Late(Exception):
    """No answer in time."""


class _Kept:
    """The first and the last bytes of what is printed."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        self._first, self._last, self._left_out = b"", b"", 0

    def add(self, data: bytes) -> None:
        room = MOST_PRINTED // 2 - len(self._first)
        self._first += data[: max(0, room)]
        self._last += data[max(0, room) :]
        over = len(self._last) - MOST_PRINTED // 2
        if over > 0:
            self._last, self._left_out = self._last[over:], self._left_out + over

    @property
    def text(self) -> str:
        gap = f"\n… {self._left_out} bytes are left out here …\n".encode() if self._left_out else b""
        return ends((self._first + gap + self._last).decode("utf-8", "replace"), environment_child.MOST_TOLD)


def _become(name: str, path: str, requests: int, answers: int, printed: int) -> NoReturn:
    """The child's side of the fork: nothing of the orchestrator's is left open, and what is printed goes its own way."""
    code = 1
    try:
        os.setsid()
        null = os.open(os.devnull, os.O_RDONLY)
        for source, target in ((null, 0), (printed, 1), (printed, 2)):
            os.dup2(source, target)
        _close_all_but({0, 1, 2, requests, answers})
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - as long as the process lives
        sys.stdout = open(1, "w", encoding="utf-8", errors="replace", closefd=False)  # noqa: SIM115
        sys.stderr = open(2, "w", encoding="utf-8", errors="replace", closefd=False)  # noqa: SIM115
        sys.__stdin__, sys.__stdout__, sys.__stderr__ = sys.stdin, sys.stdout, sys.stderr  # type: ignore[misc]
        environment_child.work(name, path, os.fdopen(requests, "rb"), os.fdopen(answers, "wb"))
        code = 0
    except BaseException as error:  # noqa: BLE001 - the end of this process
        os.write(2, f"{type(error).__name__}: {error}\n".encode())
    finally:
        os._exit(code)


def _close_all_but(kept: set[int]) -> None:
    for name in os.listdir("/proc/self/fd"):
        if int(name) not in kept:
            with contextlib.suppress(OSError):
                os.close(int(name))
