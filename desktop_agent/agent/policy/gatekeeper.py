"""Judges every operation twice: when its turn to be asked for has come, and right before it is carried out.

The first judgement decides whether the human is asked; the second is by what is there at that moment,
and refuses what is stricter than what the first allowed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from desktop_agent.agent.acting.batching import Segment, segments
from desktop_agent.agent.policy.consent import Consent, Covered, StandingYes, Yes, covered_by_always
from desktop_agent.agent.policy.dry_run import DryRun, DryRunStep
from desktop_agent.agent.policy.judge import Verdict, judge
from desktop_agent.agent.policy.key_effects import characters, presses_enter
from desktop_agent.agent.policy.place import Place
from desktop_agent.agent.policy.place_lookup import Places
from desktop_agent.agent.policy.provenance import Origin, Provenance
from desktop_agent.agent.policy.unread_window import CHANGED, WindowPicture, picture_of_focus
from desktop_agent.protocol.batch import OpResult
from desktop_agent.protocol.ops import Op
from desktop_agent.protocol.permission import Level, Rules
from desktop_agent.vision.observation import Observation

_ORDER = {"allow": 0, "ask": 1, "refuse": 2}


@dataclass(frozen=True)
class Ruling:
    """A verdict on an operation, with the place it acts on and the origin of its text.

    `op` is the operation as it is meant, held keys included. `parts` are all rulings of one operation, where this
    is the strictest of them. `standing`: it was allowed because of an earlier "always".
    """

    verdict: Verdict
    place: Place
    origin: Origin
    op: Op
    parts: tuple[Ruling, ...] = ()
    standing: bool = False

    @property
    def asks(self) -> bool:
        return self.verdict.kind == "ask"

    @property
    def covered(self) -> Covered | None:
        """What "always" would cover; None for a text that was read, and for what must not last."""
        if not self.place.known or self.origin.source == "seen":
            return None
        return covered_by_always(self.op, self.place, self.verdict.sink, self.verdict.reason)

    @property
    def lasting(self) -> bool:
        """May a yes to this be remembered until the program ends?"""
        return self.covered is not None


@dataclass
class Gatekeeper:
    """The policy of one run: its level and rules, what the human allowed, and where texts come from."""

    places: Places
    level: Level
    rules: Rules
    provenance: Provenance = field(default_factory=Provenance)
    standing: StandingYes = field(default_factory=StandingYes)
    _consent: Consent = field(default_factory=Consent)
    _window: WindowPicture | None = None
    _acted_on: Observation | None = None

    def plan(
        self, operations: Sequence[Op], observation: Observation, *, fresh: bool = False
    ) -> Iterator[Ruling]:
        """The strictest ruling for each operation, by what can be known before the first of them is done.

        They are made one by one as they are asked for. What only the screen will tell (where the keyboard
        is after Tab) is left to `refusal`. `fresh` reads what is there now, as `refusal` will: what a yes
        rests on. Raises TargetError when the display is gone.
        """
        dry_run = self._dry_run(observation, now=False, fresh=fresh)
        pieces = (piece for segment in segments(operations) for piece in segment)
        for _, own in groupby(pieces, lambda piece: piece.origin):
            rulings = [self._ruling(step) for piece in own for step in dry_run.steps(piece.op)]
            yield replace(max(rulings, key=_strictness), parts=tuple(rulings))

    def keep_picture(self, rulings: Iterable[Ruling]) -> None:
        """Keep what the window with the keyboard shows where keys are asked about and no text can be read there.

        To be called before the human is asked; `refusal` compares. Raises TargetError.
        """
        unread = any(_unread(part) for each in rulings for part in each.parts)
        self._window = picture_of_focus(self.places.target) if unread else None

    def begin(
        self, rulings: Iterable[Ruling], decision: str = "approve", observation: Observation | None = None
    ) -> None:
        """Hold what the human said yes to: `rulings` has one for each operation that is carried out next, in order.

        `decision` "always" grants until the program ends what may last. `observation` is the look from before
        the human was asked: it is old by now, so what is there is read afresh.
        """
        self._acted_on = observation or self._acted_on
        rulings = tuple(rulings)
        self._window = self._window if rulings else None
        shown = [(index, each) for index, ruling in enumerate(rulings) for each in ruling.parts or (ruling,)]
        self._consent.give(
            Yes(index, each.op, each.verdict.sink, each.place)
            for index, each in shown
            if each.asks or each.place.known
        )
        if decision == "always":
            self.standing.add(each.covered for _, each in shown if each.asks and each.covered is not None)

    def refusal(self, segment: Segment, observation: Observation) -> list[OpResult]:
        """The second judgement: results that refuse the segment, or [] when all of it may be carried out now.

        Refused is what `begin` has not granted, and what is not as it was when the human said yes. The place of
        every operation is looked up afresh. Raises TargetError when the display is gone.
        """
        dry_run = self._dry_run(observation, now=True)
        for index, piece in enumerate(segment):
            for ruling in map(self._ruling, dry_run.steps(piece.op)):
                if fault := self._fault(piece.origin, ruling):
                    self._consent.judged(carried_out=False)
                    return _refused(segment, index, fault)
        if self._window is not None and not self._window.still_shows(picture_of_focus(self.places.target)):
            self._consent.judged(carried_out=False)
            return _refused(segment, 0, CHANGED)
        self._window = None  # what changes from here on may be our own doing
        self._consent.judged(carried_out=True)
        self._passed(segment, observation)
        return []

    def _fault(self, index: int, ruling: Ruling) -> str:
        if ruling.verdict.kind == "refuse":
            return ruling.verdict.reason
        fault = self._consent.fault(index, ruling.op, ruling.verdict.sink, ruling.place)
        return f"{ruling.verdict.reason} {fault}".strip() if fault else ""

    def _dry_run(self, observation: Observation, *, now: bool, fresh: bool = False) -> DryRun:
        stale = fresh or self._acted_on is observation
        return DryRun(self.places, self.provenance, observation, now=now, stale=stale)

    def _ruling(self, step: DryRunStep) -> Ruling:
        verdict = (
            Verdict("allow")
            if step.later
            else judge(step.op, step.place, self.level, step.origin.source, self.rules)
        )
        ruling = Ruling(verdict, step.place, step.origin, step.op)
        if verdict.kind == "ask" and self.standing.has(ruling.covered):
            return replace(ruling, verdict=Verdict("allow"), standing=True)
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


def _unread(ruling: Ruling) -> bool:
    place = ruling.place
    return ruling.asks and ruling.op.traits.keyboard and place.known and not (place.role or place.desktop)


def _refused(segment: Segment, bad: int, why: str) -> list[OpResult]:
    return [
        OpResult("", index, "refused", why)
        if index == bad
        else OpResult("", index, "skipped", "the batch was refused")
        for index in range(len(segment))
    ]
