"""Sets up what the deep checks work with: the doctor's window, the target, hand and guard."""

from __future__ import annotations

import contextlib
import os
import queue
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import msgspec

from desktop_agent.hand.client import Hands
from desktop_agent.protocol.batch import Batch, OpResult
from desktop_agent.protocol.errors import TargetError
from desktop_agent.protocol.geometry import Point, Rect, Viewport
from desktop_agent.protocol.ops import Op
from desktop_agent.redaction.redactor import redactor
from desktop_agent.support import child_command
from desktop_agent.targets import local
from desktop_agent.targets.base import Target
from desktop_agent.targets.faces import Desktop

START_SECONDS, ANSWER_SECONDS, EVENTS_SECONDS = 60.0, 10.0, 5.0
LONGEST = 300
_STEP = 0.05


BACKGROUND = (231, 60, 126)
"""Red, green and blue of the window: found nowhere else on a screen."""


class WindowProcess:
    """The doctor's window, in a process of its own that answers a line with a report (`messages`)."""

    def __init__(self) -> None:
        self._answers: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._asked = 0
        self._complaints = tempfile.TemporaryFile("a+b")  # noqa: SIM115 - closed with this object
        self._process = subprocess.Popen(
            child_command.command("_doctor_window"),
            env=os.environ | {"QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._complaints,
            creationflags=child_command.WITHOUT_CONSOLE,
        )
        threading.Thread(target=self._read, name="window", daemon=True).start()

    @property
    def pid(self) -> int:
        """The window's process id, asked for: in a virtual environment of Windows the started process is a launcher."""
        return self.ask().pid

    def _read(self) -> None:
        if self._process.stdout is not None:
            for line in self._process.stdout:
                self._answers.put(line)
        self._answers.put(b"")

    def ask(self, question: str = "", seconds: float = ANSWER_SECONDS) -> WindowReport:
        """Send it a line and return its report. Raises TargetError when it is gone or does not answer within `seconds`."""
        self._asked += 1
        end = time.monotonic() + seconds
        try:
            if self._process.stdin is not None:
                self._process.stdin.write(f"{question}\n".encode())
                self._process.stdin.flush()
            while answer := self._answers.get(timeout=max(0.0, end - time.monotonic())):
                told = msgspec.json.decode(answer, type=WindowReport)
                if told.number == self._asked:  # not a late one to a question before
                    return told
        except (OSError, queue.Empty):
            pass
        raise TargetError(
            f"The doctor's window does not answer ({self._complaint()}).",
            "Try again when the machine is less busy; report this line if that does not help.",
        )

    def _complaint(self) -> str:
        """The last line on its stderr, or how it ended."""
        self._complaints.seek(0)
        said = self._complaints.read().decode("utf-8", "replace").split("\n")
        if lines := [line.strip() for line in said if line.strip()]:
            return redactor().clean(lines[-1])[:LONGEST]
        code = self._process.poll()
        return "it is still running" if code is None else f"it ended with code {code}"

    def until(
        self, condition: Callable[[WindowReport], bool], seconds: float = EVENTS_SECONDS
    ) -> WindowReport:
        """Its report as soon as the condition holds, or the last one after `seconds`."""
        end = time.monotonic() + seconds
        while not condition(told := self.ask()) and time.monotonic() < end:
            threading.Event().wait(_STEP)
        return told

    def close(self) -> None:
        """End the process."""
        with contextlib.suppress(OSError):
            if self._process.stdin is not None:
                self._process.stdin.close()
        try:
            self._process.wait(ANSWER_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._complaints.close()


@dataclass
class Bench:
    """Target, window and hands of the deep checks; `stops` collects the reasons of stops."""

    target: Desktop
    window: WindowProcess
    hands: Hands
    stops: list[str]

    def batch(self, *operations: Op, seconds: float = 30.0) -> Batch:
        """Operations whose coordinates are pixels from the desktop's top left corner."""
        geometry = self.target.geometry()
        view = Viewport(geometry.bounds, geometry.bounds.size, geometry.epoch)
        return Batch("doctor", operations, view, generation=self.hands.generation, seconds=seconds)

    def do(self, *operations: Op) -> OpResult:
        """Carry operations out; returns the first result that is not "done", else the last."""
        results = self.hands.execute(self.batch(*operations))
        return next((each for each in results if each.outcome != "done"), results[-1])

    def to_picture(self, point: Point) -> tuple[int, int]:
        """A pixel of the screen in the coordinates of `batch`."""
        origin = self.target.geometry().bounds
        return point.x - origin.x, point.y - origin.y


@contextmanager
def set_up() -> Iterator[Bench]:
    """Start window, target and hands; at the end they are closed and the pointer is put back. Raises DesktopAgentError."""
    target = local.create(local.Options())
    target.start()
    stops: list[str] = []
    window = WindowProcess()
    hands = Hands(target.address(), on_stop=stops.append, takeover=False)
    try:
        window.ask(seconds=START_SECONDS)
        hands.start()
        with _pointer_put_back(target):
            yield Bench(target, window, hands, stops)
    finally:
        hands.close()
        window.close()
        target.stop()


@contextmanager
def _pointer_put_back(target: Desktop) -> Iterator[None]:
    before = target.pointer()
    try:
        yield
    finally:
        if before is not None:
            _put_back(target, before)


def _put_back(target: Target, point: Point) -> None:
    """Move the pointer without the hand, which may have been stopped."""
    from desktop_agent.protocol.input_events import Move

    pointer = local.attach(target.address())
    try:
        with contextlib.suppress(TargetError):
            pointer.emit(Move(point.x, point.y))
    finally:
        pointer.close()


class Control(msgspec.Struct, frozen=True):
    """A control in the window: its name, the roles it may have in the accessibility tree, and its place (pixels)."""

    name: str
    roles: tuple[str, ...]
    bounds: Rect


class Monitor(msgspec.Struct, frozen=True):
    """A monitor as the window toolkit knows it; `scale` is 1.5 for 150 %."""

    bounds: Rect
    scale: float


class WindowReport(msgspec.Struct, frozen=True):
    """How the window is at the `number`th question: where, what is in it, what was typed, what is held down in it.

    `presses` counts keys and buttons that went down, `escapes` the Esc key among them; `excluded` tells
    whether the system takes the window out of captures.
    """

    bounds: Rect
    controls: tuple[Control, ...]
    monitors: tuple[Monitor, ...]
    text: str = ""
    held: tuple[str, ...] = ()
    presses: int = 0
    escapes: int = 0
    active: bool = False
    excluded: bool = False
    pid: int = 0
    number: int = 0
