"""Who types: our hand, and xdotool beside it."""

from __future__ import annotations

import subprocess
import time
from abc import ABC, abstractmethod
from typing import ClassVar, Self

from benchmarks import peers
from benchmarks.typing_parts.desk import Desk
from desktop_agent.hand.client import Hands
from desktop_agent.protocol import ops
from desktop_agent.protocol.batch import Batch
from desktop_agent.protocol.geometry import Viewport


class CannotType(Exception):
    """The tool gave up; the message is its own."""


class Typist(ABC):
    """Types into the window that has the keyboard."""

    name: ClassVar[str]

    @abstractmethod
    def type(self, text: str) -> float:
        """Returns the seconds until the tool says that it is done. Raises CannotType."""

    def close(self) -> None:
        """Give back what it uses."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Ours(Typist):
    """The product's hand and guard, given a batch with one operation."""

    name = "our hand"

    def __init__(self, desk: Desk) -> None:
        self._hands = Hands(desk.target.address())
        self._hands.start()
        layout = desk.target.geometry()
        self._view = Viewport(layout.bounds, layout.bounds.size, layout.epoch)

    def type(self, text: str) -> float:
        batch = Batch("b", (ops.Type(text),), self._view, {}, self._hands.generation, 120.0)
        result = self._hands.execute(batch)[0]
        if result.outcome != "done":
            raise CannotType(f"{result.outcome}: {result.detail}")
        return result.seconds

    def close(self) -> None:
        self._hands.close()


class HastyXDoTool(Typist):
    """`xdotool type` without pauses between the keys."""

    name = "xdotool --delay 0"

    def __init__(self, desk: Desk) -> None:
        self._program = peers.program("xdotool", "xdotool")
        self._environment = desk.environment

    def type(self, text: str) -> float:
        began = time.monotonic()
        ran = subprocess.run(
            [self._program, "type", "--delay", "0", "--file", "-"],
            input=text.encode(), env=self._environment, capture_output=True, timeout=120,
        )  # fmt: skip
        if ran.returncode:
            raise CannotType(ran.stderr.decode(errors="replace").strip())
        return time.monotonic() - began
