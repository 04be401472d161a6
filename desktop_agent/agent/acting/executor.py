"""Carries out operations through the hand, segment by segment, fills in secrets on the way, and reports the outcome of each."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

import msgspec

from desktop_agent.agent.acting.environments import Environments
from desktop_agent.agent.acting.field_watch import FieldWatch, TextLimits
from desktop_agent.agent.acting.moving_places import MovingPlaces
from desktop_agent.agent.acting.preconditions import Preconditions, narrowed, without_pixels
from desktop_agent.agent.asking.approval import fingerprint
from desktop_agent.agent.inbox import Inbox
from desktop_agent.agent.looking.observer import PATIENCE, Observer
from desktop_agent.agent.pauses import until_paused
from desktop_agent.agent.runlog.publisher import Feed
from desktop_agent.agent.runlog.reward_file import RewardFile
from desktop_agent.agent.verifying.rules import BeforeAfter, EffectVerdict
from desktop_agent.agent.verifying.verify import before_and_after, effect_of, receipt_of, wants_look
from desktop_agent.llm.base import Deed
from desktop_agent.policy.facts.batching import Segment, segments
from desktop_agent.policy.facts.op_points import end_point, start_point, typed_into
from desktop_agent.policy.facts.op_text import brief, past, present
from desktop_agent.policy.gatekeeper import Gatekeeper
from desktop_agent.protocol import ops
from desktop_agent.protocol.agent_events import MOST_OUTPUT, Action, Outcome, Result, Upcoming
from desktop_agent.protocol.batch import Batch, OpResult, Progress, seal, sealed
from desktop_agent.protocol.errors import Refused
from desktop_agent.protocol.geometry import Point, Rect
from desktop_agent.protocol.ops import Op, Run, Type, name_of
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.redaction.redactor import dotted, redactor, stand_in
from desktop_agent.support.config import HandSettings
from desktop_agent.targets.faces import scene_of
from desktop_agent.vision.observation import Element, Observation
from desktop_agent.vision.settling.result import Settled

PATIENCE_TO_OPEN = 4.0
"""Seconds until something of a program that starts shows."""


_PROGRESS = re.compile(r" \(\d+ of \d+ characters were typed\)")
_TYPED_TEXT = re.compile(r"[^\x00-\x08\x0b-\x1f\x7f]*")


class Hand(Protocol):
    """What the executor needs of the hand."""

    @property
    def generation(self) -> int:
        """The stop generation; a batch made before a stop is refused."""

    @property
    def stop_reason(self) -> str:
        """Why it is stopped, in the words of who stopped it; "" when it is not."""

    def execute(self, batch: Batch, on_progress: Callable[[Progress], None]) -> list[OpResult]:
        """Carry out a batch; one result per operation."""


@dataclass(frozen=True)
class Executed:
    """The deeds for memory, how the screen settled, a look if one was taken, and the seconds of each."""

    deeds: list[Deed]
    settled: Settled | None
    act_seconds: float = 0.0
    seen: Observation | None = None
    look_seconds: float = 0.0

    @property
    def all_done(self) -> bool:
        return all(deed.outcome == "done" for deed in self.deeds)


@dataclass(frozen=True)
class _Job:
    """Operations that are being carried out against one observation; `announced` are those the feed has."""

    operations: tuple[Op, ...]
    numbers: tuple[int, ...]
    observation: Observation
    turn: int
    approved: bool = False
    announced: set[int] = field(default_factory=set)

    @cached_property
    def elements(self) -> dict[str, Element]:
        return {each.id: each for each in self.observation.elements}

    def action(self, index: int, at: Point | None) -> Action:
        op = self.operations[index]
        place = at or start_point(op, self.observation)
        return Action(
            number=self.numbers[index],
            op=name_of(op),
            words=present(op, self.elements),
            exact=brief(op, place),
            at=place,
            environment=op.environment if isinstance(op, Run) else "",
            command=dotted(op.command) if isinstance(op, Run) else "",
        )

    def upcoming(self, index: int, at: Point | None = None) -> Upcoming:
        op, seen = self.operations[index], self.observation
        field = typed_into(op, seen)
        place = at or start_point(op, seen) or (field.bounds.center if field is not None else None)
        hidden = field is not None and "password" in field.states
        words = "Typing a password" if hidden else present(op, self.elements)
        return Upcoming(op=name_of(op), words=words, at=place, to=end_point(op, seen))

    def words(self, result: OpResult) -> str:
        op = self.operations[result.index]
        return (past if result.outcome == "done" else present)(op, self.elements)

    def deed(self, result: OpResult, seen: BeforeAfter, *, last: bool) -> Deed:
        op = self.operations[result.index]
        effect = (
            effect_of(op, seen, last=last)
            if result.outcome == "done"
            else EffectVerdict("unknown", result.detail)
        )
        return Deed(
            self.turn,
            op,
            self.words(result),
            result.outcome,
            effect.detail,
            effect.effect,
            result.output,
            too_late=result.stale and not result.acted,
        )


@dataclass
class Executor:
    """Numbers the actions of one run and reports them to the feed."""

    hand: Hand
    feed: Feed
    observer: Observer
    settings: HandSettings
    inbox: Inbox
    gate: Gatekeeper
    environments: Environments
    rewards: RewardFile | None = None
    first: int = 1
    """The number of the first action."""
    hint_lead: float | None = None
    """Seconds that the place of an operation is told of before it is acted on, for a hint to be seen; None: it is not told."""
    _numbers: itertools.count[int] = field(init=False)
    _batches: itertools.count[int] = field(init=False)
    moving_places: MovingPlaces = field(default_factory=MovingPlaces)
    text_limits: TextLimits | None = None
    holds_buttons: bool = False
    """Does a mouse button that is pressed stay down after its batch?"""
    _expectations: Preconditions = field(init=False)
    _fields: FieldWatch = field(init=False)

    def __post_init__(self) -> None:
        self._numbers, self._batches = itertools.count(self.first), itertools.count(self.first)
        self._expectations = Preconditions(self.moving_places)
        self._fields = FieldWatch(self.gate.places.target, self.text_limits)

    def execute(
        self,
        operations: tuple[Op, ...],
        observation: Observation,
        turn: int,
        stop: StopFlag,
        *,
        approved: str = "",
    ) -> Executed:
        """Do the operations against the observation, wait until the screen settles, report each result.

        `approved` is the fingerprint that the human said yes to, when that was needed: Refused is
        raised when it is of anything else.
        Raises StoreError when the intent cannot be recorded (nothing is done then), HandError, Stopped.
        """
        if approved not in ("", fingerprint(operations, observation)):
            raise Refused("This is not what was approved.", "Ask again.")
        numbers = tuple(next(self._numbers) for _ in operations)
        job = _Job(operations, numbers, observation, turn, bool(approved))
        results: dict[int, OpResult] = {}
        settled: Settled | None = None
        for segment in segments(operations, may_hold=self.holds_buttons):
            stop.check()
            focus = self._focus_before(segment)
            refused = self.gate.refusal(segment, observation)
            with self._fields.during(segment, None if refused else self.gate.typed_into) as text:
                told = refused or self._send(segment, job, stop, focus)
                _merge(results, segment, told)
                settled = self._settle(segment, results, observation, stop) or settled
                if text is not None:
                    text.await_rest(told)
            if text is not None:  # also what was seen while the screen settled
                _replace(results, segment, told, text.amended(told))
            if not refused:
                self.gate.sent(told)
            if any(result.outcome != "done" for result in results.values()):
                break
        seen = self._look(operations, observation, settled, stop)
        return self._report(job, _complete(operations, results), seen)

    def _look(
        self, operations: tuple[Op, ...], before: Observation, settled: Settled | None, stop: StopFlag
    ) -> BeforeAfter:
        """The look that effects are read from; the next turn uses it too, so elements are read once a step."""
        if settled is not None and wants_look(operations) and not stop.is_set():
            with until_paused(stop, self.inbox) as halt:
                return before_and_after(
                    operations,
                    before,
                    settled,
                    lambda: self.observer.look(halt, settled=settled, since=before),
                    halt,
                )
        return BeforeAfter(before, None, settled)

    def _focus_before(self, segment: Segment) -> int | None:
        """The window with the keyboard, for a segment with texts: what takes it from now on is not what is judged."""
        if not any(isinstance(piece.op, Type) for piece in segment):
            return None
        scene = scene_of(self.gate.places.target)
        return scene.focus if scene else None

    def _send(self, segment: Segment, job: _Job, stop: StopFlag, focus: int | None = None) -> list[OpResult]:
        """Record the intent, then have the hand or an environment do it."""
        operations = tuple(piece.op for piece in segment)
        if operations[0].traits.carried_out_by == "environment":  # these stand alone
            job.announced.add(segment[0].origin)
            self.feed.emit(job.action(segment[0].origin, None))
            return [self.environments.execute(operations[0], stop)]
        batch = Batch(
            id=f"{job.turn}-{next(self._batches)}",
            operations=operations,
            viewport=job.observation.viewport,
            elements=_bounds_of(operations, job.observation),
            generation=self.hand.generation,
            seconds=self.settings.batch_timeout,
            holds_buttons=self.holds_buttons,
            expects=narrowed(self._expectations.of(operations, job.observation), operations, focus),
        )
        batch = sealed(batch) if job.approved else batch
        self.feed.record("intent", without_pixels(batch))

        if self.hint_lead is not None and segment[0].origin not in job.announced:
            self._foretell(job.upcoming(segment[0].origin), self.hint_lead, stop)

        def announce(progress: Progress) -> None:
            origin = segment[progress.index].origin
            if origin not in job.announced:
                if progress.index and self.hint_lead is not None:
                    self.feed.tell(job.upcoming(origin, progress.at))
                job.announced.add(origin)
                self.feed.emit(job.action(origin, progress.at))

        if types_secret(batch):
            self.observer.privacy_filter.hide_focused()
        results = execute_filled(self.hand, batch, announce)
        self.moving_places.note(batch, results)
        return results

    def _foretell(self, upcoming: Upcoming, seconds: float, stop: StopFlag) -> None:
        self.feed.tell(upcoming)
        if upcoming.at is not None:
            stop.wait(seconds)

    def _settle(
        self, segment: Segment, results: dict[int, OpResult], observation: Observation, stop: StopFlag
    ) -> Settled | None:
        acted = any(results[p.origin].outcome == "done" and p.op.traits.visible for p in segment)
        if not acted or stop.is_set():
            return None
        opens = any(piece.op.traits.opens for piece in segment)
        with until_paused(stop, self.inbox) as halt:
            return self.observer.settle(observation, halt, PATIENCE_TO_OPEN if opens else PATIENCE)
        return None  # paused: whatever moves now is the human's doing

    def _report(self, job: _Job, results: list[OpResult], seen: BeforeAfter) -> Executed:
        """Emit each result; a change of the screen is ascribed to the last operation that is visible."""
        shown = [r.index for r in results if r.outcome == "done" and job.operations[r.index].traits.visible]
        deeds = [job.deed(result, seen, last=result.index == max(shown, default=-1)) for result in results]
        self.feed.record("deeds", {"deeds": deeds})
        for result, deed in zip(results, deeds, strict=True):
            if result.outcome == "refused" and result.index not in job.announced:  # it never reached the hand
                self.feed.emit(job.action(result.index, None))
            self.feed.emit(_told(job.numbers[result.index], result, deed))
        if self.rewards is not None:
            self.rewards.record(job.turn, job.numbers[-1])
        return Executed(
            deeds, seen.settled, sum(result.seconds for result in results), seen.after, seen.seconds
        )


def _told(number: int, result: OpResult, deed: Deed) -> Result:
    return Result(
        number=number,
        outcome=deed.outcome,
        words=deed.words,
        detail=deed.detail,
        effect=deed.effect,
        seconds=result.seconds,
        receipt=receipt_of(deed),
        output=deed.output[-MOST_OUTPUT:],
    )


def _merge(results: dict[int, OpResult], segment: Segment, news: list[OpResult]) -> None:
    """Adds results of pieces to those of their operations; times add up, the first failure stays."""
    for result in news:
        origin = segment[result.index].origin
        before = results.get(origin)
        if before is None or before.outcome == "done":
            seconds = result.seconds + (before.seconds if before else 0.0)
            acted = result.acted or before is not None
            results[origin] = msgspec.structs.replace(result, index=origin, seconds=seconds, acted=acted)


def _replace(
    results: dict[int, OpResult], segment: Segment, before: list[OpResult], after: list[OpResult]
) -> None:
    """Puts what became known later in place of results of pieces."""
    for was, now in zip(before, after, strict=True):
        origin = segment[now.index].origin
        if now is not was and results[origin].outcome in ("done", was.outcome):
            results[origin] = msgspec.structs.replace(now, index=origin, seconds=results[origin].seconds)


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
