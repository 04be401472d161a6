"""Asks the human for a yes where policy or the step mode want one; the yes is bound to exactly those operations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count, islice, takewhile

from desktop_agent.agent.inbox import Decision, Edited, Inbox, NotShown
from desktop_agent.agent.memory import RunMemory
from desktop_agent.agent.port import StepMode
from desktop_agent.policy.consent.asked_rows import places_of, rows_of
from desktop_agent.policy.consent.consent import Covered, Ruling, covered_in_steps
from desktop_agent.policy.consent.edited_unit import changeable, edited, near, new_texts
from desktop_agent.policy.facts.batching import Unit, units
from desktop_agent.policy.facts.op_points import start_point
from desktop_agent.policy.facts.op_text import exact, request
from desktop_agent.policy.facts.provenance import Origin, told
from desktop_agent.policy.gatekeeper import Gatekeeper
from desktop_agent.protocol import batch
from desktop_agent.protocol.agent_events import ApprovalAsked, FeedEvent, Status, Whose
from desktop_agent.protocol.errors import QuestionNotShown, Refused
from desktop_agent.protocol.geometry import Point, Rect, Size
from desktop_agent.protocol.op_change import ChangedWords
from desktop_agent.protocol.ops import Op
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.encoding.encode import crop, preview
from desktop_agent.vision.observation import Observation

_PICTURE = Size(720, 405)
BATCHES_A_YES = 5
"""So many batches (what is done of one reply each) of a plan step one yes covers: a plan that never moves on grants no more."""


@dataclass(frozen=True)
class JudgedUnit:
    """Operations to be carried out next, and the ruling for each of them; `before` are those the user has changed."""

    operations: Unit
    rulings: tuple[Ruling, ...]
    before: Unit = ()


@dataclass
class PlanStepYes:
    """A yes to step `step` of `plan`: it has covered so many batches, the last one in turn `turn`."""

    plan: tuple[str, ...]
    step: int
    turn: int
    batches: int = 1

    def is_for(self, memory: RunMemory) -> bool:
        """Is it about the step that is worked now?"""
        return (self.plan, self.step) == (memory.plan, memory.step)

    def covers(self, memory: RunMemory) -> bool:
        """Does it cover the batch that is carried out now?"""
        return self.is_for(memory) and (memory.turn == self.turn or self.batches < BATCHES_A_YES)

    def count(self, turn: int) -> None:
        """Something of the batch of this turn is done by it."""
        self.batches += turn != self.turn
        self.turn = turn


@dataclass
class Approver:
    """Asks for one unit after the other and remembers what was allowed in this run; `mode` may change at any time.

    `record` writes to the run's log what the user has changed.
    """

    inbox: Inbox
    emit: Callable[[FeedEvent], None]
    mode: Callable[[], StepMode]
    gate: Gatekeeper
    record: Callable[[str, object], None] = lambda _kind, _data: None
    granted: str = ""
    """The fingerprint of the unit that was just allowed by a yes, "" when none was needed."""
    agreed: JudgedUnit = field(default_factory=lambda: JudgedUnit((), ()))
    """What was just allowed: with `before`, it is not what was proposed."""
    _step: PlanStepYes | None = None
    _questions: Iterator[int] = field(default_factory=lambda: count(1))

    def next_unit(self, operations: Sequence[Op], observation: Observation) -> JudgedUnit:
        """The first of these operations that can be asked for and carried out at once, judged now.

        What needs a yes stands alone; units for the hand that need none are joined.
        """
        first, *others = units(operations)
        alone = self.mode() == "action" or not _by_hand(first)
        candidates = [first, *([] if alone else takewhile(_by_hand, others))]
        plan = self.gate.plan([op for unit in candidates for op in unit], observation)
        joined: Unit = ()
        rulings: list[Ruling] = []
        for unit in candidates:
            own = list(islice(plan, len(unit)))
            asks = any(ruling.verdict.kind == "ask" for ruling in own)
            if (
                asks and joined
            ):  # when its turn comes it is judged again: by then the others have changed the screen
                break
            joined, rulings = joined + unit, rulings + own
            if asks:
                break
        return JudgedUnit(joined, tuple(rulings))

    def allowed(
        self, judged: JudgedUnit, memory: RunMemory, observation: Observation, stop: StopFlag
    ) -> bool:
        """True when the unit may be tried now; waits for the human where policy or the mode say so. Raises Stopped.

        What policy refuses is not asked for: the second judgement refuses it where it is carried out.
        """
        self.granted, self.agreed = "", judged
        if not self._is_due(judged.operations, judged.rulings, memory):
            self.gate.begin(())
            self._count(judged.operations, memory)
            return True
        judged = replace(judged, rulings=self._now(judged, observation))
        if any(map(_refuses, judged.rulings)):
            self.gate.begin(())
            return True
        fault, worded = "", self.gate.provenance.worded
        while True:
            self.gate.keep_picture(judged.rulings)
            decision = self._decision(self._question(judged, memory, observation, fault), stop)
            if not isinstance(decision, Edited):
                break
            judged, fault = self._changed(judged, decision, observation, worded)
        if not (yes := self._answered(decision, judged, memory, observation)):
            self.gate.provenance.worded = worded
        return yes

    def _answered(
        self, decision: Decision, judged: JudgedUnit, memory: RunMemory, observation: Observation
    ) -> bool:
        """True for a yes: then these operations, and no others, are covered by it."""
        if decision not in ("approve", "always"):
            self.gate.begin(())
            return False
        always = decision == "always"
        self.gate.begin(judged.rulings, "always" if always else "approve", observation)
        self._remember(judged, memory, always=always)
        self.granted, self.agreed = fingerprint(judged.operations, observation), judged
        return True

    def _changed(
        self, judged: JudgedUnit, change: Edited, observation: Observation, worded: frozenset[str]
    ) -> tuple[JudgedUnit, str]:
        """The operations as the user has changed them, judged anew; or as they were, and why they stay so.

        The texts that differ from the first ones are the user's own words, if a yes follows; `worded` are those of before
        the question. What no yes allows stays refused.
        """
        before = judged.before or judged.operations
        provenance, kept = self.gate.provenance, self.gate.provenance.worded
        try:
            unit = edited(judged.operations, change.changes, observation)
            provenance.worded = worded
            for text in new_texts(before, unit):
                provenance.word(text)
            rulings = tuple(self.gate.plan(unit, observation, fresh=True))
            refused = next(filter(_refuses, rulings), None)
            fault = refused.verdict.reason if refused is not None else ""
        except Refused as error:
            unit, rulings, fault = (), (), str(error)
        self.record("edited", {"before": list(judged.operations), "after": list(unit), "refused": fault})
        if fault:
            provenance.worded = kept
            return judged, fault
        return JudgedUnit(unit, rulings, () if unit == before else before), ""

    def _decision(self, asked: ApprovalAsked, stop: StopFlag) -> Decision:
        """The answer to the question. Raises Stopped, and QuestionNotShown where the user cannot see it."""
        self.emit(Status(state="waiting_for_user", detail="May I?"))
        self.emit(asked)
        decision = self.inbox.wait_for_decision(asked.id, stop)
        if isinstance(decision, NotShown):
            raise QuestionNotShown(
                f"You could not be asked “{asked.words}”: {decision.why}. It was not done.",
                "Bring the window to sight and send the goal again.",
            )
        return "approve" if decision == "always" and not asked.lasting else decision

    def put(self, asked: ApprovalAsked, stop: StopFlag) -> bool:
        """Put a question that is about no operation; True for a yes. Raises Stopped, QuestionNotShown."""
        return self._decision(asked, stop) in ("approve", "always")

    def _now(self, judged: JudgedUnit, observation: Observation) -> tuple[Ruling, ...]:
        """The rulings by what is there now, as it will be compared when the operations are sent.

        Where what had to be asked about is no more, the question stays as it was.
        """
        fresh = tuple(self.gate.plan(judged.operations, observation, fresh=True))
        asked, asks = any(each.asks for each in judged.rulings), any(each.asks for each in fresh)
        return judged.rulings if asked and not asks and not any(map(_refuses, fresh)) else fresh

    def _is_due(self, unit: Unit, rulings: Sequence[Ruling], memory: RunMemory) -> bool:
        if any(map(_refuses, rulings)):
            return False
        return any(each.asks for each in rulings) or self._must_ask(unit, rulings, memory)

    def _must_ask(self, unit: Unit, rulings: Sequence[Ruling], memory: RunMemory) -> bool:
        mode = self.mode()
        if not _acts(unit):
            return False
        if mode == "plan":
            return self._step is None or not self._step.covers(memory)
        standing = self.gate.standing
        return mode == "action" and not all(each.standing or standing.has(_step_of(each)) for each in rulings)

    def _remember(self, judged: JudgedUnit, memory: RunMemory, *, always: bool) -> None:
        unit, rulings = judged.operations, judged.rulings
        if always and not any(each.asks for each in rulings):
            self.gate.standing.add(each for each in map(_step_of, rulings) if each is not None)
        if self.mode() != "plan":
            return
        if not self._must_ask(unit, rulings, memory):
            self._count(unit, memory)
        elif memory.plan:  # the card has shown the plan step; without a plan, only what is done now
            self._step = PlanStepYes(memory.plan, memory.step, memory.turn)

    def _count(self, unit: Unit, memory: RunMemory) -> None:
        if self._step is not None and self._step.is_for(memory) and _acts(unit):
            self._step.count(memory.turn)

    def _question(
        self, judged: JudgedUnit, memory: RunMemory, observation: Observation, fault: str = ""
    ) -> ApprovalAsked:
        unit, rulings = judged.operations, judged.rulings
        elements = {each.id: each for each in observation.elements}
        points = tuple(start_point(op, observation) for op in unit)
        picture, mark = surroundings(observation.frame, points[0])
        asks = [part for each in rulings for part in each.parts or (each,) if part.asks]
        begins = self.mode() == "plan" and self._must_ask(unit, rulings, memory)
        plan_step = memory.plan[memory.step] if begins and memory.plan else ""
        covers = "" if judged.before and not asks else _covers(rulings, asks, self.mode())
        origin = _origin(unit, asks or rulings)
        return ApprovalAsked(
            id=f"{fingerprint(unit, observation)}-{next(self._questions)}",
            words=plan_step if plan_step and not asks else _sentence([request(op, elements) for op in unit]),
            exact=tuple(exact(op, at) for op, at in zip(unit, points, strict=True)),
            window=next((each.place.window for each in asks if each.place.window), observation.window),
            why=self._why(asks, memory, begins=begins, changed=bool(judged.before)),
            source=_source(unit, asks),
            lasting=bool(covers),
            adds=tuple(dict.fromkeys(str(adds) for each in asks if (adds := each.verdict.adds) is not None)),
            picture=picture,
            at=mark,
            rows=rows_of(unit, points, rulings),
            covers=covers,
            region=_part_shown(observation.frame, points[0]),
            places=places_of(rulings),
            whose=_whose(origin),
            whose_from=_read_at(origin),
            changeable=changeable(unit),
            near=near(unit, observation),
            changed=_difference(judged, observation),
            fault=fault,
        )

    def _why(self, asks: Sequence[Ruling], memory: RunMemory, *, begins: bool, changed: bool) -> str:
        if changed and not asks:
            return "You have changed it: this is what will be done."
        reasons = [" ".join(dict.fromkeys(each.verdict.reason for each in asks))]
        if begins or not asks:
            reasons.append(self._why_now(memory, begins=begins, alone=not asks))
        return " ".join(filter(None, reasons))

    def _why_now(self, memory: RunMemory, *, begins: bool, alone: bool) -> str:
        """Why the step mode asks; `alone`: nothing else does."""
        if not begins:
            return "You asked to be asked before each action."
        if not memory.plan:
            return "You asked to be asked before each plan step, but there is no plan: so you are asked each time."
        if self._step is not None and self._step.is_for(memory):
            return f"The plan has not moved on for {BATCHES_A_YES} batches of actions: your yes to this step is asked for again."
        if alone:
            return "You asked to be asked before each plan step."
        return f"With it begins the plan step “{memory.plan[memory.step]}”."


def _acts(unit: Unit) -> bool:
    return any(op.traits.acts for op in unit)


def _difference(judged: JudgedUnit, observation: Observation) -> tuple[ChangedWords, ...]:
    """The operations that the user has changed, whole."""
    if not judged.before:
        return ()
    return tuple(
        ChangedWords(exact(old, start_point(old, observation)), exact(new, start_point(new, observation)))
        for old, new in zip(judged.before, judged.operations, strict=True)
        if old != new
    )


def _refuses(ruling: Ruling) -> bool:
    return ruling.verdict.kind == "refuse"


def _step_of(ruling: Ruling) -> Covered | None:
    """What "always" covers where each action is asked about; not for a text that was read."""
    known = ruling.place.known and ruling.origin.source != "seen"
    return covered_in_steps(ruling.op, ruling.place) if known else None


def _covers(rulings: Sequence[Ruling], asks: Sequence[Ruling], mode: StepMode) -> str:
    """What "always" would allow, in words; "" where it is not offered."""
    if any(each.origin.source == "seen" for each in rulings) or (mode == "plan" and not asks):
        return ""
    covered = [each.covered for each in asks] if asks else [_step_of(each) for each in rulings]
    words = [each.words for each in covered if each is not None]
    return ", and ".join(dict.fromkeys(words)) if words and len(words) == len(covered) else ""


def _by_hand(unit: Unit) -> bool:
    return unit[0].traits.carried_out_by == "hand"


def _source(unit: Unit, asks: Sequence[Ruling]) -> str:
    """The origin of the text, for people: of several the least trusted; "" when the operations bring none."""
    origin = _origin(unit, asks)
    return origin.words if origin is not None else ""


def _origin(unit: Unit, rulings: Sequence[Ruling]) -> Origin | None:
    """The least trusted origin of the texts; None when the operations bring none."""
    if not any(op.traits.brings_text for op in unit):
        return None
    order = ("seen", "model", "user")  # of what was read, first what is known to have been
    origins = [each.origin for each in rulings]
    return min(origins, key=lambda each: (order.index(each.source), not each.where)) if origins else None


def _whose(origin: Origin | None) -> Whose:
    if origin is None:
        return ""
    return "read" if origin.source == "seen" else origin.source


def _read_at(origin: Origin | None) -> str:
    return (origin.where or told(origin.sources)) if origin is not None and origin.source == "seen" else ""


def surroundings(frame: Frame, at: Point | None) -> tuple[bytes, Point | None]:
    """A JPEG to decide by, and where `at` is in it: the surroundings unscaled, without a place the whole screen scaled."""
    if at is None or not frame.region.contains(at):
        return preview(frame, _PICTURE.width), None
    around = _around(frame.region, at)
    return preview(crop(frame, around), _PICTURE.width), Point(at.x - around.x, at.y - around.y)


def _part_shown(frame: Frame, at: Point | None) -> Rect | None:
    """The screen pixels that `surroundings` shows unscaled; None where it scales."""
    return _around(frame.region, at) if at is not None and frame.region.contains(at) else None


def _around(whole: Rect, at: Point) -> Rect:
    width, height = min(_PICTURE.width, whole.width), min(_PICTURE.height, whole.height)
    left = min(max(at.x - width // 2, whole.x), whole.right - width)
    top = min(max(at.y - height // 2, whole.y), whole.bottom - height)
    return Rect(left, top, width, height)


def _sentence(words: list[str]) -> str:
    """`Click “A”, then press Enter`."""
    return ", then ".join([words[0], *(each[0].lower() + each[1:] for each in words[1:])])


def fingerprint(unit: Unit, observation: Observation) -> str:
    """Hash of what an approval is for: the exact operations, the elements they name, window, picture and geometry."""
    named = {getattr(op, name, None) for op in unit for name in ("element", "to")}
    elements = [
        (e.id, e.role, e.name, e.value, sorted(e.states), e.bounds, e.window, e.pid)
        for e in observation.elements
        if e.id in named
    ]
    return batch.fingerprint(
        unit, elements, observation.window, observation.viewport, observation.frame.digest
    )
