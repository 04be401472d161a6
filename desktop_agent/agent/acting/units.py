"""Which operations belong together, and the point on the screen each of them means."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_agent.protocol import ops
from desktop_agent.protocol.geometry import Point
from desktop_agent.protocol.ops import Op
from desktop_agent.vision.observation import Observation

_PRESSES = (ops.MouseDown, ops.KeyDown)
_RELEASES = (ops.MouseUp, ops.KeyUp)


def place_of(op: Op, observation: Observation) -> Point | None:
    """The screen point an operation acts on, if it names one inside the picture."""
    bounds = {each.id: each.bounds for each in observation.elements}
    id = getattr(op, "element", None)
    if id is not None:
        return bounds[id].center if id in bounds else None
    first = op.path[0] if isinstance(op, ops.Drag) else op
    x, y = getattr(first, "x", None), getattr(first, "y", None)
    view = observation.viewport
    inside = x is not None and y is not None and x < view.image.width and y < view.image.height
    return view.to_screen(x, y) if inside and x is not None and y is not None else None


def split(operations: Sequence[Op]) -> list[tuple[Op, ...]]:
    """Single operations, but what is held between a press and its release stays together."""
    units: list[tuple[Op, ...]] = []
    open_unit: list[Op] = []
    held = 0
    for op in operations:
        open_unit.append(op)
        held += isinstance(op, _PRESSES) - isinstance(op, _RELEASES)
        if held <= 0:
            units.append(tuple(open_unit))
            open_unit, held = [], 0
    return [*units, tuple(open_unit)] if open_unit else units
