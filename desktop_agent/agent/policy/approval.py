"""Asks the human for a yes where policy or the step mode want one; the yes is bound to exactly those operations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import islice, takewhile

from desktop_agent.agent.acting.batching import Unit, units
from desktop_agent.agent.inbox import Decision, Inbox
from desktop_agent.agent.memory import RunMemory
from desktop_agent.agent.op_points import start_point
from desktop_agent.agent.op_text import exact, request
from desktop_agent.agent.policy.gatekeeper import Gatekeeper, Ruling
from desktop_agent.agent.port import StepMode
from desktop_agent.protocol import seal
from desktop_agent.protocol.agent_events import ApprovalAsked, FeedEvent, Status
from desktop_agent.protocol.geometry import Point, Rect, Size
from desktop_agent.protocol.ops import Op, name_of
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.encoding.encode import crop, preview
from desktop_agent.vision.observation import Observation

_PICTURE = Size(720, 405)


@dataclass(frozen=True)
class JudgedUnit:
    """Operations to be carried out next, and the ruling for each of them."""

    operations: Unit
    rulings: tuple[Ruling, ...]


@dataclass
class Approver:
    """Asks for one unit after the other and remembers what was allowed in this run; `mode` may change at any time."""

    inbox: Inbox
    emit: Callable[[FeedEvent], None]
    mode: Callable[[], StepMode]
    gate: Gatekeeper
    granted: str = ""
    """The fingerprint of the unit that was just allowed by a yes, "" when none was needed."""
    _always: set[tuple[str, str]] = field(default_factory=set)
    _step: tuple[tuple[str, ...], int] | None = None

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
        self.granted = ""
        unit, rulings = judged.operations, judged.rulings
        asks = [ruling for ruling in rulings if ruling.verdict.kind == "ask"]
        refused = any(ruling.verdict.kind == "refuse" for ruling in rulings)
        if refused or not (asks or self._must_ask(unit, memory, observation)):
            self.gate.begin(())
            return True
        asked = self._question(unit, memory, observation, asks)
        self.emit(Status(state="waiting_for_user", detail="May I?"))
        self.emit(asked)
        decision = self.inbox.wait_for_decision(asked.id, stop)
        if decision == "always" and not asked.lasting:
            decision = "approve"
        self.gate.begin(asks if decision != "skip" else (), decision, observation)
        self._remember(decision, unit, memory, observation)
        self.granted = asked.id if decision != "skip" else ""
        return decision != "skip"

    def _must_ask(self, unit: Unit, memory: RunMemory, observation: Observation) -> bool:
        mode = self.mode()
        if all(op.traits.idle or op.traits.carried_out_by == "agent" for op in unit):
            return False
        if mode == "plan":
            return self._step != (memory.plan, memory.step)
        return mode == "action" and not all((name_of(op), observation.window) in self._always for op in unit)

    def _remember(self, decision: Decision, unit: Unit, memory: RunMemory, observation: Observation) -> None:
        if decision == "always":
            self._always |= {(name_of(op), observation.window) for op in unit}
        if decision != "skip":
            self._step = (memory.plan, memory.step)

    def _question(
        self, unit: Unit, memory: RunMemory, observation: Observation, asks: Sequence[Ruling]
    ) -> ApprovalAsked:
        elements = {each.id: each for each in observation.elements}
        at = start_point(unit[0], observation)
        picture, mark = surroundings(observation.frame, at)
        plan_step = memory.plan[memory.step] if self.mode() == "plan" and memory.plan and not asks else ""
        return ApprovalAsked(
            id=fingerprint(unit, observation),
            words=plan_step or _sentence([request(op, elements) for op in unit]),
            exact=tuple(exact(op, start_point(op, observation)) for op in unit),
            window=next((each.place.window for each in asks if each.place.window), observation.window),
            why=_why(asks, plan_step),
            source=_source(unit, asks),
            lasting=all(each.lasting for each in asks),
            adds=tuple(dict.fromkeys(str(adds) for each in asks if (adds := each.verdict.adds) is not None)),
            picture=picture,
            at=mark,
        )


def _by_hand(unit: Unit) -> bool:
    return unit[0].traits.carried_out_by == "hand"


def _why(asks: Sequence[Ruling], plan_step: str) -> str:
    if asks:
        return " ".join(dict.fromkeys(each.verdict.reason for each in asks))
    each = "plan step" if plan_step else "action"
    return f"You asked to be asked before each {each}."


def _source(unit: Unit, asks: Sequence[Ruling]) -> str:
    """The origin of the text, for people: of several the least trusted; "" when the operations bring none."""
    if not any(op.traits.brings_text for op in unit):
        return ""
    order = ("seen", "model", "user")
    return (
        min((each.origin for each in asks), key=lambda each: order.index(each.source)).words if asks else ""
    )


def surroundings(frame: Frame, at: Point | None) -> tuple[bytes, Point | None]:
    """A JPEG to decide by, and where `at` is in it: the surroundings unscaled, without a place the whole screen scaled."""
    if at is None or not frame.region.contains(at):
        return preview(frame, _PICTURE.width), None
    whole = frame.region
    width, height = min(_PICTURE.width, whole.width), min(_PICTURE.height, whole.height)
    left = min(max(at.x - width // 2, whole.x), whole.right - width)
    top = min(max(at.y - height // 2, whole.y), whole.bottom - height)
    part = crop(frame, Rect(left, top, width, height))
    return preview(part, _PICTURE.width), Point(at.x - left, at.y - top)


def _sentence(words: list[str]) -> str:
    """`Click “A”, then press Enter`."""
    return ", then ".join([words[0], *(each[0].lower() + each[1:] for each in words[1:])])


def fingerprint(unit: Unit, observation: Observation) -> str:
    """Hash of the exact operations, window, picture and geometry that an approval is for."""
    return seal.fingerprint(unit, observation.window, observation.viewport, observation.frame.digest)
