"""Carries out a batch through the hand and tells what came of every operation."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from desktop_agent.agent.approval import place_of
from desktop_agent.agent.feed import Feed
from desktop_agent.agent.observer import Observer
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

_VISIBLE = (
    ops.Click, ops.MouseUp, ops.Drag, ops.Scroll, ops.KeyCombo, ops.KeyUp, ops.KeyDown, ops.Type, ops.Open,
    ops.ClickElement, ops.DragElement, ops.ScrollElement,
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

    def execute(
        self, operations: tuple[Op, ...], observation: Observation, turn: int, stop: StopFlag
    ) -> Executed:
        """Do the operations against the observation, wait until the screen settled, report each result.

        Raises StoreError when the intent cannot be recorded (nothing is done then), HandError, Stopped.
        """
        stop.check()
        batch = self._batch(operations, observation, turn)
        self.feed.record("intent", batch)
        numbers = [next(self._numbers) for _ in operations]
        elements = {each.id: each for each in observation.elements}

        def on_progress(progress: Progress) -> None:
            self._announce(
                operations[progress.index], numbers[progress.index], progress, elements, observation
            )

        results = self.hand.execute(batch, on_progress)
        settled = self._settle(operations, results, observation, stop)
        return self._report(operations, numbers, results, settled, elements, turn)

    def _batch(self, operations: tuple[Op, ...], observation: Observation, turn: int) -> Batch:
        return Batch(
            id=f"{turn}-{id(operations):x}",
            operations=operations,
            viewport=observation.viewport,
            elements=_bounds_of(operations, observation),
            generation=self.hand.generation,
            seconds=self.batch_seconds,
        )

    def _announce(
        self, op: Op, number: int, progress: Progress, elements: dict[str, Element], observation: Observation
    ) -> None:
        at = progress.at or place_of(op, observation)
        self.feed.emit(
            Action(number=number, op=name_of(op), words=present(op, elements), exact=exact(op, at), at=at)
        )

    def _settle(
        self, operations: tuple[Op, ...], results: list[OpResult], observation: Observation, stop: StopFlag
    ) -> Settled | None:
        acted = any(r.outcome == "done" and isinstance(operations[r.index], _VISIBLE) for r in results)
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


def _bounds_of(operations: tuple[Op, ...], observation: Observation) -> dict[str, Rect]:
    named = {getattr(op, name, None) for op in operations for name in ("element", "to")}
    return {each.id: each.bounds for each in observation.elements if each.id in named}


def _effect(settled: Settled | None) -> Effect:
    if settled is None:
        return "unknown"
    return "changed" if settled.changed else "unchanged"
