"""The product's hand, as the harness is given it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from desktop_agent.hand.client import Hands
from desktop_agent.protocol import ops
from desktop_agent.protocol.batch import Batch
from desktop_agent.protocol.geometry import Viewport
from desktop_agent.targets._embedded import EmbeddedDisplay

SECONDS = 60.0
Action = Mapping[str, Any]


class CannotAct(Exception):
    """The hand gave up; the message is its own."""


class HarnessHand:
    """The product's hand and guard, given each of the harness's actions as a batch.

    Nothing stays held after a batch, so a press waits here for its release and goes into one batch with it.
    """

    def __init__(self, target: EmbeddedDisplay) -> None:
        self._hands = Hands(target.address())
        self._hands.start()
        layout = target.geometry()
        self._view = Viewport(layout.bounds, layout.bounds.size, layout.epoch)
        self._waiting: list[ops.Op] = []

    def act(self, action: Action) -> None:
        """Raises CannotAct."""
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
