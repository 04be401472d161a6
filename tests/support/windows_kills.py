"""Brain, hand and guard killed in turn on Windows, each during a batch that holds something."""

from __future__ import annotations

import queue
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from random import Random
from typing import IO, Literal, NamedTuple, TypeAlias, cast

import msgspec

from benchmarks.report import ROOT, BenchmarkError
from desktop_agent.protocol.geometry import Geometry, Viewport
from desktop_agent.targets._windows import WindowsScreen
from desktop_agent.targets.base import Address
from installer.windows_check.probes.killing import Seen, kill_and_watch
from tests.support import jobs
from tests.support.brain import Order
from tests.support.windows_desk import Reader

Victim: TypeAlias = Literal["brain", "hand", "guard"]
VICTIMS: tuple[Victim, ...] = ("brain", "hand", "guard")
SEED = 20_261_122
LATEST = 0.3
"""Seconds into a batch by which the kill has come."""
SECONDS = 60.0
LEFT = 500
"""Pixels from the left that belong to the window that reads."""


class Round(NamedTuple):
    """Who was killed during which kind of batch, and what was seen."""

    victim: Victim
    kind: str
    seen: Seen


def rounds(count: int) -> Iterator[Round]:
    """Carry out that many kills, each with a new hand and a new guard. Raises BenchmarkError."""
    random = Random(SEED)  # noqa: S311 - the same kills each time
    layout = WindowsScreen().geometry()
    with ExitStack() as stack:
        stack.enter_context(Reader())
        for number in range(count):
            with _Brain() as brain:
                yield _round(brain, VICTIMS[number % len(VICTIMS)], random, layout)


def _round(brain: _Brain, victim: Victim, random: Random, layout: Geometry) -> Round:
    make = random.choice(jobs.KINDS)
    view = Viewport(layout.bounds, layout.bounds.size, layout.epoch)
    brain.say(Order(Address("local"), view, make(random, LEFT, view.image)))
    hand, guard = (int(pid) for pid in brain.hear("pids"))
    brain.hear("began")
    threading.Event().wait(random.uniform(0, LATEST))
    pids = {"brain": brain.pid, "hand": hand, "guard": guard}
    others = [pid for name, pid in pids.items() if name not in (victim, "brain")]
    return Round(victim, make.__name__, kill_and_watch(pids[victim], others))


class _Brain:
    """`tests.support.brain` in a process of its own, spoken with in lines."""

    def __enter__(self) -> _Brain:
        command = [sys.executable, "-m", "tests.support.brain"]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT, bufsize=0
        )
        self.pid = self._process.pid
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()

    def _read(self) -> None:
        for line in cast(IO[bytes], self._process.stdout):
            self._lines.put(line)
        self._lines.put(b"")

    def say(self, message: msgspec.Struct) -> None:
        cast(IO[bytes], self._process.stdin).write(msgspec.json.encode(message) + b"\n")

    def hear(self, word: str) -> list[str]:
        """Skip lines until one begins with a word; the words after it. Raises BenchmarkError when none does."""
        while True:
            try:
                words = self._lines.get(timeout=SECONDS).decode().split()
            except queue.Empty:
                raise BenchmarkError("the brain fell silent") from None
            if words[:1] == [word]:
                return words[1:]
            if not words or words[0] == "over":
                raise BenchmarkError(f"the batch ended too early: {' '.join(words[1:])}")
