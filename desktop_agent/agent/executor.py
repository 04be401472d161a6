"""Carries out a batch through the hand and tells what came of every operation."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

import msgspec

from desktop_agent.agent.approval import place_of
from desktop_agent.agent.feed import Feed
from desktop_agent.agent.observer import Observer
from desktop_agent.agent.segments import Piece, segments
from desktop_agent.agent.words import exact, past, present
from desktop_agent.llm.base import Deed
from desktop_agent.protocol import ops
from desktop_agent.protocol.batch import Batch, OpResult, Progress
from desktop_agent.protocol.feed import Action, Effect, Result
from desktop_agent.protocol.geometry import Rect
from desktop_agent.protocol.ops import Op, name_of
from desktop_agent.protocol.stopping import StopFlag
from desktop_agent.vision.observation import Element, Observation
from desktop_agent.vision.settle import Settled

Segment: TypeAlias = tuple[Piece, ...]

_VISIBLE = (
    ops.Click, ops.MouseUp, ops.Drag, ops.Scroll, ops.KeyCombo, ops.KeyUp, ops.KeyDown, ops.Type, ops.Open,
    ops.ClickElement, ops.FocusElement, ops.DragElement, ops.ScrollElement,
)  # fmt: skip


class Hand(Protocol):
    """What the executor needs of the hand."""

    @property
    def generation(self) -> int:
        """The stop generation; a batch made before a stop is refused."""

    def execute(self, batch: Batch, on_progress: Callable[[Progress], None]) -> list[OpResult]:
        """Carry out a batch; one result per operation."""


@dataclass(frozen=True)
class Executed:
    """What came of a batch: the deeds for memory, and how the screen settled."""

    deeds: list[Deed]
    settled: Settled | None
    act_seconds: float = 0.0

    @property
    def all_done(self) -> bool:
        return all(deed.outcome == "done" for deed in self.deeds)


@dataclass
class Executor:
    """Numbers the actions of one run and reports them to the feed."""

    hand: Hand
    feed: Feed
    observer: Observer
    batch_seconds: float
    _numbers: itertools.count[int] = field(default_factory=lambda: itertools.count(1))
    _batches: itertools.count[int] = field(default_factory=lambda: itertools.count(1))

    def execute(
        self, operations: tuple[Op, ...], observation: Observation, turn: int, stop: StopFlag
    ) -> Executed:
        """Do the operations against the observation, wait until the screen settles, report each result.

        Raises StoreError when the intent cannot be recorded (nothing is done then), HandError, Stopped.
        """
        numbers = [next(self._numbers) for _ in operations]
        elements = {each.id: each for each in observation.elements}
        results: dict[int, OpResult] = {}
        settled: Settled | None = None
        for segment in segments(operations):
            announce = self._announcer(operations, numbers, segment, elements, observation)
            batch = self._batch(segment, observation, turn)
            stop.check()
            self.feed.record("intent", batch)
            _merge(results, segment, self.hand.execute(batch, announce))
            settled = self._settle(segment, results, observation, stop) or settled
            if any(result.outcome != "done" for result in results.values()):
                break
        return self._report(operations, numbers, _complete(operations, results), settled, elements, turn)

    def _batch(self, segment: Segment, observation: Observation, turn: int) -> Batch:
        operations = tuple(piece.op for piece in segment)
        return Batch(
            id=f"{turn}-{next(self._batches)}",
            operations=operations,
            viewport=observation.viewport,
            elements=_bounds_of(operations, observation),
            generation=self.hand.generation,
            seconds=self.batch_seconds,
        )

    def _announcer(
        self,
        operations: tuple[Op, ...],
        numbers: list[int],
        segment: Segment,
        elements: dict[str, Element],
        observation: Observation,
    ) -> Callable[[Progress], None]:
        """Tells the feed once when each asked-for operation begins."""

        def announce(progress: Progress) -> None:
            origin = segment[progress.index].origin
            if not any(piece.origin == origin for piece in segment[: progress.index]) and origin not in told:
                op = operations[origin]
                at = progress.at or place_of(op, observation)
                action = Action(
                    number=numbers[origin],
                    op=name_of(op),
                    words=present(op, elements),
                    exact=exact(op, at),
                    at=at,
                )
                self.feed.emit(action)

        told = {piece.origin for piece in segment if _continues(piece, segment, operations)}
        return announce

    def _settle(
        self, segment: Segment, results: dict[int, OpResult], observation: Observation, stop: StopFlag
    ) -> Settled | None:
        acted = any(results[p.origin].outcome == "done" and isinstance(p.op, _VISIBLE) for p in segment)
        return self.observer.settle(observation.frame, stop) if acted and not stop.is_set() else None

    def _report(
        self,
        operations: tuple[Op, ...],
        numbers: list[int],
        results: list[OpResult],
        settled: Settled | None,
        elements: dict[str, Element],
        turn: int,
    ) -> Executed:
        last = max(
            (r.index for r in results if r.outcome == "done" and isinstance(operations[r.index], _VISIBLE)),
            default=-1,
        )
        deeds = []
        for result in results:
            op = operations[result.index]
            effect = _effect(settled) if result.index == last else "unknown"
            words = past(op, elements) if result.outcome == "done" else present(op, elements)
            self.feed.emit(
                Result(
                    number=numbers[result.index],
                    outcome=result.outcome,
                    words=words,
                    detail=result.detail,
                    effect=effect,
                    seconds=result.seconds,
                )
            )
            deeds.append(Deed(turn, op, words, result.outcome, result.detail, effect))
        return Executed(deeds, settled, sum(result.seconds for result in results))


def _continues(piece: Piece, segment: Segment, operations: tuple[Op, ...]) -> bool:
    """The second half of an operation, in a segment of its own: it has been announced already."""
    return piece is segment[0] and piece.op != operations[piece.origin] and isinstance(piece.op, ops.Type)


def _merge(results: dict[int, OpResult], segment: Segment, news: list[OpResult]) -> None:
    """Results of pieces as results of what was asked for; times add up, the first failure stays."""
    for result in news:
        origin = segment[result.index].origin
        before = results.get(origin)
        if before is None or before.outcome == "done":
            seconds = result.seconds + (before.seconds if before else 0.0)
            results[origin] = msgspec.structs.replace(result, index=origin, seconds=seconds)


def _complete(operations: tuple[Op, ...], results: dict[int, OpResult]) -> list[OpResult]:
    """One result for every operation: what was never sent was skipped, and why."""
    failed = next((r for r in results.values() if r.outcome != "done"), None)
    why = f"operation {failed.index + 1} was not done" if failed else ""
    return [
        results.get(index, OpResult(failed.batch if failed else "", index, "skipped", why))
        for index in range(len(operations))
    ]


def _bounds_of(operations: tuple[Op, ...], observation: Observation) -> dict[str, Rect]:
    named = {getattr(op, name, None) for op in operations for name in ("element", "to")}
    return {each.id: each.bounds for each in observation.elements if each.id in named}


def _effect(settled: Settled | None) -> Effect:
    if settled is None:
        return "unknown"
    return "changed" if settled.changed else "unchanged"
