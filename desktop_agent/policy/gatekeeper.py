"""Judges every operation twice: when its turn to be asked for has come, and right before it is carried out.

The first judgement decides whether the human is asked; the second is by what is there at that moment,
and refuses what is stricter than what the first allowed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from desktop_agent.policy.consent.consent import Consent, Ruling, StandingYes, Yes
from desktop_agent.policy.consent.run_scope import RunScope
from desktop_agent.policy.facts.batching import Segment, moves_focus, segments
from desktop_agent.policy.facts.dry_run import DryRun, Touch
from desktop_agent.policy.facts.execution_places import executes, runs_prepared
from desktop_agent.policy.facts.key_effects import characters, confirms, copies, presses_enter
from desktop_agent.policy.facts.place import Place, subject_of
from desktop_agent.policy.facts.place_lookup import Places
from desktop_agent.policy.facts.provenance import Provenance
from desktop_agent.policy.rules import grant_limits, second_press, secret_places
from desktop_agent.policy.rules.flow import Flow
from desktop_agent.policy.rules.judge import Verdict, allowed_by_rule, judge
from desktop_agent.policy.rules.second_press import SecondPress
from desktop_agent.policy.rules.secret_places import SecretPlaces
from desktop_agent.protocol.batch import OpResult
from desktop_agent.protocol.geometry import Rect, Size
from desktop_agent.protocol.ops import Op, Type
from desktop_agent.protocol.permission import Level, Rules
from desktop_agent.targets.base import Target
from desktop_agent.targets.faces import programs_of, scene_of, windows_of
from desktop_agent.vision.observation import Observation

_ORDER = {"allow": 0, "ask": 1, "refuse": 2}


CELL = Size(24, 40)
"""Pixels within which a text cursor comes and goes, or turns from a block into a frame."""
NOISE = 16
"""Of 255, in one colour channel: smaller differences come from anti-aliasing."""
CHANGED = "Changed since you said yes: the window shows something else now, and its text cannot be read. Look again."


@dataclass
class Gatekeeper:
    """The policy of one run: its level and rules, what the human allowed, and where texts come from.

    `grant_over` tells whether the time of the rules' grant has passed. `on_work` is told each operation that is
    let pass, before it is carried out, and its place.
    """

    places: Places
    level: Level
    rules: Rules
    provenance: Provenance = field(default_factory=Provenance)
    run_scope: RunScope = field(default_factory=RunScope)
    standing: StandingYes = field(default_factory=StandingYes)
    grant_over: Callable[[], bool] = lambda: False
    on_work: Callable[[Op, Place], None] = lambda _op, _place: None
    _consent: Consent = field(default_factory=Consent)
    _window: WindowPicture | None = None
    _acted_on: Observation | None = None
    _passed: list[tuple[int, Touch]] = field(default_factory=list)
    second_press: SecondPress = field(default_factory=SecondPress)
    _trial: SecondPress = field(default_factory=SecondPress)
    typed_into: Place | None = None
    """The place that the last text of the segment allowed last was judged for."""

    def __post_init__(self) -> None:
        target, taint = self.places.target, self.provenance.taint
        windows = windows_of(target)
        taint.program_of, taint.windows = windows.program_of, windows.windows
        self.places.files.said = lambda text: self.provenance.of(text).source == "user"
        self.flow = Flow(
            lambda subject: self.run_scope.names(subject), self.provenance.said, self.provenance.names_day
        )
        self.secret_places = SecretPlaces(programs_of(target))

    def hear(self, words: tuple[str, ...]) -> None:
        """The user has said this: it is free to be typed, and what it names comes into the scope."""
        self.provenance.hear(words)
        self.run_scope.hear(words)
        self.secret_places.hear(words)
        self.second_press.hear(words)

    def looked(self, observation: Observation) -> None:
        """Take in what was read; of the first look, what is in front when the goal is given. Raises TargetError."""
        self.provenance.see(observation)
        self.second_press.looked(observation)
        if not self.run_scope.begun:
            self.run_scope.begin(self.places.in_front(observation.elements))

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
            rulings = [ruling for piece in own for _, ruling in self._judged(dry_run, piece.op)]
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

        The scope and the ways of texts that were asked about are open for the rest of the run; `decision`
        "always" grants until the program ends what may last. `observation` is the look from before the human
        was asked: it is old by now, so what is there is read afresh.
        """
        self._acted_on = observation or self._acted_on
        rulings = tuple(rulings)
        self._window = self._window if rulings else None
        shown = [(index, each) for index, ruling in enumerate(rulings) for each in ruling.parts or (ruling,)]
        asked = [each for _, each in shown if each.asks]
        self.run_scope.widen(adds for each in asked if (adds := each.verdict.adds) is not None)
        for each in asked:
            self.flow.grant(each.pairs)
            self.secret_places.confirm(each.verdict.sink, each.place)
        self._consent.give(
            Yes(index, each.op, each.verdict.sink, each.place)
            for index, each in shown
            if each.asks or each.place.known
        )
        if decision == "always":
            self.standing.add(each.covered for each in asked if each.covered is not None)

    def refusal(self, segment: Segment, observation: Observation) -> list[OpResult]:
        """The second judgement: results that refuse the segment, or [] when all of it may be carried out now.

        Refused is what `begin` has not granted, and what is not as it was when the human said yes. The place of
        every operation is looked up afresh. Raises TargetError when the display is gone.
        """
        dry_run = self._dry_run(observation, now=True)
        self.typed_into, self._passed = None, []
        passed: list[tuple[int, Touch]] = []
        for index, piece in enumerate(segment):
            for touch, ruling in self._judged(dry_run, piece.op):
                if fault := self._fault(piece.origin, ruling):
                    self._consent.judged(carried_out=False)
                    return _refused(segment, index, fault)
                passed.append((index, touch))
        if self._window is not None and not self._window.still_shows(picture_of_focus(self.places.target)):
            self._consent.judged(carried_out=False)
            return _refused(segment, 0, CHANGED)
        self._window = None  # what changes from here on may be our own doing
        self._consent.judged(carried_out=True)
        if any(piece.op.traits.gives_input or piece.op.traits.holds for piece in segment):
            self._acted_on = observation
        self._passed = passed
        for _, touch in passed:
            self.on_work(touch.op, touch.place)
        texts = [touch.place for _, touch in passed if isinstance(touch.op, Type)]
        self.typed_into = texts[-1] if texts else None
        return []

    def sent(self, results: Sequence[OpResult]) -> None:
        """Take note of what was done of the segment that `refusal` let pass: of a text that ended part-way, what went out."""
        for index, touch in self._passed:
            if results[index].outcome != "done":
                self.provenance.type(
                    characters(touch.op)[: results[index].typed], carried_out=_is_carried_out(touch.place)
                )
                return
            self._note(touch)
            self.places.files.passed(touch.op, touch.place)

    def _fault(self, index: int, ruling: Ruling) -> str:
        if ruling.verdict.kind == "refuse":
            return ruling.verdict.reason
        fault = self._consent.fault(index, ruling.op, ruling.verdict.sink, ruling.place)
        return f"{ruling.verdict.reason} {fault}".strip() if fault else ""

    def _dry_run(self, observation: Observation, *, now: bool, fresh: bool = False) -> DryRun:
        stale = fresh or self._acted_on is observation
        self._trial = self.second_press.trial()
        return DryRun(self.places, self.provenance, observation, now=now, stale=stale)

    def _judged(self, dry_run: DryRun, op: Op) -> Iterator[tuple[Touch, Ruling]]:
        """All that one operation would touch, each with its ruling: at planning and right before it is carried out."""
        return ((touch, self._ruling(touch)) for touch in dry_run.steps(op))

    def _ruling(self, touch: Touch) -> Ruling:
        if touch.later:
            return Ruling(Verdict("allow"), touch.place, touch.origin, touch.op)
        scope, spoken = self.run_scope.scope, self.run_scope.spoken
        settled = self.secret_places.settled(touch.op, touch.place)
        verdict = judge(
            touch.op,
            touch.place,
            self.level,
            touch.origin.source,
            self.rules,
            scope,
            spoken,
            settled,
            over=self.grant_over(),
        )
        ruling = self._with_flow(Ruling(verdict, touch.place, touch.origin, touch.op), touch)
        ruling = self._with_secrets(ruling, touch)
        if ruling.asks:
            ruling = replace(ruling, origin=self.provenance.located(touch.origin))
        again = self._trial.question(touch)
        self._trial.note(touch)
        if ruling.asks and ruling.verdict.adds is None and self.standing.has(ruling.covered):
            return replace(ruling, verdict=Verdict("allow"), standing=True)  # whoever said "always" meant it
        return _with_second_press(ruling, again)

    def _with_flow(self, ruling: Ruling, touch: Touch) -> Ruling:
        """The ruling with what is asked about where the text comes from and goes to."""
        verdict, place = ruling.verdict, touch.place
        if verdict.kind == "refuse" or place.simulated or self.level == "simulation_only":
            return ruling
        beyond = grant_limits.SINK in verdict.sink.split("+")
        asked = self.flow.asks(touch, "restricted" if beyond else self.level)
        if not asked or allowed_by_rule(touch.op, place, self.rules):
            return ruling
        reasons, sinks = [each.reason for each in asked], [each.sink for each in asked]
        if verdict.kind == "ask":
            reasons, sinks = [verdict.reason, *reasons], [verdict.sink, *sinks]
        pairs = frozenset(pair for each in asked for pair in each.pairs)
        both = Verdict("ask", " ".join(reasons), "+".join(sinks), verdict.adds)
        return replace(ruling, verdict=both, pairs=pairs)

    def _with_secrets(self, ruling: Ruling, touch: Touch) -> Ruling:
        """The ruling with what is asked about a secret that does not belong there; no level and no rule lifts that."""
        verdict, place = ruling.verdict, touch.place
        names = self.secret_places.elsewhere(touch.op, place)
        if not names or verdict.kind == "refuse" or place.simulated:
            return ruling
        sinks = filter(None, (verdict.sink, *(f"{secret_places.SINK}{name}" for name in names)))
        reason = f"{secret_places.question(names, place)} {verdict.reason}".strip()
        return replace(ruling, verdict=Verdict("ask", reason, "+".join(sinks), verdict.adds))

    def _note(self, touch: Touch) -> None:
        """Keep what was done, as far as the origin of later texts and a second press depend on it."""
        op, provenance = touch.op, self.provenance
        self.second_press.note(touch)
        carried_out = _is_carried_out(touch.place)
        if op.traits.gives_focus:
            provenance.press(subject_of(touch.place))
        if copies(op):
            provenance.copy(subject_of(touch.place))
        if text := characters(op):
            provenance.type(text, carried_out=carried_out)
        if presses_enter(op) or (carried_out and confirms(op)):
            provenance.enter(carried_out=carried_out)
        elif op.traits.gives_focus or moves_focus(op):
            provenance.leave()


def _with_second_press(ruling: Ruling, reason: str) -> Ruling:
    """The ruling with what is asked about what sends a second time, at every level; "" for a first time."""
    verdict = ruling.verdict
    if not reason or verdict.kind == "refuse":
        return ruling
    sinks = "+".join(filter(None, (verdict.sink, second_press.SINK)))
    return replace(ruling, verdict=Verdict("ask", f"{reason} {verdict.reason}".strip(), sinks, verdict.adds))


def _is_carried_out(place: Place) -> bool:
    """Is a text carried out there, or by what is pressed there?"""
    return bool(executes(place)) or runs_prepared(place)


def _strictness(ruling: Ruling) -> tuple[int, bool, bool, bool]:
    """By what was judged; of equals, a secret elsewhere, then a text that was only read (a yes to it is never remembered).

    Of these the one that is known to have been read.
    """
    strays = secret_places.SINK in ruling.verdict.sink
    return _ORDER[ruling.verdict.kind], strays, ruling.origin.source == "seen", bool(ruling.origin.where)


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


@dataclass(frozen=True)
class WindowPicture:
    """The window with the keyboard as it shows, and the parts of it that lie below other windows."""

    area: Rect
    pixels: bytes
    covered: tuple[Rect, ...]

    def still_shows(self, now: WindowPicture | None) -> bool:
        """True when both show the same but for a text cursor, wherever neither is covered."""
        if now is None or now.area != self.area:
            return False
        import numpy as np  # the window is up before this is loaded

        shape = (self.area.height, self.area.width, 4)
        one, other = (
            np.frombuffer(each.pixels, np.uint8).reshape(shape)[:, :, :3].astype(np.int16)
            for each in (self, now)
        )
        different = (np.abs(one - other) > NOISE).any(axis=2)
        for cover in (*self.covered, *now.covered):
            part = cover.intersection(self.area)
            left, top = part.x - self.area.x, part.y - self.area.y
            different[top : top + part.height, left : left + part.width] = False
        rows, columns = np.flatnonzero(different.any(axis=1)), np.flatnonzero(different.any(axis=0))
        if not len(rows):
            return True
        return bool(rows[-1] - rows[0] < CELL.height and columns[-1] - columns[0] < CELL.width)


def picture_of_focus(target: Target) -> WindowPicture | None:
    """The window that has the keyboard now; None when there is none. Raises TargetError."""
    window = windows_of(target).focused_window()
    area = window.bounds.intersection(target.geometry().bounds) if window is not None else Rect(0, 0, 0, 0)
    if area.empty:
        return None
    scene = scene_of(target)
    stack, focus = (scene.stack, scene.focus) if scene is not None else ((), 0)
    ids = [each.id for each in stack]
    in_front = stack[: ids.index(focus)] if focus in ids else ()
    frame = target.observe(area)
    return WindowPicture(frame.region, frame.pixels, tuple(part for each in in_front for part in each.areas))
