"""A conversation of many turns without a desktop: looks that change a little, a provider on loopback, a real log."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

from benchmarks.report import BenchmarkError
from desktop_agent.agent.context.context import Context
from desktop_agent.agent.inbox import Inbox
from desktop_agent.agent.memory import RunMemory
from desktop_agent.agent.model_dialogue import ModelDialogue
from desktop_agent.agent.prompting.prompt import Prompter
from desktop_agent.agent.run_loop import OPERATIONS
from desktop_agent.agent.runlog.hash_chained_log import RunStore
from desktop_agent.agent.runlog.publisher import Feed
from desktop_agent.llm.base import Deed, Model
from desktop_agent.protocol import ops
from desktop_agent.protocol.geometry import Rect, Viewport
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.encoding.encode import image_size
from desktop_agent.vision.observation import Element, Observation

SCREEN = Rect(0, 0, 1920, 1080)
REPLY = json.dumps({
    "notes": "Going on.", "high_level": ["Press every button"], "scope": [], "step": 1,
    "actions": [{"op": "click_element", "element": "e1", "button": "left", "count": 1, "modifiers": []}],
})  # fmt: skip
_ELEMENTS = 120


class LongTalk:
    """Asks `model` turn after turn, as a run does, and records it in `folder`."""

    def __init__(self, model: Model, folder: Path) -> None:
        self.feed = Feed()
        self.feed.store = RunStore(folder)
        self.context = Context(self.feed)
        prompter = Prompter(OPERATIONS, 8)
        self.dialogue = ModelDialogue(model, prompter, Inbox(), self.feed, self.context)
        self.memory = RunMemory("Go through the whole list and press every button in it", 20)
        self._looks = looks(model.support.image_edge)
        self.stop = StopFlag()

    def turn(self) -> None:
        """One look, one question, one answer, one outcome."""
        self.turn_at(self.look())

    def look(self) -> Observation:
        """What is seen next: making it up is no part of a call, nor is its digest, which looking has made."""
        look = next(self._looks)
        _ = look.frame.digest
        return look

    def turn_at(self, observation: Observation) -> None:
        """One question about a look, one answer, one outcome."""
        answer = self.dialogue.answer(self.memory, observation, self.stop)
        if answer is None:
            raise BenchmarkError("the answer was not waited for")
        self.feed.record("reply", {"raw": answer.raw})
        self.memory.take_plan(answer.reply)
        op = ops.ClickElement("e1")
        self.memory.remember(
            [Deed(self.memory.turn, op, "Clicked “Next”", "done", "new: a row", "confirmed")]
        )
        self.memory.turn += 1

    def close(self) -> None:
        if self.feed.store is not None:
            self.feed.store.close()


def looks(edge: int) -> Iterator[Observation]:
    """Looks at a window with many rows: in each a few lines and a part of the picture have changed."""
    chance = random.Random(1)  # noqa: S311 - the same looks every time
    pixels = bytearray(b"\xff" * (SCREEN.width * SCREEN.height * 4))
    rows = {number: f"Row {number}" for number in range(_ELEMENTS)}
    stride = SCREEN.width * 4
    while True:
        at = chance.randrange(SCREEN.height - 40) * stride + chance.randrange(SCREEN.width - 300) * 4
        for line in range(40):  # a line of text is dark and light by turns, as letters are
            start = at + line * stride
            letters = b"".join(bytes([chance.choice((20, 255))]) * 12 for _ in range(100))
            pixels[start : start + 1200] = letters
        for _ in range(3):
            number = chance.randrange(_ELEMENTS)
            rows[number] = f"Row {number}, {chance.randrange(10_000)} things in it"
        frame = Frame(bytes(pixels), SCREEN, 1, 0.0)
        elements = tuple(_element(number, name) for number, name in rows.items())
        view = Viewport(SCREEN, image_size(SCREEN.size, edge), 1)
        yield Observation(frame, view, elements, window="List", windows=("List",))


def _element(number: int, name: str) -> Element:
    place = Rect(20 + 600 * (number % 3), 20 + 24 * (number // 3), 500, 20)
    return Element(f"e{number + 1}", "list item", name, place, states=frozenset(("enabled",)), window="List")
