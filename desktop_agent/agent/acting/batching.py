"""Cuts a batch where the keyboard follows the pointer: what is typed must not overtake a click.

An application takes clicks and keys by different ways (a browser asks its page where a click went);
only the settled screen tells that the click has arrived. So the agent waits there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import msgspec

from desktop_agent.agent.policy.key_effects import combo
from desktop_agent.protocol import ops
from desktop_agent.protocol.ops import Op

_POINTS = (
    ops.Click, ops.MouseUp, ops.Drag, ops.ClickElement, ops.FocusElement, ops.DragElement,
)  # fmt: skip
_TYPES = (ops.KeyDown, ops.KeyCombo, ops.Type)
MAX_TABS = 16
"""Tabs in one text at which it is cut; a text with more of them is a table, not a form."""
# Keys that work on the text where they are; after all others the keyboard may be somewhere else.
_STAYS = frozenset(("backspace", "delete", "home", "end", "shift", "insert", "space", "altgr", "caps_lock"))
_STAYS_WITH_CTRL = frozenset(
    ("a", "c", "x", "v", "z", "y", "b", "i", "u", "home", "end", "backspace", "delete")
)
_GOES = frozenset(("tab", "up", "down", "left", "right", "page_up", "page_down", "shift", "ctrl"))
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
        if held == 0 and cut[-1] and isinstance(piece.op, _TYPES) and _leads_away(cut[-1][-1].op, piece.op):
            cut.append([])
        cut[-1].append(piece)
        held = max(0, held + isinstance(piece.op, _HOLDS) - isinstance(piece.op, _LETS_GO))
    return [tuple(segment) for segment in cut if segment]


def pieces(operations: Sequence[Op]) -> Iterator[Piece]:
    """Typing into an element is focusing it, then typing; every tab in a text leads to another field."""
    for origin, op in enumerate(operations):
        if not isinstance(op, ops.Type):
            yield Piece(op, origin)
            continue
        if op.element is not None:
            yield Piece(ops.FocusElement(op.element), origin)
        parts = op.text.split("\t") if op.text.count("\t") <= MAX_TABS else [op.text]
        for part in (*(f"{part}\t" for part in parts[:-1]), *parts[-1:]):
            if part or len(parts) == 1:
                yield Piece(msgspec.structs.replace(op, text=part, element=None), origin)


def _leads_away(before: Op, after: Op) -> bool:
    """Must it be seen where the keyboard is now before `after` is sent?"""
    if isinstance(before, _POINTS):
        return True
    return moves_focus(before) and not goes_on(after)


def goes_on(op: Op) -> bool:
    """Does it only move the keyboard on, as Tab and the arrow keys do?"""
    return isinstance(op, ops.KeyCombo | ops.KeyDown) and combo(op) <= _GOES


def moves_focus(op: Op) -> bool:
    """May the keyboard be in another field or window once this was pressed?"""
    if isinstance(op, ops.Type):
        return op.text.endswith(("\t", "\n"))
    if isinstance(op, ops.KeyUp):
        return moves_focus(ops.KeyDown(op.key))
    if not isinstance(op, ops.KeyCombo | ops.KeyDown):
        return False
    keys = combo(op)
    if "ctrl" in keys:
        return not keys <= _STAYS_WITH_CTRL | {"ctrl", "shift"}
    return not all(key in _STAYS or len(key) == 1 for key in keys)
