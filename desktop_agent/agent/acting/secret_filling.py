"""Replaces stand-ins by the values of marked secrets in what is typed, on the way to the hand and nowhere else."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Protocol

import msgspec

from desktop_agent.protocol import ops
from desktop_agent.protocol.agent_events import Outcome
from desktop_agent.protocol.batch import Batch, OpResult, Progress
from desktop_agent.protocol.ops import Op
from desktop_agent.protocol.seal import seal, sealed
from desktop_agent.redaction.redactor import redactor, stand_in

_PROGRESS = re.compile(r" \(\d+ of \d+ characters were typed\)")
_TYPED_TEXT = re.compile(r"[^\x00-\x08\x0b-\x1f\x7f]*")


class CarriesOut(Protocol):
    """What carries out a batch."""

    def execute(self, batch: Batch, on_progress: Callable[[Progress], None]) -> list[OpResult]: ...


def execute_filled(hand: CarriesOut, batch: Batch, on_progress: Callable[[Progress], None]) -> list[OpResult]:
    """Have the hand carry out the batch with its secrets filled in; what it says of it is told without them.

    The batch that is recorded, shown and judged is the one with the stand-ins.
    """
    results = _unfilled(batch) or hand.execute(_filled(batch), on_progress)
    return [_cleaned(result, batch.operations[result.index]) for result in results]


def types_secret(batch: Batch) -> bool:
    """Is a secret filled in before the hand gets the batch?"""
    return any(_names(op) for op in batch.operations)


def _filled(batch: Batch) -> Batch:
    names = {name for op in batch.operations for name in _names(op)}
    if not names:
        return batch
    operations = tuple(
        msgspec.structs.replace(op, text=redactor().fill(op.text)) if isinstance(op, ops.Type) else op
        for op in batch.operations
    )
    hidden = tuple(redactor().fill(stand_in(name)) for name in sorted(names))
    filled = msgspec.structs.replace(batch, operations=operations, hidden=hidden)
    # The human's yes is to the stand-ins; whatever else is not as it was stays refused by the hand.
    return sealed(filled) if batch.approval and batch.approval == seal(batch) else filled


def _unfilled(batch: Batch) -> list[OpResult]:
    """The results of a batch that cannot be filled, and why; [] when it can."""
    problems = (_problem(name) for op in batch.operations for name in _names(op))
    why = next(filter(None, problems), "")
    outcomes: list[Outcome] = ["refused", *["skipped" for _ in batch.operations[1:]]]  # type: ignore[list-item]
    return [OpResult(batch.id, index, each, why) for index, each in enumerate(outcomes)] if why else []


def _names(op: Op) -> tuple[str, ...]:
    return redactor().stand_ins(op.text) if isinstance(op, ops.Type) else ()


def _problem(name: str) -> str:
    if not redactor().has(name):
        return f"There is no secret called {stand_in(name)}. Ask the user to give it, as in {stand_in(' …')}."
    if not _TYPED_TEXT.fullmatch(redactor().fill(stand_in(name))):
        return f"The secret {stand_in(name)} has characters that cannot be typed. Ask the user to paste it."
    return ""


def _cleaned(result: OpResult, op: Op) -> OpResult:
    """Also without how long a secret is."""
    detail = redactor().clean(result.detail)
    detail = _PROGRESS.sub(" (a part was typed)", detail) if _names(op) else detail
    return msgspec.structs.replace(result, detail=detail, typed=0 if _names(op) else result.typed)
