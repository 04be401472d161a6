"""Whose hand acts: the product's, and xdotool as the harness itself uses it."""

from __future__ import annotations

import json
import subprocess
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any, ClassVar, cast

from benchmarks import peers
from desktop_agent.hand.client import Hands
from desktop_agent.protocol import ops
from desktop_agent.protocol.batch import Batch
from desktop_agent.protocol.geometry import Viewport
from desktop_agent.targets._embedded import EmbeddedDisplay

SECONDS = 60.0
Action = Mapping[str, Any]


class CannotAct(Exception):
    """The hand gave up; the message is its own."""


class Hand(ABC):
    """Carries out the harness's actions one by one on a display."""

    name: ClassVar[str]

    @abstractmethod
    def act(self, action: Action) -> None:
        """Raises CannotAct."""

    @abstractmethod
    def close(self) -> None:
        """Give back what it uses."""


class Ours(Hand):
    """The product's hand and guard, given each action as a batch.

    Nothing stays held after a batch, so a press waits here for its release and goes into one batch with it.
    """

    name = "our hand"

    def __init__(self, target: EmbeddedDisplay) -> None:
        self._hands = Hands(target.address())
        self._hands.start()
        layout = target.geometry()
        self._view = Viewport(layout.bounds, layout.bounds.size, layout.epoch)
        self._waiting: list[ops.Op] = []

    def act(self, action: Action) -> None:
        self._waiting += operations(action)
        if any(isinstance(op, ops.MouseDown) for op in self._waiting) and action["kind"] != "button_release":
            return
        batch = Batch("b", tuple(self._waiting), self._view, {}, self._hands.generation, SECONDS)
        self._waiting = []
        for result in self._hands.execute(batch):
            if result.outcome != "done":
                raise CannotAct(f"{result.outcome}: {result.detail}")

    def close(self) -> None:
        self._hands.close()


def operations(action: Action) -> Iterator[ops.Op]:
    """Our operations for one of the harness's actions (whose `dy_ticks` go down)."""
    match action:
        case {"kind": "move", "x": x, "y": y}:
            yield ops.Move(x, y)
        case {"kind": "click", "x": x, "y": y}:
            yield ops.Click(x, y, action["button"], action["count"], tuple(action["modifiers"]))
        case {"kind": "button_press", "button": button, "x": x, "y": y}:
            yield ops.MouseDown(button, x, y)
        case {"kind": "button_release", "button": button, "x": x, "y": y}:
            yield ops.MouseUp(button, x, y)
        case {"kind": "drag", "path": path}:
            spots = tuple(ops.Spot(x, y) for x, y in path)
            yield ops.Drag(spots, action["button"], tuple(action["modifiers"]))
        case {"kind": "scroll", "x": x, "y": y}:
            yield from (ops.KeyDown(key) for key in action["modifiers"])
            yield ops.Scroll(action["dx_ticks"], -action["dy_ticks"], x, y)
            yield from (ops.KeyUp(key) for key in reversed(action["modifiers"]))
        case {"kind": "key_chord", "keys": keys}:
            yield ops.KeyCombo(tuple(keys))
        case {"kind": "type_text", "text": text}:
            yield ops.Type(text)
        case {"kind": "wait", "seconds": seconds}:
            yield ops.Wait(seconds)
        case _:
            raise CannotAct(f"there is no operation for {action['kind']!r}")


class XDoTool(Hand):
    """The commands that the harness itself makes of an action for xdotool (its `ga-ref-xdotool` adapter)."""

    name = "xdotool"

    def __init__(self, target: EmbeddedDisplay, python: Path) -> None:
        self._program = peers.program("xdotool", "xdotool")
        self._environment = {**target.environment, "LC_ALL": "C.UTF-8"}  # else it knows ASCII only
        self._commands = subprocess.Popen(
            [python, Path(__file__).with_name("with_xdotool.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def act(self, action: Action) -> None:
        asking, answering = (
            cast(IO[bytes], self._commands.stdin),
            cast(IO[bytes], self._commands.stdout),
        )
        asking.write(json.dumps(action).encode() + b"\n")
        asking.flush()
        for words in json.loads(answering.readline()):
            ran = subprocess.run(
                [self._program, *words], env=self._environment, capture_output=True, timeout=SECONDS
            )
            if ran.returncode:
                raise CannotAct(ran.stderr.decode(errors="replace").strip())

    def close(self) -> None:
        cast(IO[bytes], self._commands.stdin).close()
        self._commands.wait(20)
