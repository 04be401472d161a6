"""A small simulated desktop that a test works with raw events, as a hand does."""

from __future__ import annotations

import json
from typing import Any

from desktop_agent.extras.avis.simulation.action_log import LoggedAction
from desktop_agent.extras.avis.simulation.drawing.pieces import ScreenPiece
from desktop_agent.extras.avis.simulation.faults import NO_FAULT, Fault
from desktop_agent.extras.avis.simulation.scene_file import read_scene
from desktop_agent.extras.avis.simulation.simulated_desktop import SimulatedDesktop
from desktop_agent.extras.avis.simulation.widget import Widget
from desktop_agent.protocol.geometry import Point
from desktop_agent.protocol.input_events import ButtonDown, ButtonUp, KeyDown, KeyUp, Move, Text, Wheel

Json = dict[str, Any]


def element(element_id: str, element_type: str, label: str = "", **more: Any) -> Json:
    """An element of a scene's file: `on`, `children`, `value` and the rest by name, all others are attributes."""
    own = ("value", "children", "bounds_relative", "is_visible", "is_enabled")
    told: Json = {"element_id": element_id, "element_type": element_type}
    if label:
        told["label_text"] = label
    told.update({name: more[name] for name in own if name in more})
    if attributes := {name: value for name, value in more.items() if name not in own}:
        told["attributes"] = attributes
    return told


def window(element_id: str, *children: Json, **more: Any) -> Json:
    """A window with these children."""
    more.setdefault("bounds_relative", [0.1, 0.1, 0.7, 0.8])
    kind = more.pop("element_type", "window")
    return element(element_id, kind, more.pop("label", element_id), children=list(children), **more)


class WorkedDesktop:
    """A desktop of these windows, or of one window with these elements; every method sends raw events."""

    def __init__(
        self, *elements: Json, store: Json | None = None, fault: Fault = NO_FAULT, **more: Any
    ) -> None:
        windows = [each for each in elements if each["element_type"] in ("window", "dialog")]
        others = [each for each in elements if each not in windows]
        ui = [*([window("main", *others)] if others else []), *windows]
        told = {"format": 1, "title": "T", "screen": [800, 600], "ui": ui, "store": store or {}, **more}
        self.scene = read_scene(json.dumps(told), "test")
        self.desktop = SimulatedDesktop(self.scene, fault=fault)

    def __getitem__(self, name: str) -> Widget:
        return self.desktop.widgets[name]

    @property
    def store(self) -> Json:
        return self.desktop.store

    @property
    def focus(self) -> str:
        """The id of what has the keyboard."""
        return "" if self.desktop.focus is None else self.desktop.focus.id

    @property
    def last(self) -> LoggedAction:
        return list(self.desktop.log)[-1]

    # ---- where things are ----

    def pieces(self, name: str, kind: str = "", text: str = "") -> list[ScreenPiece]:
        """What an element shows of a kind, back to front."""
        return [
            each
            for each in self.desktop.layout.pieces
            if each.element == name and kind in ("", each.kind) and text in ("", each.text)
        ]

    def middle(self, name: str, kind: str = "", text: str = "") -> Point:
        """The middle of an element, or of its first piece of a kind, or with a text."""
        found = self.pieces(name, kind, text)
        assert found, f"{name} shows no {kind} {text}"
        return found[0].shown.center

    def texts(self, name: str, kind: str) -> list[str]:
        return [each.text for each in self.pieces(name, kind)]

    # ---- events ----

    def move(self, to: Point) -> None:
        self.desktop.emit(Move(to.x, to.y))

    def click(self, name: str, kind: str = "", text: str = "", times: int = 1) -> None:
        """Click in the middle of what the name, kind and text mean."""
        self.move(self.middle(name, kind, text))
        for _ in range(times):
            self.desktop.emit(ButtonDown("left"))
            self.desktop.emit(ButtonUp("left"))

    def drag(self, begin: Point, end: Point) -> None:
        self.move(begin)
        self.desktop.emit(ButtonDown("left"))
        self.move(Point((begin.x + end.x) // 2, (begin.y + end.y) // 2))
        self.move(end)
        self.desktop.emit(ButtonUp("left"))

    def wheel(self, name: str, dy: int) -> None:
        """Turn the wheel over an element; negative turns show what is further down."""
        self.move(self.middle(name))
        self.desktop.emit(Wheel(0, dy))

    def press(self, *combinations: str) -> None:
        """Press and let go of combinations like "ctrl+shift+s"."""
        for combination in combinations:
            keys = combination.split("+")
            for key in keys:
                self.desktop.emit(KeyDown(key))
            for key in reversed(keys):
                self.desktop.emit(KeyUp(key))

    def type(self, text: str) -> None:
        for char in text:
            self.desktop.emit(Text(char))
