"""Cuts a batch of operations into units and into segments of pieces.

A *unit* is what one yes or no of the human is about: an operation, or several from a press to its
release. A *piece* is an operation as the hand gets it: `type` into an element is focusing it, then
typing. A *segment* is a run of pieces that is sent at once; between two segments the screen settles.

Segments exist because what is typed must not overtake a click: an application takes clicks and keys by
different ways (a browser asks its page where a click went), and only the settled screen tells that the
click has arrived. Neither cut separates a press from its release, as the hand releases everything at
the end of what it is sent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import TypeAlias, TypeVar

import msgspec

from desktop_agent.policy.facts.key_effects import combo
from desktop_agent.protocol import ops
from desktop_agent.protocol.ops import Op

MAX_TABS = 16
"""Tabs in one text at which it is cut; a text with more of them is a table, not a form."""
LONGEST_SEGMENT = 128
"""Operations that are sent at once where a button may stay down from one batch to the next."""
# Keys that work on the text where they are; after all others the keyboard may be somewhere else.
_STAYS = frozenset(("backspace", "delete", "home", "end", "shift", "insert", "space", "altgr", "caps_lock"))
_STAYS_WITH_CTRL = frozenset(
    ("a", "c", "x", "v", "z", "y", "b", "i", "u", "home", "end", "backspace", "delete")
)
_GOES = frozenset(("tab", "up", "down", "left", "right", "page_up", "page_down", "shift", "ctrl"))

Unit: TypeAlias = tuple[Op, ...]
_Each = TypeVar("_Each")


@dataclass(frozen=True)
class Piece:
    """An operation for the hand, and the index of the operation of the batch that it belongs to."""

    op: Op
    origin: int


Segment: TypeAlias = tuple[Piece, ...]


def units(operations: Iterable[Op]) -> list[Unit]:
    """Cuts operations into units: single ones, but all for the hand from a press to its release in one."""
    cut: list[Unit] = []
    for by_hand, run in groupby(operations, lambda op: op.traits.carried_out_by == "hand"):
        together = list(run)
        cut += _held_together(together, lambda op: op) if by_hand else [(op,) for op in together]
    return cut


def segments(operations: Iterable[Op], *, may_hold: bool = False) -> list[Segment]:
    """Cuts operations into segments: before each key press that comes after something that may move the keyboard.

    `may_hold`: the press and the release of a button need not be sent at once. Then none is much longer than LONGEST_SEGMENT.
    """
    cut: list[Segment] = []
    for run in _held_together(_pieces(operations), lambda piece: piece.op, keys_only=may_hold):
        full = may_hold and cut and len(cut[-1]) >= LONGEST_SEGMENT
        if cut and not full and not _must_settle(cut[-1][-1].op, run[0].op):
            cut[-1] += run
        else:
            cut.append(run)
    return cut


def _held_together(
    items: Iterable[_Each], op_of: Callable[[_Each], Op], *, keys_only: bool = False
) -> Iterator[tuple[_Each, ...]]:
    """Single items, or runs of them while a key or a button is held; the last may stay held to the end."""
    run: list[_Each] = []
    held = 0
    for item in items:
        run.append(item)
        traits = op_of(item).traits
        held = max(0, held + (0 if keys_only and traits.pointer else traits.holds))
        if held == 0:
            yield tuple(run)
            run = []
    if run:
        yield tuple(run)


def _pieces(operations: Iterable[Op]) -> Iterator[Piece]:
    """Splits `type` into focusing its element and typing, one piece for every tab: it leads to another field."""
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


def _must_settle(before: Op, after: Op) -> bool:
    """Must it be seen where the keyboard is now before `after` is sent?"""
    if not after.traits.keyboard:
        return False
    return before.traits.gives_focus or (moves_focus(before) and not goes_on(after))


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
