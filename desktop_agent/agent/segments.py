"""Cuts a batch where the keyboard follows the pointer: what is typed must not overtake a click.

An application takes clicks and keys by different ways (a browser asks its page where a click went);
only the settled screen tells that the click has arrived. So the agent waits there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import msgspec

from desktop_agent.protocol import ops
from desktop_agent.protocol.ops import Op

_POINTS = (
    ops.Click, ops.MouseUp, ops.Drag, ops.ClickElement, ops.FocusElement, ops.DragElement,
)  # fmt: skip
_TYPES = (ops.KeyDown, ops.KeyCombo, ops.Type)
_HOLDS = (ops.MouseDown, ops.KeyDown)
_LETS_GO = (ops.MouseUp, ops.KeyUp)


@dataclass(frozen=True)
class Piece:
    """An operation for the hand, and the index of the asked-for operation it belongs to."""

    op: Op
    origin: int


def segments(operations: Sequence[Op]) -> list[tuple[Piece, ...]]:
    """Runs of pieces to be carried out at once, each after the screen has settled from the one before.

    Nothing is cut while something is held down: every batch ends with all released.
    """
    cut: list[list[Piece]] = [[]]
    held = 0
    for piece in pieces(operations):
        if held == 0 and cut[-1] and isinstance(piece.op, _TYPES) and isinstance(cut[-1][-1].op, _POINTS):
            cut.append([])
        cut[-1].append(piece)
        held = max(0, held + isinstance(piece.op, _HOLDS) - isinstance(piece.op, _LETS_GO))
    return [tuple(segment) for segment in cut if segment]


def pieces(operations: Sequence[Op]) -> Iterator[Piece]:
    """Typing into an element is focusing it, then typing."""
    for origin, op in enumerate(operations):
        if isinstance(op, ops.Type) and op.element is not None:
            yield Piece(ops.FocusElement(op.element), origin)
            yield Piece(msgspec.structs.replace(op, element=None), origin)
        else:
            yield Piece(op, origin)
