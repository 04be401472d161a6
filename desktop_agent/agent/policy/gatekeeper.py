"""Judges every operation twice: when its turn to be asked for has come, and right before it is carried out.

The first judgement decides whether the human is asked; the second is by what is there at that moment,
and refuses what is stricter than what the first allowed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from desktop_agent.agent.acting.batching import Piece, Segment, segments
from desktop_agent.agent.policy.dry_run import DryRun, DryRunStep
from desktop_agent.agent.policy.judge import Verdict, judge
from desktop_agent.agent.policy.key_effects import characters, presses_enter
from desktop_agent.agent.policy.place import Place
from desktop_agent.agent.policy.place_lookup import Places
from desktop_agent.agent.policy.provenance import Origin, Provenance
from desktop_agent.protocol.batch import OpResult
from desktop_agent.protocol.ops import Op
from desktop_agent.protocol.permission import Level, Rules
from desktop_agent.vision.observation import Observation

Key = tuple[str, str, str]
"""What a yes is remembered for: the sink, the application, and the element or the window."""

_ORDER = {"allow": 0, "ask": 1, "refuse": 2}


@dataclass(frozen=True)
class Ruling:
    """What was judged of an operation, where, and where its text comes from."""

    verdict: Verdict
    place: Place
    origin: Origin

    @property
    def key(self) -> Key:
        place = self.place
        element = f"{place.role} {place.name}" if place.role and place.name else ""
        where = f"{element} in {place.window}" if place.in_page else element or place.window
        return (self.verdict.sink, place.application or place.program, where or place.name)

    @property
    def lasting(self) -> bool:
        """May a yes to this be remembered? Not for a text that was read somewhere, nor for an unknown place."""
        return self.place.known and self.origin.source != "seen"


@dataclass
class Gatekeeper:
    """The policy of one run: its level and rules, what the human allowed, and where texts come from."""

    places: Places
    level: Level
    rules: Rules
    provenance: Provenance = field(default_factory=Provenance)
    _always: set[Key] = field(default_factory=set)
    _granted: set[Key] = field(default_factory=set)
    _acted_on: Observation | None = None

    def plan(self, operations: Sequence[Op], observation: Observation) -> list[Ruling]:
        """The strictest ruling for each operation, by what can be known before the first of them is done.

        What only the screen will tell (where the keyboard is after Tab) is left to `refusal`.
        Raises TargetError when the display is gone.
        """
        rulings: dict[int, Ruling] = {}
        pieces = [piece for segment in segments(operations) for piece in segment]
        for index, ruling in self._rulings(pieces, observation, now=False):
            origin = pieces[index].origin
            before = rulings.get(origin)
            if before is None or _stricter(ruling, before):
                rulings[origin] = ruling
        return [rulings[index] for index in range(len(operations))]

    def begin(
        self, rulings: Iterable[Ruling], decision: str = "approve", observation: Observation | None = None
    ) -> None:
        """The human has said yes to these; they are about to be sent.

        `observation` is what was looked at before the human was asked: it is old by now.
        """
        self._acted_on = observation or self._acted_on
        asked = [ruling for ruling in rulings if ruling.verdict.kind == "ask"]
        self._granted = {ruling.key for ruling in asked}
        if decision == "always":
            self._always |= {ruling.key for ruling in asked if ruling.lasting}

    def refusal(self, segment: Segment, observation: Observation) -> list[OpResult]:
        """Results that refuse the segment when what is there now is stricter than what was allowed; else [].

        The place of every operation is taken afresh. Raises TargetError when the display is gone.
        """
        for index, ruling in self._rulings(segment, observation, now=True):
            if ruling.verdict.kind == "ask" and ruling.key in self._granted:
                continue
            if ruling.verdict.kind != "allow":
                return _refused(segment, index, _why(ruling))
        self._passed(segment, observation)
        return []

    def _rulings(
        self, pieces: Sequence[Piece], observation: Observation, *, now: bool
    ) -> Iterator[tuple[int, Ruling]]:
        """Everything that is judged of the pieces, in order, each with its piece's index."""
        stale = self._acted_on is observation
        dry_run = DryRun(self.places, self.provenance, observation, now=now, stale=stale)
        for index, piece in enumerate(pieces):
            for step in dry_run.steps(piece.op):
                yield index, self._ruling(step)

    def _ruling(self, step: DryRunStep) -> Ruling:
        verdict = (
            Verdict("allow")
            if step.later
            else judge(step.op, step.place, self.level, step.origin.source, self.rules)
        )
        ruling = Ruling(verdict, step.place, step.origin)
        if verdict.kind == "ask" and ruling.lasting and ruling.key in self._always:
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


def _stricter(one: Ruling, other: Ruling) -> bool:
    return _ORDER[one.verdict.kind] > _ORDER[other.verdict.kind]


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
