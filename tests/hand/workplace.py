"""Hand and guard at work on a test's desk, and what the tests ask of them."""

from __future__ import annotations

import itertools
import os
import signal
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from desktop_agent.hand.client import Hands
from desktop_agent.protocol import ops
from desktop_agent.protocol.batch import Batch, OpResult, Progress
from desktop_agent.protocol.errors import HandError
from desktop_agent.protocol.geometry import Viewport
from tests.desk import Desk, until

HOLDING = (ops.KeyDown("shift"), ops.MouseDown("left", 20, 700), ops.KeyDown("x"), ops.Wait(25))
"""Holds two keys and a button for long."""


@dataclass
class Workplace:
    """A desk with hand and guard; `stops` are the reasons that the brain was told."""

    desk: Desk
    stops: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.hands = Hands(self.desk.target.address(), on_stop=self.stops.append)

    def batch(self, *operations: ops.Op, generation: int | None = None, seconds: float = 60) -> Batch:
        layout = self.desk.target.geometry()
        view = Viewport(layout.bounds, layout.bounds.size, layout.epoch)
        current = self.hands.generation if generation is None else generation
        return Batch("b", operations, view, {}, current, seconds)

    def do(self, *operations: ops.Op, **more: Any) -> list[str]:
        """Carry out a batch; the outcomes."""
        return [result.outcome for result in self.hands.execute(self.batch(*operations, **more))]

    def hold(self, *operations: ops.Op) -> int:
        """Carry out a batch that holds a key for long until all of it is done; how often it was begun.

        A guard that a busy system does not let answer for 0.1 s meanwhile ends the batch, rightly.
        """
        for begun in itertools.count(1):
            results = self.hands.execute(self.batch(*operations))
            ends = {f"{result.outcome} {result.detail}" for result in results if result.outcome != "skipped"}
            if ends == {"done "}:
                return begun
            assert any("The guard process does not answer." in end for end in ends), ends
        raise AssertionError("unreachable")

    def begin(self, *operations: ops.Op, index: int = -1) -> Job:
        """Carry out a batch in a thread; returns when operation `index` (the last) has begun."""
        return Job(self, self.batch(*operations), index % len(operations))

    def begin_holding(self) -> Job:
        """Returns when the keys and the button are down."""
        job = self.begin(*HOLDING)
        keys, buttons = self.desk.held()
        assert len(keys) == 2 and buttons
        return job

    def await_release(self) -> None:
        until(lambda: self.desk.held() == (set(), 0), "everything released")

    def await_stop(self, words: str) -> None:
        until(lambda: any(words in stop for stop in self.stops), f"a stop because {words!r}")
        assert len(self.stops) == 1

    @property
    def hand(self) -> int:
        return self.hands.pids[0]

    @property
    def guard(self) -> int:
        return self.hands.pids[1]

    def kill(self, *pids: int) -> None:
        for pid in pids:
            os.kill(pid, signal.SIGKILL)


class Job:
    """A batch under way."""

    def __init__(self, place: Workplace, batch: Batch, index: int) -> None:
        self._results: list[OpResult] = []
        self._error: HandError | None = None
        self._index = index
        self._began = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(place.hands, batch))
        self._thread.start()
        until(self._began.is_set, f"operation {index}")

    def _run(self, hands: Hands, batch: Batch) -> None:
        def follow(progress: Progress) -> None:
            if progress.index == self._index:
                self._began.set()

        try:
            self._results = hands.execute(batch, follow)
        except HandError as error:
            self._error = error

    def results(self) -> list[OpResult]:
        """What came of it; fails when the hand broke."""
        self._thread.join(60)
        assert self._error is None, self._error
        return self._results

    def ending(self) -> str:
        """How it ended, in words: of the error that was raised or of the last result."""
        self._thread.join(60)
        return str(self._error) if self._error is not None else self._results[-1].detail

    def error(self) -> HandError:
        """How the hand broke."""
        self._thread.join(60)
        assert self._error is not None, self._results
        return self._error


def gone(pid: int) -> bool:
    """True when the process has ended (a zombie has)."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return True
    return status.rpartition(")")[2].split()[0] == "Z"
