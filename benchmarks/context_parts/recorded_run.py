"""A run of forty steps in real applications on a display of its own: what was sent, and what was seen."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.context_parts.provider import Body, Provider
from benchmarks.report import BenchmarkError
from desktop_agent.agent.dependencies import Circumstances, Parts
from desktop_agent.agent.port import AgentInfo
from desktop_agent.agent.session import AgentSession
from desktop_agent.hand.client import Hands
from desktop_agent.llm.base import Answer, Conversation, Model
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.agent_events import FeedEvent
from desktop_agent.protocol.geometry import Size
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.support.config import AgentSettings, Config
from desktop_agent.targets._embedded import EmbeddedDisplay
from desktop_agent.targets.base import Address
from desktop_agent.vision.elements.describe import describe_observation
from desktop_agent.vision.encoding.encode import encode
from desktop_agent.vision.observation import Observation
from desktop_agent.vision.ocr.tesseract import read_words

GOAL = "Write the minutes of today's meeting in the text editor, work out the costs, and save them"
STEPS = 40
Actions = list[dict[str, Any]]


def _keys(*keys: str) -> dict[str, Any]:
    return {"op": "key_combo", "keys": list(keys)}


def _text(text: str) -> dict[str, Any]:
    return {"op": "type", "text": text}


_PARAGRAPH = (
    "Minutes of the meeting on the new garden. Present were Ana, Bora, Chidi and Dana. "
    "The soil was looked at, and the beds were measured once more.\n"
)
SCENES: tuple[Actions, ...] = (
    [{"op": "open", "target": "mousepad"}],
    [_text(_PARAGRAPH)],
    [_text("Costs: to be worked out.\n")],
    [_keys("ctrl", "home")],
    [_keys("ctrl", "f")],
    [_text("garden")],
    [_keys("escape")],
    [_keys("alt", "f")],
    [_keys("escape")],
    [_keys("ctrl", "end")],
    [_text("Ana brings the spades, Bora the seeds.\n")],
    [_keys("ctrl", "h")],
    [_text("Chidi")],
    [_keys("escape")],
    [{"op": "open", "target": "galculator"}],
    *([_text(each)] for each in ("127", "*", "36", "=")),
    [_keys("escape")],
    *([_text(each)] for each in ("48", "+", "512", "=")),
    [_keys("alt", "f4")],
    [_text("The costs come to 5132.\n")],
    [_keys("ctrl", "a")],
    [_keys("ctrl", "end")],
    *([_text(f"{number}. Item number {number} was agreed on by all.\n")] for number in range(1, 7)),
    [_keys("ctrl", "s")],
    [_keys("escape")],
    [_keys("alt", "e")],
    [_keys("escape")],
    [_keys("ctrl", "home")],
)


class Watched(Model):
    """A model that keeps the looks it was given."""

    def __init__(self, inner: Model) -> None:
        self.inner = inner
        self.name, self.support = inner.name, inner.support
        self.looks: list[Look] = []
        self.conversations: list[Conversation] = []

    def reply(
        self,
        conversation: Conversation,
        observation: Observation,
        *,
        on_note: Callable[[str], None],
        stop: StopFlag,
    ) -> Answer:
        whole, scaled = observation.frame.size, observation.viewport.image
        words = describe_observation(observation)
        self.looks.append(Look(_png(observation, whole), _png(observation, scaled), words))
        self.conversations.append(conversation)
        return self.inner.reply(conversation, observation, on_note=on_note, stop=stop)

    def close(self) -> None:
        self.inner.close()


@dataclass(frozen=True)
class Png:
    """A whole picture: its size in pixels, and its bytes as PNG."""

    size: tuple[int, int]
    data: int


@dataclass(frozen=True)
class Look:
    """A look: its picture as the screen has it, the same scaled as the model gets it, and its words."""

    full: Png
    scaled: Png
    words: str


def _png(observation: Observation, size: Size) -> Png:
    return Png((size.width, size.height), len(encode(observation.frame, size, "png")))


@dataclass
class RecordedRun:
    """What the provider was sent, step by step, with the looks and the replies of the same steps."""

    bodies: list[Body] = field(default_factory=list)
    looks: list[Look] = field(default_factory=list)
    replies: list[str] = field(default_factory=list)
    log_bytes: int = 0


def record(steps: int = STEPS) -> RecordedRun:
    """Play the steps. Raises BenchmarkError."""
    replies = [_reply(number, scene) for number, scene in enumerate(SCENES[: steps - 1])]
    replies.append(json.dumps({"actions": [{"op": "fail", "reason": "The steps are over."}]}))
    left = list(replies)
    with tempfile.TemporaryDirectory() as folder, Provider(lambda _: left.pop(0)) as provider:
        model = Watched(provider.model())
        _work(model, Path(folder))
        if len(provider.bodies) != steps:
            raise BenchmarkError(f"{len(provider.bodies)} of {steps} steps were done")
        return RecordedRun(provider.bodies, model.looks, replies)


def _reply(number: int, actions: Sequence[dict[str, Any]]) -> str:
    plan = ["Write the minutes", "Work out the costs", "Save"]
    step = 1 if number < 14 else 2 if number < 24 else 3
    notes = f"Step {number + 1}: going on with “{plan[step - 1].lower()}”."
    told = plan if number == 0 else []  # it stays as it is
    return json.dumps(
        {"notes": notes, "high_level": told, "scope": [], "step": step, "actions": list(actions)}
    )


def _work(model: Model, folder: Path) -> None:
    display = EmbeddedDisplay(Size(1920, 1080), 0x3B6EA5)

    def make(address: Address, on_stop: Callable[[str], None]) -> Hands:
        return Hands(address, on_stop=on_stop)

    agent = AgentSettings(max_steps=STEPS + 5, permission="full")
    info = AgentInfo("display", model.name, "off", agent.max_steps, True, permission="full")
    parts = Parts(display, model, make, read_words)
    session = AgentSession(parts, Config(agent=agent), Circumstances(folder), info)
    events: list[FeedEvent] = []

    def hear(event: FeedEvent) -> None:
        events.append(event)
        match event:
            case say.ApprovalAsked():
                session.approve(event.id)
            case say.Question():
                session.send("Go on.")

    session.subscribe(hear)
    session.send(GOAL)
    session.run_next()
    session.quit()
    session.serve()
