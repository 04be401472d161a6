"""Runs inside Windows as `python -m benchmarks.windows_parts.worker PORT`: acts and looks as it is told.

It connects to that port of 127.0.0.1. One JSON line is one task; it answers with JSON lists: `pids BRAIN HAND GUARD`
and `began` while it acts, `over ...` at the end of each task.
"""

from __future__ import annotations

import json
import os
import socket
import sys
import time
from io import BufferedRWPair

import msgspec

from desktop_agent.hand.client import Hands
from desktop_agent.protocol.batch import Batch, Progress
from desktop_agent.protocol.errors import HandError
from desktop_agent.protocol.geometry import Viewport
from desktop_agent.protocol.ops import Op
from desktop_agent.targets import local
from desktop_agent.targets.base import Target
from installer.windows_check.probes.windows import set_text


class Act(msgspec.Struct, frozen=True, tag="act"):
    """Carry out operations on the desktop. Answer: outcome, detail, and the seconds it took."""

    operations: tuple[Op, ...]


class Look(msgspec.Struct, frozen=True, tag="look"):
    """Look so many times, with or without a change in a window's edit control before. Answer: milliseconds each."""

    times: int
    window: int = 0


Task = Act | Look
MOST_TRIES = 100


class Worker:
    """Target, hand and guard of this session."""

    def __init__(self, stream: BufferedRWPair) -> None:
        self._stream = stream
        self._target: Target = local.create(local.Options())
        self._target.start()
        self._hands = Hands(self._target.address(), takeover=False)

    def serve(self) -> None:
        """Work until the other side hangs up."""
        for line in self._stream:
            task: Task = msgspec.json.decode(line, type=Task)
            self._say("over", *(self._act(task) if isinstance(task, Act) else self._look(task)))
        self._hands.close()

    def _say(self, *words: object) -> None:
        self._stream.write(json.dumps(words).encode() + b"\n")
        self._stream.flush()

    def _act(self, task: Act) -> tuple[str, str, float]:
        began = 0.0

        def follow(_: Progress) -> None:
            nonlocal began
            if not began:
                began = time.perf_counter()
                self._say("began")

        try:
            self._hands.reset()
            self._say("pids", os.getpid(), *self._hands.pids)
            layout = self._target.geometry()
            viewport = Viewport(layout.bounds, layout.bounds.size, layout.epoch)
            results = self._hands.execute(
                Batch("b", task.operations, viewport, {}, self._hands.generation), follow
            )
        except HandError as error:
            return "failed", error.message, 0.0
        return results[-1].outcome, results[-1].detail, time.perf_counter() - began

    def _look(self, task: Look) -> list[float]:
        found: list[float] = []
        before = self._target.observe()
        for number in range(task.times * MOST_TRIES):
            if len(found) == task.times:
                break
            if task.window:
                set_text(task.window, f"look {number} " * 40)
            began = time.perf_counter()
            frame = self._target.observe()
            took = time.perf_counter() - began
            if (frame.pixels != before.pixels) == bool(task.window):  # what was asked for
                found.append(took * 1000)
            before = frame
        return found


def main() -> int:
    """Serve one caller."""
    with socket.create_connection(("127.0.0.1", int(sys.argv[1]))) as line, line.makefile("rwb") as stream:
        Worker(stream).serve()
    return 0


if __name__ == "__main__":
    sys.exit(main())
