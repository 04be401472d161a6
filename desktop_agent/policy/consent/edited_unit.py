"""Applies the user's changes to the operations of a question, and tells what can be changed of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import get_args

import msgspec

from desktop_agent.policy.facts.batching import Unit
from desktop_agent.policy.facts.op_points import start_point
from desktop_agent.protocol import ops
from desktop_agent.protocol.errors import BadReply, OutOfBounds, Refused
from desktop_agent.protocol.geometry import Point
from desktop_agent.protocol.op_change import Changeable, ChangePart, NearElement, OpChange
from desktop_agent.protocol.ops import Op
from desktop_agent.protocol.reply import check
from desktop_agent.redaction.redactor import redactor
from desktop_agent.vision.elements.describe import one_line
from desktop_agent.vision.observation import Element, Observation

MOST_NEAR = 8
_NAME = 60
_TEXTS: tuple[ChangePart, ...] = tuple(part for part in get_args(ChangePart) if part != "place")
_CHOOSE_AGAIN = "Choose another place, or say what to do instead."


def changeable(unit: Sequence[Op]) -> tuple[Changeable, ...]:
    """What the user may change of these operations: their texts, and the place of a click.

    A text that holds a secret is left out: it is shown without it, and would come back so.
    """
    return tuple(part for index, op in enumerate(unit) for part in _parts(index, op))


def _parts(index: int, op: Op) -> Iterator[Changeable]:
    for part in _TEXTS:
        value = getattr(op, part, None)
        if isinstance(value, str) and not redactor().hides(value):
            yield Changeable(index, part, value)
    if isinstance(op, ops.ClickElement) or (isinstance(op, ops.Click) and op.x is not None):
        yield Changeable(index, "place")


def near(unit: Sequence[Op], observation: Observation) -> tuple[NearElement, ...]:
    """The elements nearest to the first place that can be changed, without the one it is now."""
    index = next((each.index for each in changeable(unit) if each.part == "place"), None)
    at = start_point(unit[index], observation) if index is not None else None
    if index is None or at is None:
        return ()
    now = getattr(unit[index], "element", "")
    others = [
        each
        for each in observation.elements
        if each.id != now and each.name.strip() and not each.bounds.empty
    ]
    others.sort(key=lambda each: _distance(each, at))
    return tuple(
        NearElement(each.id, f"{each.role} “{one_line(each.name, _NAME)}”", each.bounds)
        for each in others[:MOST_NEAR]
    )


def _distance(element: Element, at: Point) -> int:
    """Squared, from the nearest pixel of the element."""
    area = element.bounds
    dx = max(area.x - at.x, 0, at.x - area.right + 1)
    dy = max(area.y - at.y, 0, at.y - area.bottom + 1)
    return dx * dx + dy * dy


def edited(unit: Unit, changes: Iterable[OpChange], observation: Observation) -> Unit:
    """The operations with the user's changes. Raises Refused, in words for the user, where one cannot be made.

    What comes out has passed the same validation as a model's reply.
    """
    allowed = {(each.index, each.part) for each in changeable(unit)}
    changed = list(unit)
    for each in changes:
        if (each.index, each.part) not in allowed:
            raise Refused("This cannot be changed.", "Say what to do instead.")
        op = changed[each.index]
        changed[each.index] = (
            _elsewhere(op, each, observation)
            if each.part == "place"
            else msgspec.structs.replace(op, **{each.part: redactor().mark(each.text)})
        )
    try:
        return tuple(check({"actions": msgspec.to_builtins(changed)}).actions)
    except BadReply as error:
        words = "; ".join(each.message for each in error.problems)
        raise Refused(f"That cannot be done: {words}.", "Change it again.") from error


def _elsewhere(op: Op, change: OpChange, observation: Observation) -> Op:
    """The click at another element, or at another point of the screen."""
    if not isinstance(op, ops.Click | ops.ClickElement):
        raise Refused("The place of this cannot be changed.", "Say what to do instead.")
    if change.element:
        if all(each.id != change.element for each in observation.elements):
            raise Refused("That element is not there.", _CHOOSE_AGAIN)
        return ops.ClickElement(change.element, op.button, op.count, op.modifiers)
    if change.at is None:
        raise Refused("No place was chosen.", _CHOOSE_AGAIN)
    try:
        pixel = observation.viewport.to_image(change.at)
    except OutOfBounds as error:
        raise Refused("That place is outside of what the agent sees.", _CHOOSE_AGAIN) from error
    return ops.Click(pixel.x, pixel.y, op.button, op.count, op.modifiers)


def new_texts(before: Unit, after: Unit) -> Iterator[str]:
    """The texts of operations that the user has worded anew."""
    for old, new in zip(before, after, strict=True):
        for part in _TEXTS:
            text = getattr(new, part, None)
            if isinstance(text, str) and text != getattr(old, part, None):
                yield text
