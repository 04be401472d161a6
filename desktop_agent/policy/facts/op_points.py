"""The screen points that an operation names: where it begins and, for a drag, where it ends."""

from __future__ import annotations

from desktop_agent.protocol import ops
from desktop_agent.protocol.geometry import Point
from desktop_agent.protocol.ops import Op
from desktop_agent.vision.observation import Element, Observation


def start_point(op: Op, observation: Observation) -> Point | None:
    """The screen point where an operation acts first; None when it names none, or one outside the picture."""
    if isinstance(op, ops.Drag):
        return _of_pixel(op.path[0].x, op.path[0].y, observation)
    if element := getattr(op, "element", None):
        return _of_element(element, observation)
    return _of_pixel(getattr(op, "x", None), getattr(op, "y", None), observation)


def end_point(op: Op, observation: Observation) -> Point | None:
    """The screen point where a drag ends; None for every other operation, as for `start_point`."""
    if isinstance(op, ops.Drag):
        return _of_pixel(op.path[-1].x, op.path[-1].y, observation)
    return _of_element(op.to, observation) if isinstance(op, ops.DragElement) else None


def names_point(op: Op) -> bool:
    """Does the operation say where it acts, rather than leave it to where the pointer is?"""
    return (
        isinstance(op, ops.Drag) or bool(getattr(op, "element", None)) or getattr(op, "x", None) is not None
    )


def typed_into(op: Op, observation: Observation) -> Element | None:
    """The field that a text goes into: the one it names, else the one with the keyboard; None for other operations."""
    if not isinstance(op, ops.Type):
        return None
    return next(
        (e for e in observation.elements if (e.id == op.element if op.element else "focused" in e.states)),
        None,
    )


def _of_element(id: str, observation: Observation) -> Point | None:
    return next((each.bounds.center for each in observation.elements if each.id == id), None)


def _of_pixel(x: int | None, y: int | None, observation: Observation) -> Point | None:
    view = observation.viewport
    if x is None or y is None or x >= view.image.width or y >= view.image.height:
        return None
    return view.to_screen(x, y)
