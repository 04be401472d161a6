"""Judges every operation twice: when its turn to be asked for has come, and right before it is carried out.

The first judgement decides whether the human is asked; the second is by what is there at that moment,
and refuses what is stricter than what the first allowed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from desktop_agent.agent.acting.batching import Segment, segments
from desktop_agent.agent.policy.dry_run import DryRun, DryRunStep
from desktop_agent.agent.policy.judge import Verdict, judge
from desktop_agent.agent.policy.key_effects import characters, presses_enter
from desktop_agent.agent.policy.place import Place
from desktop_agent.agent.policy.place_lookup import Places
from desktop_agent.agent.policy.provenance import Origin, Provenance
from desktop_agent.agent.policy.run_scope import RunScope
from desktop_agent.agent.policy.scope_check import SINK
from desktop_agent.protocol.batch import OpResult
from desktop_agent.protocol.ops import Op
from desktop_agent.protocol.permission import Level, Rules
from desktop_agent.vision.observation import Observation

Key = tuple[str, str, str]
"""What a yes is remembered for: the sink, the application, and the element or the window."""

_ORDER = {"allow": 0, "ask": 1, "refuse": 2}


@dataclass(frozen=True)
class Ruling:
    """A verdict on an operation, with the place it acts on and the origin of its text."""

    verdict: Verdict
    place: Place
    origin: Origin

    @property
    def key(self) -> Key:
        place = self.place
        element = f"{place.role} {place.name}" if place.role and place.name else ""
        where = f"{element} in {place.window}" if place.in_page else element or place.window
        sinks = self.verdict.sink.split("+")
        if self.verdict.adds is not None:  # the scope keeps that part of the yes
            sinks.remove(SINK)
        return ("+".join(sinks), place.application or place.program, where or place.name)

    @property
    def lasting(self) -> bool:
        """May a yes to this be remembered for the run? Not for a text that was read, nor for an unknown place."""
        return self.place.known and self.origin.source != "seen"


@dataclass
class Gatekeeper:
    """The policy of one run: its level and rules, what the human allowed, and where texts come from."""

    places: Places
    level: Level
    rules: Rules
    provenance: Provenance = field(default_factory=Provenance)
    run_scope: RunScope = field(default_factory=RunScope)
    _always: set[Key] = field(default_factory=set)
    _granted: set[Key] = field(default_factory=set)
    _acted_on: Observation | None = None

    def hear(self, words: tuple[str, ...]) -> None:
        """The user has said this: it is free to be typed, and what it names comes into the scope."""
        self.provenance.hear(words)
        self.run_scope.hear(words)

    def looked(self, observation: Observation) -> None:
        """Take in what was read; of the first look, what is in front when the goal is given. Raises TargetError."""
        self.provenance.see(observation)
        if not self.run_scope.begun:
            self.run_scope.begin(self.places.in_front(observation.elements))

    def plan(self, operations: Sequence[Op], observation: Observation) -> Iterator[Ruling]:
        """The strictest ruling for each operation, by what can be known before the first of them is done.

        They are made one by one as they are asked for. What only the screen will tell (where the keyboard
        is after Tab) is left to `refusal`. Raises TargetError when the display is gone.
        """
        dry_run = self._dry_run(observation, now=False)
        pieces = (piece for segment in segments(operations) for piece in segment)
        for _, own in groupby(pieces, lambda piece: piece.origin):
            rulings = [self._ruling(step) for piece in own for step in dry_run.steps(piece.op)]
            yield max(rulings, key=_strictness)

    def begin(
        self, rulings: Iterable[Ruling], decision: str = "approve", observation: Observation | None = None
    ) -> None:
        """Grants what the human said yes to among these, for the segments that are carried out next.

        `decision` "always" grants it for the run. `observation` is the look from before the human was asked:
        it is old by now, so what is there is read afresh.
        """
        self._acted_on = observation or self._acted_on
        asked = [ruling for ruling in rulings if ruling.verdict.kind == "ask"]
        self.run_scope.widen(adds for ruling in asked if (adds := ruling.verdict.adds) is not None)
        self._granted = {ruling.key for ruling in asked}
        if decision == "always":
            self._always |= {ruling.key for ruling in asked if ruling.lasting}

    def refusal(self, segment: Segment, observation: Observation) -> list[OpResult]:
        """The second judgement: results that refuse the segment, or [] when all of it may be carried out now.

        Refused is what `begin` has not granted. The place of every operation is looked up afresh. Raises
        TargetError when the display is gone.
        """
        dry_run = self._dry_run(observation, now=True)
        for index, piece in enumerate(segment):
            for ruling in map(self._ruling, dry_run.steps(piece.op)):
                verdict = ruling.verdict
                if verdict.kind == "ask" and verdict.adds is None and ruling.key in self._granted:
                    continue
                if ruling.verdict.kind != "allow":
                    return _refused(segment, index, _why(ruling))
        self._passed(segment, observation)
        return []

    def _dry_run(self, observation: Observation, *, now: bool) -> DryRun:
        return DryRun(self.places, self.provenance, observation, now=now, stale=self._acted_on is observation)

    def _ruling(self, step: DryRunStep) -> Ruling:
        verdict = (
            Verdict("allow")
            if step.later
            else judge(
                step.op,
                step.place,
                self.level,
                step.origin.source,
                self.rules,
                self.run_scope.scope,
                self.run_scope.spoken,
            )
        )
        ruling = Ruling(verdict, step.place, step.origin)
        if verdict.kind == "ask" and not verdict.adds and ruling.lasting and ruling.key in self._always:
            return Ruling(Verdict("allow"), step.place, step.origin)
        return ruling

    def _passed(self, segment: Segment, observation: Observation) -> None:
        if any(piece.op.traits.gives_input or piece.op.traits.holds for piece in segment):
            self._acted_on = observation
        for piece in segment:
            if text := characters(piece.op):
                self.provenance.type(text)
            if presses_enter(piece.op):
                self.provenance.enter()


def _strictness(ruling: Ruling) -> tuple[int, bool]:
    """By what was judged; of equals, a text that was only read comes first: a yes to it is never remembered."""
    return _ORDER[ruling.verdict.kind], ruling.origin.source == "seen"


def _why(ruling: Ruling) -> str:
    if ruling.verdict.kind == "refuse":
        return ruling.verdict.reason
    return f"{ruling.verdict.reason} The user has not been asked about this: look again."


def _refused(segment: Segment, bad: int, why: str) -> list[OpResult]:
    return [
        OpResult("", index, "refused", why)
        if index == bad
        else OpResult("", index, "skipped", "the batch was refused")
        for index in range(len(segment))
    ]
