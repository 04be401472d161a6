"""Asks the human where policy or the step mode say so, bound to exactly that batch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from desktop_agent.agent.acting.units import place_of, split
from desktop_agent.agent.inbox import Decision, Inbox
from desktop_agent.agent.memory import Context
from desktop_agent.agent.op_text import exact, request
from desktop_agent.agent.policy.gatekeeper import Gatekeeper, Ruling
from desktop_agent.agent.port import StepMode
from desktop_agent.protocol import ops, seal
from desktop_agent.protocol.agent_events import ApprovalAsked, FeedEvent, Status
from desktop_agent.protocol.geometry import Point, Rect, Size
from desktop_agent.protocol.ops import Op, name_of
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.encoding.encode import crop, preview
from desktop_agent.vision.observation import Observation

_PICTURE = Size(720, 405)
_HARMLESS = (ops.Wait, ops.ReleaseAll)


@dataclass
class Approver:
    """Remembers what was allowed in this run; `mode` may change at any time."""

    inbox: Inbox
    emit: Callable[[FeedEvent], None]
    mode: Callable[[], StepMode]
    gate: Gatekeeper
    granted: str = ""
    """The fingerprint of the unit that was just allowed by a yes, "" when none was needed."""
    _always: set[tuple[str, str]] = field(default_factory=set)
    _step: tuple[tuple[str, ...], int] | None = None

    def units(self, operations: Sequence[Op], observation: Observation) -> list[tuple[Op, ...]]:
        """The pieces that are asked for and carried out one at a time: what needs a yes stands alone."""
        groups = split(operations)
        if self.mode() == "action":
            return groups
        quiet = iter([ruling.verdict.kind != "ask" for ruling in self.gate.plan(operations, observation)])
        units: list[tuple[Op, ...]] = []
        may_join = False
        for group in groups:
            allowed = sum(next(quiet) for _ in group) == len(group)
            units = [*units[:-1], units[-1] + group] if allowed and may_join else [*units, group]
            may_join = allowed
        return units

    def allowed(
        self, unit: tuple[Op, ...], context: Context, observation: Observation, stop: StopFlag
    ) -> bool:
        """True when the unit may be tried now; waits for the human where policy or the mode say so. Raises Stopped.

        What policy refuses is not asked for: it is refused where it is sent.
        """
        self.granted = ""
        rulings = self.gate.plan(unit, observation)
        asks = [ruling for ruling in rulings if ruling.verdict.kind == "ask"]
        refused = any(ruling.verdict.kind == "refuse" for ruling in rulings)
        if refused or not (asks or self._must_ask(unit, context, observation)):
            self.gate.begin(())
            return True
        asked = self._question(unit, context, observation, asks)
        self.emit(Status(state="waiting_for_user", detail="May I?"))
        self.emit(asked)
        decision = self.inbox.wait_for_decision(asked.id, stop)
        if decision == "always" and not asked.lasting:
            decision = "approve"
        self.gate.begin(asks if decision != "skip" else (), decision, observation)
        self._remember(decision, unit, context, observation)
        self.granted = asked.id if decision != "skip" else ""
        return decision != "skip"

    def _must_ask(self, unit: tuple[Op, ...], context: Context, observation: Observation) -> bool:
        mode = self.mode()
        if all(isinstance(op, _HARMLESS) for op in unit):
            return False
        if mode == "plan":
            return self._step != (context.plan, context.step)
        return mode == "action" and not all((name_of(op), observation.window) in self._always for op in unit)

    def _remember(
        self, decision: Decision, unit: tuple[Op, ...], context: Context, observation: Observation
    ) -> None:
        if decision == "always":
            self._always |= {(name_of(op), observation.window) for op in unit}
        if decision != "skip":
            self._step = (context.plan, context.step)

    def _question(
        self, unit: tuple[Op, ...], context: Context, observation: Observation, asks: Sequence[Ruling]
    ) -> ApprovalAsked:
        elements = {each.id: each for each in observation.elements}
        at = place_of(unit[0], observation)
        picture, mark = surroundings(observation.frame, at)
        plan_step = context.plan[context.step] if self.mode() == "plan" and context.plan and not asks else ""
        return ApprovalAsked(
            id=fingerprint(unit, observation),
            words=plan_step or _sentence([request(op, elements) for op in unit]),
            exact=tuple(exact(op, place_of(op, observation)) for op in unit),
            window=next((each.place.window for each in asks if each.place.window), observation.window),
            why=_why(asks, plan_step),
            source=_source(unit, asks),
            lasting=all(each.lasting for each in asks),
            picture=picture,
            at=mark,
        )


def _why(asks: Sequence[Ruling], plan_step: str) -> str:
    if asks:
        return " ".join(dict.fromkeys(each.verdict.reason for each in asks))
    each = "plan step" if plan_step else "action"
    return f"You asked to be asked before each {each}."


def _source(unit: tuple[Op, ...], asks: Sequence[Ruling]) -> str:
    """Where the text comes from, when there is one; the least trusted first."""
    if not any(isinstance(op, ops.Type | ops.Open | ops.KeyCombo | ops.KeyDown) for op in unit):
        return ""
    order = ("seen", "model", "user")
    return (
        min((each.origin for each in asks), key=lambda each: order.index(each.source)).words if asks else ""
    )


def surroundings(frame: Frame, at: Point | None) -> tuple[bytes, Point | None]:
    """A picture to decide by, and the place in its pixels: what is around it unscaled, else the whole screen."""
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


def fingerprint(unit: tuple[Op, ...], observation: Observation) -> str:
    """Binds an approval to the exact operations, window, picture and geometry."""
    return seal.fingerprint(unit, observation.window, observation.viewport, observation.frame.digest)
