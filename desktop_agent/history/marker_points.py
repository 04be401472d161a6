"""Where an operation of a recorded run begins and ends, in fractions of the picture it is shown on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

import msgspec

from desktop_agent.protocol.geometry import Point, Rect, Viewport

Fraction: TypeAlias = tuple[float, float]
"""A place in a picture: right and down, from 0 to 1."""


def fraction_of(at: Point, region: Rect) -> Fraction | None:
    """Where a screen point lies in a picture of `region`; None when it lies outside."""
    if region.empty or not region.contains(at):
        return None
    return (at.x - region.x + 0.5) / region.width, (at.y - region.y + 0.5) / region.height


def drag_ends(intent: Mapping[str, Any]) -> Iterator[tuple[str, Point]]:
    """The name of each drag of a batch, from its `intent` record, with the screen point where it ends.

    Raises msgspec.ValidationError, KeyError or TypeError for a record that is damaged.
    """
    view = msgspec.convert(intent["viewport"], Viewport)
    for op in intent["operations"]:
        if op["op"] == "drag":
            end = op["path"][-1]
            yield "drag", view.to_screen(int(end["x"]), int(end["y"]))
        elif op["op"] == "drag_element" and op["to"] in intent["elements"]:
            yield "drag_element", msgspec.convert(intent["elements"][op["to"]], Rect).center
