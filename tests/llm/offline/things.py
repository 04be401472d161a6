"""Short forms for tests of the offline model: phrases, elements, observations, conversations."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

from desktop_agent.llm.base import Conversation, Deed
from desktop_agent.llm.offline.intents import Phrase, Side
from desktop_agent.protocol.geometry import Rect, Viewport
from desktop_agent.protocol.ops import Op
from desktop_agent.vision.frame import Frame
from desktop_agent.vision.observation import Element, Observation

SCREEN = Rect(0, 0, 1280, 800)
_T = TypeVar("_T")


def P(
    name: str,
    kind: str = "",
    ordinal: int = 0,
    near: str = "",
    side: Side = "",
    within: str = "",
    quoted: bool = False,
) -> Phrase:
    """A phrase without what was spoken."""
    return Phrase(name, kind, ordinal, near, side, within, quoted)


def plain(intent: _T) -> _T:
    """An intent without the spoken form of its phrases, to compare."""
    fields: dict[str, Any] = {name: getattr(intent, name) for name in intent.__struct_fields__}  # type: ignore[attr-defined]
    for name, value in fields.items():
        if isinstance(value, Phrase):
            fields[name] = msgspec.structs.replace(value, spoken="")
        elif isinstance(value, msgspec.Struct):
            fields[name] = plain(value)
    if "why" in fields:
        fields["why"] = ""
    return type(intent)(**fields)


def element(role: str, name: str, at: tuple[int, int, int, int] = (10, 10, 80, 20), **more: Any) -> Element:
    """An element that can be used, in a window called "Window" unless said otherwise."""
    states = frozenset(("enabled", "showing", *more.pop("states", ())))
    more.setdefault("window", "Window")
    return Element(more.pop("id", f"e-{role}-{name}-{at}"), role, name, Rect(*at), states=states, **more)


def look(
    *elements: Element, window: str = "Window", windows: tuple[str, ...] = (), **more: Any
) -> Observation:
    """An observation of a screen of 1280x800 with these elements on it."""
    frame = Frame(b"", SCREEN, epoch=1, time=0.0)
    view = Viewport(SCREEN, SCREEN.size, epoch=1)
    titles = windows or ((window,) if window else ())
    return Observation(frame, view, elements, window=window, windows=titles, **more)


def conversation(goal: str, **more: Any) -> Conversation:
    """A conversation in its first turn, with all operations allowed."""
    return Conversation(goal=goal, system="", text="", schema={}, **more)


def deed(turn: int, op: Op, words: str = "", **more: Any) -> Deed:
    """An operation that was done and changed the screen."""
    return Deed(
        turn, op, words, more.pop("outcome", "done"), more.pop("detail", ""), more.pop("effect", "changed")
    )
