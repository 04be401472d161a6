"""An independent model of an obedient hand for fuzzing: what input each operation stands for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from benchmarks.fuzz_oracle import Operation, named
from desktop_agent.protocol import keys

Point = tuple[int, int]
Event = tuple[Any, ...]


class Stop(Exception):
    """The operation is refused; so is the rest of its batch."""


class Hand:
    """What an obedient hand makes of operations, told in words of its own.

    The picture is half the size of `region` = (x, y, width, height); `elements` are the points that
    stand for the elements that can be acted on, `missing` is what cannot be opened. Events are
    `("move", x, y)`, `("button", name, down)`, `("wheel", dx, dy)`, `("key", name, down)`,
    `("char", c)`, `("open", what)`.
    """

    def __init__(self, region: tuple[int, int, int, int], elements: dict[str, Point], missing: str) -> None:
        self._region = region
        self._elements = elements
        self._missing = missing
        self.held: list[Event] = []

    def batch(self, operations: list[Operation]) -> tuple[list[Event], list[str]]:
        """The events of a batch, the final releases too, and the outcome of every operation."""
        self.held = []
        events: list[Event] = []
        outcomes: list[str] = []
        for operation in operations:
            if outcomes and outcomes[-1] != "done":
                outcomes.append("skipped")
                continue
            try:
                events += list(self._do(operation))
                outcomes.append("done")
            except Stop:
                outcomes.append("refused")
        return [*events, *self._let_go()], outcomes

    def _let_go(self) -> list[Event]:
        events = [(*each, False) for each in reversed(self.held)]
        self.held = []
        return events

    def _do(self, op: Operation) -> list[Event]:
        name = op["op"]
        if name == "wait":
            return []
        if name == "release_all":
            return self._let_go()
        if name == "open":
            if op["target"] == self._missing:
                raise Stop
            return [("open", op["target"])]
        if name in ("key_down", "key_up"):
            return [self._turn(("key", named(op["key"])), name == "key_down")]
        if name == "key_combo":
            return self._around(op["keys"], [])
        if name == "type":
            return self._write(op)
        return self._point(op)

    def _point(self, op: Operation) -> list[Event]:
        name = op["op"]
        if name not in _POINTING:
            raise Stop
        if name == "drag":
            return self._around(
                op["modifiers"], self._drag([self._spot(p["x"], p["y"]) for p in op["path"]], op["button"])
            )
        at = self._at(op)
        to: list[Event] = [] if at is None else [("move", *at)]
        if name in ("mouse_down", "mouse_up"):
            return [*to, self._turn(("button", op["button"]), name == "mouse_down")]
        if name in ("click", "click_element"):
            return [*to, *self._around(op["modifiers"], self._clicks(op["button"], op["count"]))]
        if name == "focus_element":
            return [*to, *self._clicks("left", 1)]
        if name in ("scroll", "scroll_element"):
            return [*to, *_wheel(op["dx"], op["dy"])]
        if name == "drag_element":
            return [*to, *self._drag([self._at(op), self._place(op["to"])], "left")]
        return to

    def _at(self, op: Operation) -> Any:
        if "element" in op:
            return self._place(op["element"])
        return None if op["x"] is None else self._spot(op["x"], op["y"])

    def _spot(self, x: int, y: int) -> Point:
        left, top, width, height = self._region
        if x >= width // 2 or y >= height // 2:
            raise Stop
        return left + 2 * x + 1, top + 2 * y + 1

    def _place(self, element: str) -> Point:
        if element not in self._elements:
            raise Stop
        return self._elements[element]

    def _turn(self, what: Event, down: bool) -> Event:
        if down == (what in self.held):
            raise Stop
        if down:
            self.held.append(what)
        else:
            self.held.remove(what)
        return (*what, down)

    def _clicks(self, button: str, count: int) -> list[Event]:
        if ("button", button) in self.held:
            raise Stop
        return [("button", button, True), ("button", button, False)] * count

    def _drag(self, points: list[Any], button: str) -> list[Event]:
        if ("button", button) in self.held:
            raise Stop
        moves: list[Event] = [("move", *point) for point in points[1:]]
        return [("move", *points[0]), ("button", button, True), *moves, ("button", button, False)]

    def _around(self, names: list[str], inner: list[Event]) -> list[Event]:
        wanted = [named(name) for name in names]
        if len(set(wanted)) < len(wanted):
            raise Stop
        modifiers = (*keys.MODIFIERS, *keys.SIDED_MODIFIERS)
        ordered = sorted(wanted, key=lambda each: each not in modifiers)
        fresh = [each for each in ordered if ("key", each) not in self.held]
        return [*(("key", k, True) for k in fresh), *inner, *(("key", k, False) for k in reversed(fresh))]

    def _write(self, op: Operation) -> list[Event]:
        if any(each[0] == "key" and each[1] in _COMMANDING for each in self.held):
            raise Stop
        to: list[Event] = []
        if op["element"] is not None:
            to = [("move", *self._place(op["element"])), *self._clicks("left", 1)]
        return [*to, *_characters(op["text"])]


_POINTING = frozenset(
    ("move", "click", "mouse_down", "mouse_up", "drag", "scroll", "click_element", "hover_element",
     "focus_element", "drag_element", "scroll_element")
)  # fmt: skip
_COMMANDING = frozenset(
    f"{name}{side}" for name in ("ctrl", "alt", "super", "shift", "altgr") for side in ("", "_left", "_right")
)


def _wheel(dx: int, dy: int) -> list[Event]:
    if not dx and not dy:
        raise Stop
    return [("wheel", 0, _sign(dy))] * abs(dy) + [("wheel", _sign(dx), 0)] * abs(dx)


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def _characters(words: str) -> Iterator[Event]:
    for char in words:
        if char in "\n\t":
            name = "enter" if char == "\n" else "tab"
            yield from (("key", name, True), ("key", name, False))
        else:
            yield ("char", char)
