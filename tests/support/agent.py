"""The agent in a measurement: a process with hand and guard that is given work, and trouble, from here."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from typing import IO, Any, Self, cast

import msgspec

from benchmarks.report import ROOT, BenchmarkError
from desktop_agent.protocol.geometry import Viewport
from desktop_agent.targets.base import Target
from tests.support.acting import Order, Place, Reset

SECONDS = 60.0


class Ending(msgspec.Struct, frozen=True):
    """How an order ended: outcome and detail of the operation that ended it, how long all took, how often
    guard and hand each have noticed ESC by themselves."""

    outcome: str
    detail: str
    seconds: float
    guard: int
    hand: int


class Agent:
    """Hand and guard at work on a desk, their brain in a process of its own. Raises BenchmarkError."""

    def __init__(self, desk: Target, environment: Mapping[str, str] | None = None) -> None:
        """`environment` leads to the display its human sits at, where that is not the desk."""
        layout = desk.geometry()
        view = Viewport(layout.bounds, layout.bounds.size, layout.epoch)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.acting"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=ROOT,
            env={**os.environ, **(environment or {})},
        )
        self._orders = cast(IO[bytes], self._process.stdin)
        self._answers = cast(IO[bytes], self._process.stdout)
        self._heard: list[dict[str, Any]] = []
        self._ended = False
        self._changed = threading.Condition()
        threading.Thread(target=self._listen, name="agent", daemon=True).start()
        try:
            self._send(Place(desk.address(), view))
            self.pids: tuple[int, int] = tuple(self._hear("pids")["pids"])
            """Process ids of hand and guard."""
        except BaseException:
            self.close()
            raise

    def begin(self, order: Order) -> None:
        """Let it carry out an order; `end` returns how it went."""
        self._send(order)

    def await_trouble(self, name: str) -> None:
        """Return when the trouble has begun."""
        found = self._hear("trouble")["trouble"]
        if found != name:
            raise BenchmarkError(f"the brain has trouble {found!r} and not {name!r}")

    def end(self) -> Ending:
        """Wait for the end of the order."""
        return msgspec.convert(self._hear("outcome"), Ending)

    def carry_out(self, order: Order) -> Ending:
        """Begin and end."""
        self.begin(order)
        return self.end()

    def reset(self) -> None:
        """Reset the stop, once ESC has been let go."""
        self._send(Reset())
        self._hear("reset")

    def reset_before_reply(self) -> None:
        """Reset the stop while the model has not answered yet; returns when the answer is waited for."""
        self._send(Reset(late=True))
        self.await_trouble("waiting")

    def late_outcome(self) -> str:
        """What came of the batch of a reply that came after the stop and the reset."""
        return str(self._hear("reset")["reset"])

    def _send(self, message: Place | Order | Reset) -> None:
        try:
            self._orders.write(msgspec.json.encode(message) + b"\n")
            self._orders.flush()
        except OSError as error:
            raise BenchmarkError("the brain's process ended") from error

    def _hear(self, key: str) -> dict[str, Any]:
        """The first message with this key; it is taken."""

        def found() -> dict[str, Any] | None:
            return next((message for message in self._heard if key in message), None)

        deadline = time.monotonic() + SECONDS
        with self._changed:
            while (message := found()) is None:
                left = deadline - time.monotonic()
                if self._ended or left <= 0:
                    raise BenchmarkError("the brain's process ended" if self._ended else f"no word of {key}")
                self._changed.wait(left)
            self._heard.remove(message)
            return message

    def _listen(self) -> None:
        for line in self._answers:
            with self._changed:
                self._heard.append(json.loads(line))
                self._changed.notify_all()
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def close(self) -> None:
        """End the brain's process, and with it hand and guard."""
        self._orders.close()
        try:
            self._process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
