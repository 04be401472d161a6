"""Translates an operation into raw input events, in pixels of the screen that its batch was made for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from typing import NamedTuple

from desktop_agent.hand.injector import gestures
from desktop_agent.hand.injector.gestures import Step
from desktop_agent.protocol import input_events, ops
from desktop_agent.protocol.batch import Batch
from desktop_agent.protocol.errors import Refused
from desktop_agent.protocol.geometry import Point, Rect
from desktop_agent.protocol.input_events import Button, ButtonUp, KeyUp
from desktop_agent.protocol.keys import canonical, together


class Act(NamedTuple):
    """The screen point acted on, if there is one, and the steps."""

    at: Point | None
    steps: Iterator[Step]


class Translator:
    """Knows the batch (coordinates, elements) and what is held; raises Refused rather than guess.

    `middle(rect)` gives the screen point that stands for an element, `holds(event)` tells whether
    what that event would release is held.
    """

    def __init__(
        self, batch: Batch, middle: Callable[[Rect], Point], holds: Callable[[KeyUp | ButtonUp], bool]
    ) -> None:
        self._batch = batch
        self._middle = middle
        self._holds = holds

    def translate(self, op: ops.Op) -> Act:
        """The act of a pointer, keyboard or element operation. Raises Refused for any other."""
        match op:
            case ops.Move() | ops.Click() | ops.MouseDown() | ops.MouseUp() | ops.Drag() | ops.Scroll():
                return self._pointer(op)
            case ops.KeyDown() | ops.KeyUp() | ops.KeyCombo():
                return Act(None, self._keys(op))
            case ops.Type():
                return self._type(op)
            case _:
                return self._element(op)

    def _pointer(self, op: ops.Move | ops.Click | ops.MouseDown | ops.MouseUp | ops.Drag | ops.Scroll) -> Act:
        match op:
            case ops.Drag(path, button, modifiers):
                points = [self._batch.viewport.to_screen(spot.x, spot.y) for spot in path]
                return Act(points[0], self._with(modifiers, gestures.drag(points, self._free(button))))
            case ops.Move():
                steps: Iterator[Step] = iter(())
            case ops.Click():
                steps = self._click(op)
            case ops.Scroll():
                steps = self._scroll(op)
            case ops.MouseDown(button):
                steps = iter((input_events.ButtonDown(self._free(button)),))
            case ops.MouseUp(button):
                steps = iter((self._held(ButtonUp(button)),))
        at = self._spot(op.x, op.y)
        return Act(at, chain(_go(at), steps))

    def _element(self, op: ops.Op) -> Act:
        match op:
            case ops.ClickElement():
                at, steps = self._place(op.element), self._click(op)
            case ops.HoverElement():
                at, steps = self._place(op.element), iter(())
            case ops.FocusElement():
                at, steps = self._place(op.element), gestures.click(self._free("left"), 1)
            case ops.ScrollElement():
                at, steps = self._place(op.element), self._scroll(op)
            case ops.DragElement():
                at = self._place(op.element)
                steps = gestures.drag((at, self._place(op.to)), self._free("left"))
            case _:
                raise Refused(f"{ops.name_of(op)} is not an operation of mouse or keyboard.")
        return Act(at, chain(_go(at), steps))

    def _keys(self, op: ops.KeyDown | ops.KeyUp | ops.KeyCombo) -> Iterator[Step]:
        match op:
            case ops.KeyDown(key):
                return gestures.press((self._up_key(canonical(key)),))
            case ops.KeyUp(key):
                return iter((self._held(KeyUp(canonical(key))),))
            case ops.KeyCombo(names):
                return self._with(names, iter(()))

    def _type(self, op: ops.Type) -> Act:
        if held := [key for key in ("ctrl", "alt", "super", "shift", "altgr") if self._any_side(key)]:
            raise Refused(
                f"{held[0]} is held down, so the text would arrive as commands.", "Release it first."
            )
        words = gestures.text(op.text, op.delay)
        if op.element is None:
            return Act(None, words)
        at = self._place(op.element)
        return Act(at, chain(_go(at), gestures.click(self._free("left"), 1), words))

    def _click(self, op: ops.Click | ops.ClickElement) -> Iterator[Step]:
        return self._with(op.modifiers, gestures.click(self._free(op.button), op.count))

    def _scroll(self, op: ops.Scroll | ops.ScrollElement) -> Iterator[Step]:
        if not (op.dx or op.dy):
            raise Refused("dx and dy are both 0: there is nothing to scroll.", "Give one of them.")
        return gestures.scroll(op.dx, op.dy)

    def _with(self, names: tuple[str, ...], steps: Iterator[Step]) -> Iterator[Step]:
        """Hold keys around steps; those that are held already stay so."""
        keys = gestures.combo(together(names))
        if len(set(keys)) < len(keys):
            raise Refused(f"A key is named twice in {' '.join(names)}.", "Name each key once.")
        fresh = [key for key in keys if not self._holds(KeyUp(key))]
        return chain(gestures.press(fresh), steps, gestures.release(fresh))

    def _spot(self, x: int | None, y: int | None) -> Point | None:
        if x is None and y is None:
            return None
        if x is None or y is None:
            raise Refused("Only one of x and y is given.", "Give both, or neither for where the pointer is.")
        return self._batch.viewport.to_screen(x, y)

    def _place(self, element: str) -> Point:
        bounds = self._batch.elements.get(element)
        if bounds is None:
            raise Refused(
                f"There is no element {element!r} on the screen now.", "Look again and use a listed id."
            )
        return self._middle(bounds)

    def _free(self, button: Button) -> Button:
        if self._holds(ButtonUp(button)):
            raise Refused(f"The {button} button is held down already.", "Release it with mouse_up first.")
        return button

    def _up_key(self, key: str) -> str:
        if self._holds(KeyUp(key)):
            raise Refused(f"{key} is held down already.", "Release it with key_up first.")
        return key

    def _held(self, event: KeyUp | ButtonUp) -> KeyUp | ButtonUp:
        if not self._holds(event):
            what = event.key if isinstance(event, KeyUp) else f"the {event.button} button"
            raise Refused(
                f"{what} is not held down (any more): a stop and a pause release everything, and so does the end of a batch.",
                "Press and release in the same batch.",
            )
        return event

    def _any_side(self, modifier: str) -> bool:
        return any(self._holds(KeyUp(f"{modifier}{side}")) for side in ("", "_left", "_right"))


def _go(at: Point | None) -> Iterator[Step]:
    if at is not None:
        yield input_events.Move(at.x, at.y)
