"""Step mode: asks the human before an action or a plan step, bound to exactly that batch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from desktop_agent.agent.context import Context
from desktop_agent.agent.inbox import Decision, Inbox
from desktop_agent.agent.port import StepMode
from desktop_agent.agent.words import exact, request
from desktop_agent.protocol import ops, seal
from desktop_agent.protocol.feed import ApprovalAsked, FeedEvent, Status
from desktop_agent.protocol.geometry import Point, Rect, Size
from desktop_agent.protocol.ops import Op, name_of
from desktop_agent.protocol.stopping import StopFlag
from desktop_agent.vision.encode import crop, preview
from desktop_agent.vision.frame import Frame
from desktop_agent.vision.observation import Observation

_PRESSES = (ops.MouseDown, ops.KeyDown)
_RELEASES = (ops.MouseUp, ops.KeyUp)
_PICTURE = Size(720, 405)
_HARMLESS = (ops.Wait, ops.ReleaseAll)


@dataclass
class Approver:
    """Remembers what was allowed in this run; `mode` may change at any time."""

    inbox: Inbox
    emit: Callable[[FeedEvent], None]
    mode: Callable[[], StepMode]
    granted: str = ""
    """The fingerprint of the unit that was just allowed by a yes, "" when none was needed."""
    _always: set[tuple[str, str]] = field(default_factory=set)
    _step: tuple[tuple[str, ...], int] | None = None

    def units(self, operations: Sequence[Op]) -> list[tuple[Op, ...]]:
        """The pieces that are asked for and carried out one at a time in the current mode."""
        return split(operations) if self.mode() == "action" else [tuple(operations)]

    def allowed(
        self, unit: tuple[Op, ...], context: Context, observation: Observation, stop: StopFlag
    ) -> bool:
        """True when the unit may be done now; waits for the human where the mode says so. Raises Stopped."""
        self.granted = ""
        if not self._must_ask(unit, context, observation):
            return True
        asked = self._question(unit, context, observation)
        self.emit(Status(state="waiting_for_user", detail="May I?"))
        self.emit(asked)
        decision = self.inbox.wait_for_decision(asked.id, stop)
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

    def _question(self, unit: tuple[Op, ...], context: Context, observation: Observation) -> ApprovalAsked:
        elements = {each.id: each for each in observation.elements}
        at = place_of(unit[0], observation)
        picture, mark = surroundings(observation.frame, at)
        plan_step = context.plan[context.step] if self.mode() == "plan" and context.plan else ""
        return ApprovalAsked(
            id=fingerprint(unit, observation),
            words=plan_step or _sentence([request(op, elements) for op in unit]),
            exact=tuple(exact(op, place_of(op, observation)) for op in unit),
            window=observation.window,
            why="You asked to be asked before each plan step."
            if plan_step
            else "You asked to be asked before each action.",
            picture=picture,
            at=mark,
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


def place_of(op: Op, observation: Observation) -> Point | None:
    """The screen point an operation acts on, if it names one inside the picture."""
    bounds = {each.id: each.bounds for each in observation.elements}
    id = getattr(op, "element", None)
    if id is not None:
        return bounds[id].center if id in bounds else None
    first = op.path[0] if isinstance(op, ops.Drag) else op
    x, y = getattr(first, "x", None), getattr(first, "y", None)
    view = observation.viewport
    inside = x is not None and y is not None and x < view.image.width and y < view.image.height
    return view.to_screen(x, y) if inside and x is not None and y is not None else None


def split(operations: Sequence[Op]) -> list[tuple[Op, ...]]:
    """Single operations, but what is held between a press and its release stays together."""
    units: list[tuple[Op, ...]] = []
    open_unit: list[Op] = []
    held = 0
    for op in operations:
        open_unit.append(op)
        held += isinstance(op, _PRESSES) - isinstance(op, _RELEASES)
        if held <= 0:
            units.append(tuple(open_unit))
            open_unit, held = [], 0
    return [*units, tuple(open_unit)] if open_unit else units
