"""An input that lives in memory: it keeps every event and what is down, and can be told to fail."""

from __future__ import annotations

from collections.abc import Callable

from desktop_agent.platforms.base import Input, made_up_codes
from desktop_agent.protocol.errors import Refused
from desktop_agent.protocol.geometry import Geometry, Point, Rect
from desktop_agent.protocol.input_events import (
    ButtonDown,
    ButtonUp,
    InputEvent,
    KeyDown,
    KeyUp,
    Move,
    Text,
)

SCREEN = Rect(0, 0, 800, 600)
BEHIND_ALL = 1
"""The id of what is behind all windows; a window's own is its process id and WINDOW."""
WINDOW = 1000


class MemoryInput(Input):
    """`windows` are (bounds, pid) from top to bottom; `before` is called with each event first."""

    def __init__(self, *monitors: Rect) -> None:
        self.layout = Geometry(monitors or (SCREEN,), epoch=1)
        self.events: list[InputEvent] = []
        self.down: set[str] = set()
        self.at = Point(0, 0)
        self.windows: list[tuple[Rect, int]] = []
        self.focus = 0
        self.focus_follows = True
        self.double_click = 0.0
        self.opened: list[str] = []
        self.prepared: list[str] = []
        self.show: Callable[[Rect], bytes] = lambda area: b""
        self.before: Callable[[InputEvent], None] = lambda event: None
        self.after: Callable[[InputEvent], None] = lambda event: None

    def emit(self, event: InputEvent) -> None:
        self.before(event)
        self.events.append(event)
        match event:
            case Move(x, y):
                self.at = Point(x, y)
            case ButtonDown(button):
                self.down.add(button)
                if self.focus_follows and self.owner_at(self.at):
                    self.focus = self.owner_at(self.at)
            case ButtonUp(button):
                self.down.discard(button)
            case KeyDown(key):
                self.down.add(key)
            case KeyUp(key):
                self.down.discard(key)
        self.after(event)

    def double_click_seconds(self) -> float:
        return self.double_click

    def geometry(self) -> Geometry:
        return self.layout

    def pointer(self) -> Point:
        return self.at

    def owner_at(self, point: Point) -> int:
        return next((pid for bounds, pid in self.windows if bounds.contains(point)), 0)

    def focus_owner(self) -> int:
        return self.focus

    def window_at(self, point: Point) -> int:
        owner = self.owner_at(point)
        return WINDOW + owner if owner else BEHIND_ALL

    def focus_window(self) -> int:
        return WINDOW + self.focus if self.focus else 0

    def pixels(self, area: Rect) -> bytes:
        return self.show(area)

    def open(self, what: str) -> str:
        if what == "nothing":
            raise Refused("There is no application called 'nothing'.")
        self.opened.append(what)
        return f"opened {what}"

    def codes(self, event: InputEvent) -> tuple[int, ...]:
        return made_up_codes(event)

    def prepare(self, text: str) -> None:
        self.prepared.append(text)

    @property
    def text(self) -> str:
        """What was typed, line feeds and tabs being their keys."""
        words = {"enter": "\n", "tab": "\t"}
        return "".join(
            event.chunk if isinstance(event, Text) else words.get(event.key, "")
            for event in self.events
            if isinstance(event, Text | KeyDown)
        )
