"""Short forms for tests of the offline model: phrases, elements, observations, conversations."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from desktop_agent.agent.context.map_maker import MapMaker
from desktop_agent.extras.offline.llm.offline import OfflineModel, Options
from desktop_agent.extras.offline.llm.offline.intents import Phrase, Side
from desktop_agent.llm.base import Conversation, Deed
from desktop_agent.protocol import ops
from desktop_agent.protocol.agent_events import Effect, Outcome
from desktop_agent.protocol.geometry import Rect, Viewport
from desktop_agent.protocol.ops import Op
from desktop_agent.protocol.reply import Reply
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.vision.capture.frame import Frame
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
    return Conversation(goal=goal, system="", schema={}, **more)


def deed(turn: int, op: Op, words: str = "", **more: Any) -> Deed:
    """An operation that was done and changed the screen."""
    return Deed(
        turn, op, words, more.pop("outcome", "done"), more.pop("detail", ""), more.pop("effect", "changed")
    )


class _Recording(msgspec.Struct):
    window: str
    windows: tuple[str, ...]
    elements: tuple[Element, ...]


def recorded(name: str) -> Observation:
    """What was read of a real application once (files in recorded/)."""
    data = (Path(__file__).parent / "recorded" / f"{name}.json").read_bytes()
    seen = msgspec.json.decode(data, type=_Recording)
    return look(*seen.elements, window=seen.window, windows=seen.windows)


@dataclass
class Talk:
    """A run of the offline model, its operations being "done" as the test says."""

    goal: str
    home: str = "/home/ada"
    operations: tuple[str, ...] = ()
    turn: int = 0
    said: list[tuple[int, str]] = field(default_factory=list)
    deeds: list[Deed] = field(default_factory=list)
    last: Reply = field(default_factory=Reply)
    spoken: list[str] = field(default_factory=list)
    history: int = 20
    maker: MapMaker | None = None
    """Learns where things are; None: the model is given no map."""

    def __post_init__(self) -> None:
        self.model = OfflineModel(Options(home=self.home))

    def see(
        self, seen: Observation, outcome: Outcome = "done", detail: str = "", effect: Effect = "changed"
    ) -> tuple[Op, ...]:
        """One turn: what the model does when it sees this; it then counts as done with that outcome."""
        self.turn += 1
        if self.maker is not None:
            self.maker.look(seen)
        talk = conversation(
            self.goal,
            turn=self.turn,
            operations=self.operations,
            said=tuple(self.said),
            plan=self.last.high_level,
            step=(self.last.step or 1) - 1,
            deeds=tuple(self.deeds[-self.history :]),
            map=self.maker.map if self.maker is not None else None,
        )
        self.last = self.model.reply(talk, seen, on_note=self.spoken.append, stop=StopFlag()).reply
        elements = {each.id: each.name for each in seen.elements}
        for op in self.last.actions:
            if not isinstance(op, ops.Ask | ops.Done | ops.Fail | ops.Read | ops.Look):
                words = f"Did “{elements.get(getattr(op, 'element', None) or '', '')}”"
                self.deeds.append(Deed(self.turn, op, words, outcome, detail, effect))
        if self.maker is not None:
            self.maker.act([each for each in self.deeds if each.turn == self.turn], seen)
        return self.last.actions

    def answer(self, text: str) -> None:
        """The user's words, in the turn that asked."""
        self.said.append((self.turn, text))

    def until_it_acts(self, seen: Observation, effect: Effect = "changed", looks: int = 40) -> tuple[Op, ...]:
        """Show the same over and over until it does something else than waiting or reading."""
        for _ in range(looks):
            actions = self.see(seen, effect=effect)
            if not all(isinstance(op, ops.Wait | ops.Read) for op in actions):
                return actions
        raise AssertionError("it only waits")


def question(actions: tuple[Op, ...]) -> str:
    """The question that is asked."""
    (only,) = actions
    assert isinstance(only, ops.Ask), actions
    return only.question


def summary(actions: tuple[Op, ...]) -> str:
    """The words it ends with."""
    (only,) = actions
    assert isinstance(only, ops.Done), actions
    return only.summary
