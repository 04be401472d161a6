"""Judges every operation twice: when its turn to be asked for has come, and right before it is carried out.

The first judgement decides whether the human is asked; the second is by what is there at that moment,
and refuses what is stricter than what the first allowed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from desktop_agent.agent.acting.batching import Segment, moves_focus, segments
from desktop_agent.agent.policy import secret_places
from desktop_agent.agent.policy.dry_run import DryRun, DryRunStep
from desktop_agent.agent.policy.execution_places import executes, runs_prepared
from desktop_agent.agent.policy.flow import Flow, Pair
from desktop_agent.agent.policy.judge import Verdict, allowed_by_rule, judge
from desktop_agent.agent.policy.key_effects import characters, confirms, copies, presses_enter
from desktop_agent.agent.policy.place import Place
from desktop_agent.agent.policy.place_lookup import Places
from desktop_agent.agent.policy.provenance import Origin, Provenance
from desktop_agent.agent.policy.run_scope import RunScope
from desktop_agent.agent.policy.scope_check import SINK
from desktop_agent.agent.policy.secret_places import SecretPlaces
from desktop_agent.agent.policy.subject import subject_of
from desktop_agent.protocol.batch import OpResult
from desktop_agent.protocol.ops import Op
from desktop_agent.protocol.permission import Level, Rules
from desktop_agent.vision.observation import Observation

Key = tuple[str, str, str]
"""What a yes is remembered for: the sink, the application, and the element or the window."""

_ORDER = {"allow": 0, "ask": 1, "refuse": 2}


@dataclass(frozen=True)
class Ruling:
    """A verdict on an operation, with the place it acts on and the origin of its text.

    `pairs` are the ways of a text that a yes opens for the rest of the run.
    """

    verdict: Verdict
    place: Place
    origin: Origin
    pairs: frozenset[Pair] = frozenset()

    @property
    def keys(self) -> frozenset[Key]:
        """What a yes to it is remembered as: one for each sink."""
        place = self.place
        element = f"{place.role} {place.name}" if place.role and place.name else ""
        where = f"{element} in {place.window}" if place.in_page else element or place.window
        application, there = place.application or place.program, where or place.name
        sinks = self.verdict.sink.split("+")
        if self.verdict.adds is not None:  # the scope keeps that part of the yes
            sinks.remove(SINK)
        return frozenset(
            # A secret is for one page: another one in the same window, with the same field, has had no yes.
            (sink, subject_of(place).what if sink.startswith(secret_places.SINK) else application, there)
            for sink in sinks
        )

    @property
    def lasting(self) -> bool:
        """May a yes to this be remembered for the run? Not for a text that was read, nor for an unknown place."""
        if secret_places.SINK in self.verdict.sink:  # the binding is what is remembered of it
            return False
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

    def __post_init__(self) -> None:
        target, taint = self.places.target, self.provenance.taint
        taint.program_of, taint.windows = target.program_of, target.windows
        self.flow = Flow(lambda subject: self.run_scope.names(subject))
        self.secret_places = SecretPlaces(target)

    def hear(self, words: tuple[str, ...]) -> None:
        """The user has said this: it is free to be typed, and what it names comes into the scope."""
        self.provenance.hear(words)
        self.run_scope.hear(words)
        self.secret_places.hear(words)

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
        self._granted = {key for ruling in asked for key in ruling.keys}
        for ruling in asked:
            self.flow.grant(ruling.pairs)
            self.secret_places.confirm(ruling.verdict.sink, ruling.place)
        if decision == "always":
            self._always |= {key for ruling in asked if ruling.lasting for key in ruling.keys}

    def refusal(self, segment: Segment, observation: Observation) -> list[OpResult]:
        """The second judgement: results that refuse the segment, or [] when all of it may be carried out now.

        Refused is what `begin` has not granted. The place of every operation is looked up afresh. Raises
        TargetError when the display is gone.
        """
        dry_run = self._dry_run(observation, now=True)
        passed: list[DryRunStep] = []
        for index, piece in enumerate(segment):
            for step in dry_run.steps(piece.op):
                ruling = self._ruling(step)
                if self._remembered(ruling, self._granted):
                    ruling = _allowed(ruling)
                if ruling.verdict.kind != "allow":
                    return _refused(segment, index, _why(ruling))
                passed.append(step)
        if any(piece.op.traits.gives_input or piece.op.traits.holds for piece in segment):
            self._acted_on = observation
        for step in passed:
            self._note(step)
        return []

    def _dry_run(self, observation: Observation, *, now: bool) -> DryRun:
        return DryRun(self.places, self.provenance, observation, now=now, stale=self._acted_on is observation)

    def _ruling(self, step: DryRunStep) -> Ruling:
        if step.later:
            return Ruling(Verdict("allow"), step.place, step.origin)
        scope, spoken = self.run_scope.scope, self.run_scope.spoken
        settled = self.secret_places.settled(step.op, step.place)
        verdict = judge(
            step.op, step.place, self.level, step.origin.source, self.rules, scope, spoken, settled
        )
        ruling = self._with_flow(Ruling(verdict, step.place, step.origin), step)
        ruling = self._with_secrets(ruling, step)
        if ruling.verdict.kind == "ask":
            ruling = replace(ruling, origin=self.provenance.located(step.origin))
        if ruling.lasting and self._remembered(ruling, self._always):
            return _allowed(ruling)
        return ruling

    @staticmethod
    def _remembered(ruling: Ruling, yes: set[Key]) -> bool:
        """Is all that is asked here among what had a yes? What the scope lacks is not: with a yes it lacks it no more."""
        return ruling.verdict.kind == "ask" and ruling.verdict.adds is None and ruling.keys <= yes

    def _with_flow(self, ruling: Ruling, step: DryRunStep) -> Ruling:
        """The ruling with what is asked about where the text comes from and goes to."""
        verdict, place = ruling.verdict, step.place
        if verdict.kind == "refuse" or place.simulated or self.level == "simulation_only":
            return ruling
        asked = self.flow.asks(step, self.level)
        if not asked or allowed_by_rule(step.op, place, self.rules):
            return ruling
        reasons, sinks = [each.reason for each in asked], [each.sink for each in asked]
        if verdict.kind == "ask":
            reasons, sinks = [verdict.reason, *reasons], [verdict.sink, *sinks]
        pairs = frozenset(pair for each in asked for pair in each.pairs)
        joined = Verdict("ask", " ".join(reasons), "+".join(sinks), verdict.adds)
        return Ruling(joined, place, step.origin, pairs)

    def _with_secrets(self, ruling: Ruling, step: DryRunStep) -> Ruling:
        """The ruling with what is asked about a secret that does not belong there; no level and no rule lifts that."""
        verdict, place = ruling.verdict, step.place
        names = self.secret_places.elsewhere(step.op, place)
        if not names or verdict.kind == "refuse" or place.simulated:
            return ruling
        sinks = filter(None, (verdict.sink, *(f"{secret_places.SINK}{name}" for name in names)))
        reason = f"{secret_places.question(names, place)} {verdict.reason}".strip()
        return replace(ruling, verdict=Verdict("ask", reason, "+".join(sinks), verdict.adds))

    def _note(self, step: DryRunStep) -> None:
        """Keep what is about to be done, as far as the origin of later texts depends on it."""
        op, provenance = step.op, self.provenance
        carried_out = bool(executes(step.place)) or runs_prepared(step.place)
        if op.traits.gives_focus:
            provenance.press(subject_of(step.place))
        if copies(op):
            provenance.copy(subject_of(step.place))
        if text := characters(op):
            provenance.type(text, carried_out=carried_out)
        if presses_enter(op) or (carried_out and confirms(op)):
            provenance.enter(carried_out=carried_out)
        elif op.traits.gives_focus or moves_focus(op):
            provenance.leave()


def _allowed(ruling: Ruling) -> Ruling:
    return Ruling(Verdict("allow"), ruling.place, ruling.origin)


def _strictness(ruling: Ruling) -> tuple[int, bool, bool, bool]:
    """By what was judged; of equals, a secret elsewhere, then a text that was only read (a yes to it is never remembered).

    Of these the one that is known to have been read.
    """
    strays = secret_places.SINK in ruling.verdict.sink
    return _ORDER[ruling.verdict.kind], strays, ruling.origin.source == "seen", bool(ruling.origin.where)


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
