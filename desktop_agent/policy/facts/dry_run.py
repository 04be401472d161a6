"""Simulates focus and pointer through a batch: what each operation acts on, and where its text comes from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import msgspec

from desktop_agent.policy.facts.batching import goes_on, moves_focus
from desktop_agent.policy.facts.execution_places import enter_runs, executes, runs_prepared
from desktop_agent.policy.facts.files.file_targets import lifted_files
from desktop_agent.policy.facts.key_effects import (
    activates,
    characters,
    confirms,
    drops,
    edits,
    pastes,
    plain_key,
    presses_enter,
)
from desktop_agent.policy.facts.op_points import end_point, names_point, start_point
from desktop_agent.policy.facts.place import Place, editable, is_address_bar, subject_of
from desktop_agent.policy.facts.place_lookup import Places
from desktop_agent.policy.facts.programs import is_run_dialog, is_terminal, names_file_or_address
from desktop_agent.policy.facts.provenance import Origin, Provenance, last_line
from desktop_agent.protocol import ops
from desktop_agent.protocol.geometry import Point
from desktop_agent.protocol.ops import Op
from desktop_agent.targets.faces import pointer_of
from desktop_agent.vision.observation import Element, Observation

_CHORDS = {"ctrl", "alt", "super"}
_MODEL = Origin("model")


@dataclass(frozen=True)
class Touch:
    """The facts about one operation, for the rules: what it does, the place it touches, and whose words its text is.

    `later`: its place can only be known once the operations before it are done.
    """

    op: Op
    place: Place
    origin: Origin
    later: bool = False


class DryRun:
    """The dry run of one batch, operation by operation.

    `now`: the operations are about to be sent, so what has the keyboard is asked of the system. `stale`:
    something was done since the look, so elements are read afresh.
    """

    def __init__(
        self, places: Places, provenance: Provenance, observation: Observation, *, now: bool, stale: bool
    ) -> None:
        self._places = places
        self._provenance = provenance
        self._observation = observation
        self._now = now
        self._stale = stale
        self._elements = {each.id: each for each in observation.elements}
        self._focus: Place | None = None
        self._focus_known = True
        self._before: Place | None = None
        self._pointer: Point | None = None
        self._held: list[str] = []
        self._line, self._prompt = provenance.line, provenance.prompt
        self._lifted: Place | None = None
        self._since, self._edited = "", False
        """What this batch has typed on this line, and whether it did more to it than that."""

    def steps(self, op: Op) -> Iterator[Touch]:
        """What is to be judged of the next operation, in order; afterwards focus and pointer are where it leaves them.

        Raises TargetError when the target cannot tell what is there.
        """
        if isinstance(op, ops.KeyUp):
            self._held = [key for key in self._held if key != plain_key(op.key)]
        if isinstance(op, ops.ReleaseAll):
            self._held = []
        if isinstance(op, ops.KeyDown | ops.KeyCombo | ops.Type):
            yield from self._keys(op)
        elif op.traits.pointer:
            yield from self._points(op)
        elif isinstance(op, ops.Open):
            opened = self._with_file(op, self._places.opened(op))
            named = names_file_or_address(op.target)
            origin = self._provenance.gone_to(op.target) if named else self._provenance.of(op.target)
            yield Touch(op, opened, origin)
            self._lose_focus()
        elif op.traits.carried_out_by == "environment":
            run = isinstance(op, ops.Run)
            place = self._with_file(op, self._places.in_environment(op))
            for text in (getattr(op, name) for name in op.traits.texts):
                origin = (
                    self._provenance.carried_out(text, confirmed=True) if run else self._provenance.of(text)
                )
                yield Touch(op, place, origin)
        else:
            yield Touch(op, Place(), _MODEL)

    # ---- keys --------------------------------------------------------------------------------

    def _keys(self, op: ops.KeyDown | ops.KeyCombo | ops.Type) -> Iterator[Touch]:
        place, later = self._keyboard(op)
        for meant in self._with_held(op):
            yield Touch(meant, self._with_file(meant, place), self._origin(meant, place), later)
            if moves_focus(meant):
                self._lose_focus()
        if isinstance(op, ops.KeyDown):
            self._held.append(plain_key(op.key))
        self._note(op, place)

    def _note(self, op: Op, place: Place) -> None:
        """Keep the lines that are typed, as `Provenance` does once it is done."""
        self._edited = self._edited or edits(op)
        self._line = last_line(self._line + characters(op))
        self._since = last_line(self._since + characters(op))
        if executes(place):
            self._prompt = "" if confirms(op) else self._prompt + characters(op)

    def _keyboard(self, op: Op) -> tuple[Place, bool]:
        """The place with the keyboard, and whether it can only be known later: not within a unit, which is sent at once."""
        if not self._focus_known and self._before is not None and goes_on(op):
            return self._before, False
        if not self._focus_known:
            return Place(simulated=self._places.target.harmless), not (self._now or self._held)
        if self._focus is None:
            fresh = self._now or self._stale
            self._focus = self._places.focus(None if fresh else self._observation.elements)
        return self._focus, False

    def _lose_focus(self) -> None:
        self._before = self._focus or self._before
        self._focus, self._focus_known, self._line = None, False, ""
        self._since, self._edited = "", False

    def _with_file(self, op: Op, place: Place) -> Place:
        """The place with the file that the operation reaches there, if it reaches one."""
        file = self._places.files.target_of(op, place, self._since, edited=self._edited, lifted=self._lifted)
        dropped = lifted_files(self._lifted) if op.traits.drops and self._lifted is not None else ()
        return msgspec.structs.replace(place, file=file, dropped=dropped) if file or dropped else place

    def _with_held(self, op: ops.KeyDown | ops.KeyCombo | ops.Type) -> Iterator[Op]:
        """The operation as it is with what is held down: holding super and typing an r is super+r."""
        held = tuple(self._held)
        if not held:
            yield op
        elif isinstance(op, ops.KeyDown):
            yield ops.KeyCombo((*held, op.key))
        elif isinstance(op, ops.KeyCombo):
            yield ops.KeyCombo((*held, *op.keys))
        else:
            yield op
            if set(held) & _CHORDS:
                for char in dict.fromkeys(op.text):
                    yield ops.KeyCombo((*held, char))

    def _origin(self, op: Op, place: Place) -> Origin:
        text = characters(op)
        if pastes(op):
            return self._provenance.pasted()
        if executes(place) and (text or confirms(op)):
            return self._provenance.carried_out(text, self._prompt, confirmed=confirms(op))
        if (presses_enter(op) and enter_runs(place)) or (activates(op) and runs_prepared(place)):
            ready = self._line + text or place.prepared
            return self._provenance.carried_out(ready, confirmed=True)
        if is_address_bar(place) and (text.strip() or presses_enter(op)):
            return (
                self._provenance.gone_to(text, self._line)
                if text.strip()
                else self._provenance.gone_to(self._line or place.value)
            )
        if text.strip():
            return self._provenance.of(text, self._line)
        if presses_enter(op):
            return self._provenance.of(self._line)
        return _MODEL

    # ---- pointer -----------------------------------------------------------------------------

    def _points(self, op: Op) -> Iterator[Touch]:
        place = Place(simulated=self._places.target.harmless)
        for point in self._points_of(op):
            self._pointer = point
            place = self._place_at(point, op)
            yield Touch(op, self._with_file(op, place), self._carried(op, place))
            if not isinstance(op, ops.MouseUp) and not op.traits.points_only:
                self._lifted = place
        if not place.known:  # a place outside the picture or an unknown element: the hand refuses these
            yield Touch(op, place, _MODEL, later=names_point(op))
        if op.traits.gives_focus:
            self._lose_focus()
            self._before = None
            if takes_keyboard(place) and not self._now:
                self._focus, self._focus_known = place, True

    def _carried(self, op: Op, place: Place) -> Origin:
        """The origin of the text that a paste, a drop or a press on “Run” puts in; the model when it does none of them."""
        if pastes(op):
            return self._provenance.pasted()
        if drops(op) and self._lifted is not None and _elsewhere(self._lifted, place):
            return self._provenance.dropped(subject_of(self._lifted), self._lifted.window)
        if op.traits.gives_focus and runs_prepared(place):
            return self._provenance.carried_out(place.prepared or self._prompt, confirmed=True)
        return _MODEL

    def _points_of(self, op: Op) -> list[Point]:
        """The screen points acted on, in order: for a drag where it begins and where it ends."""
        first = start_point(op, self._observation)
        if first is None and not names_point(op):
            first = self._pointer or pointer_of(self._places.target)
        return [point for point in (first, end_point(op, self._observation)) if point is not None]

    def _place_at(self, point: Point, op: Op) -> Place:
        element = self._elements.get(getattr(op, "element", None) or "")
        elements: Sequence[Element] = self._observation.elements
        if self._stale:
            return self._places.now_at(point, elements)
        if element is not None and point == element.bounds.center:
            return self._places.of(element, elements)
        return self._places.at(point, elements)


def takes_keyboard(place: Place) -> bool:
    """Is it certain that a click here gives this place the keyboard?"""
    names = (place.application, place.program)
    return editable(place) or is_terminal(*names) or is_run_dialog(place.window, *names)


def _elsewhere(one: Place, other: Place) -> bool:
    """Are these different elements or windows? Dragging within one only selects."""
    return (one.pid, one.window, one.role, one.name) != (other.pid, other.window, other.role, other.name)
