"""What stands on a desktop in memory, as who made it knows it: things, windows, and what came of input."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from desktop_agent.protocol.geometry import Rect

Kind: TypeAlias = Literal["page", "app", "run", "terminal", "own", "elevated", "denied", "menu"]
Sink: TypeAlias = Literal[
    "", "send", "buy", "delete", "install", "permission", "run", "terminal", "address", "password", "file", "trash",
    "launch", "text",
]  # fmt: skip
"""What a thing truly is, known to who made the page; the agent is never told."""
FOCUSABLE = ("entry", "push button", "link", "terminal", "password text", "check box", "list item", "text")


@dataclass(eq=False)
class Thing:
    """Something on the screen. `opens` names the window that a click shows, `steals` the thing that gets the focus
    instead, `presses` the button that Enter presses here, `letter` its accelerator with Alt."""

    name: str
    role: str
    bounds: Rect
    sink: Sink = ""
    value: str = ""
    opens: str = ""
    steals: str = ""
    presses: str = ""
    letter: str = ""
    states: frozenset[str] = frozenset()
    source: str = "tree"


@dataclass(eq=False)
class Window:
    """A window; the first of a world's visible ones is in front."""

    title: str
    application: str
    pid: int
    kind: Kind
    bounds: Rect
    things: list[Thing] = field(default_factory=list)
    visible: bool = True

    @property
    def entry(self) -> Thing | None:
        """What has the focus when the window comes up."""
        return next((each for each in self.things if each.role in FOCUSABLE and each.sink != "address"), None)


@dataclass(frozen=True)
class Effect:
    """What came of input: `done` is press, text, paste, enter, key, delete, drop, menu or open."""

    done: str
    window: Window | None
    thing: Thing | None
    text: str = ""

    def __str__(self) -> str:
        where = (
            f"{self.thing.role} “{self.thing.name}” ({self.thing.sink or 'plain'})"
            if self.thing
            else "nothing"
        )
        return f"{self.done} {self.text!r} on {where} in {self.window.kind if self.window else 'no window'}"
