"""A model that does what the page, or whoever wrote the case, wants; it knows only the rendered conversation."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.walls_parts.case import At, OpData, Ref, Step
from desktop_agent.llm.base import Answer, Conversation, Model, Support
from desktop_agent.protocol.dialects.json import decode
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.vision.observation import Observation

BATCH = 8
watch: Callable[[str], object] = str
"""Gets what is shown and said, while a case is written."""
_ACTIVE = re.compile(r'^Active window: "((?:[^"\\]|\\.)*)"')
_WINDOW = re.compile(r'^In window "((?:[^"\\]|\\.)*)"')
_LINE = re.compile(
    r'^(?P<id>[ew]\d+) (?P<role>[a-z][a-z \-/]*?)(?: "(?P<name>(?:[^"\\]|\\.)*)"[^=\d]*?(?:\(\d+ more characters\))?)?'
    r'(?: = "(?P<value>(?:[^"\\]|\\.)*)".*?)? (?P<x>-?\d+),(?P<y>-?\d+) (?P<w>\d+)x(?P<h>\d+)(?: \[.*\])?$'
)


@dataclass(frozen=True)
class Shown:
    """An element as a prompt tells of it; its place is in pixels of the picture."""

    id: str
    role: str
    name: str
    value: str
    window: str
    x: int
    y: int
    width: int
    height: int


def shown(text: str) -> Iterator[Shown]:
    """The elements that a prompt tells of; the active window is one with the role `window` and no id."""
    window = ""
    for line in text.splitlines():
        if heading := _WINDOW.match(line):
            window = heading[1]
        elif active := _ACTIVE.match(line):
            yield Shown("", "window", _unescaped(active[1]), "", "", 0, 0, 1280, 800)
        elif found := _LINE.match(line):
            name, value = (_unescaped(found[each] or "") for each in ("name", "value"))
            place = (int(found[each]) for each in "xywh")
            yield Shown(found["id"], found["role"], name, value, window, *place)


def find(ref: Ref, elements: Sequence[Shown]) -> Shown | None:
    """The element that a reference means, if it is shown."""
    fitting = [
        each
        for each in elements
        if (not ref.role or re.fullmatch(ref.role, each.role))
        and re.search(ref.name, each.name)
        and re.search(ref.window, each.window)
    ]
    return fitting[ref.nth] if -len(fitting) <= ref.nth < len(fitting) else None


class ObedientModel(Model):
    """Goes through the steps of a case; `said` are the operations it has sent, `missed` the steps nobody showed it."""

    name = "obedient"
    support = Support(images=False, proves_done=True)

    def __init__(
        self,
        steps: Sequence[Step],
        fill: Callable[[str], str] = lambda text: text,
        on_asked: Callable[[], None] = lambda: None,
    ) -> None:
        self._steps = deque(steps)
        self._fill, self._on_asked = fill, on_asked
        self._looked = 0
        self._queue: deque[dict[str, Any]] = deque()
        self.said: list[dict[str, Any]] = []
        self.missed: list[str] = []

    def reply(
        self,
        conversation: Conversation,
        observation: Observation,  # noqa: ARG002 - the text is what it obeys
        *,
        on_note: Callable[[str], None],  # noqa: ARG002
        stop: StopFlag,
    ) -> Answer:
        stop.check()
        text = self.answer(conversation.text)
        return Answer(decode(text, conversation.operations), text)

    def answer(self, prompt: str) -> str:
        """What it says to a prompt, in the dialect `json`."""
        elements = list(shown(prompt))
        actions = self._next(elements)
        for line in (*map(str, elements), f"--> {actions}"):
            watch(line)
        return json.dumps({"notes": "As I was told.", "actions": actions})

    def _next(self, elements: list[Shown]) -> list[dict[str, Any]]:
        while self._steps and not self._queue:
            ready = self._ready(self._steps[0], elements)
            if ready is None and self._looked < self._steps[0].patience:
                self._looked += 1
                return [{"op": "wait", "seconds": 0.15}]
            step, self._looked = self._steps.popleft(), 0
            if ready is None:
                self.missed.append(str(step.sees or step.ops[:1]))
                continue
            if step.asked:
                self._on_asked()
            self._queue.extend(ready)
        batch = [self._queue.popleft() for _ in range(min(BATCH, len(self._queue)))]
        self.said += batch
        return batch or [{"op": "done", "summary": "All that was wanted is done."}]

    def _ready(self, step: Step, elements: list[Shown]) -> list[dict[str, Any]] | None:
        """The operations of a step; None when something they need is not shown."""
        if step.sees is not None and find(self._filled(step.sees), elements) is None:
            return None
        try:
            return [self._operation(op, elements) for op in step.ops]
        except LookupError:
            return None

    def _operation(self, op: OpData, elements: list[Shown]) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for key, value in op.items():
            if isinstance(value, Ref):
                made[key] = self._found(value, elements).id
            elif key == "at":
                made |= self._spot(value, elements)
            elif key == "path":
                made[key] = [self._spot(each, elements) for each in value]
            else:
                made[key] = self._fill(value) if isinstance(value, str) else value
        return made

    def _found(self, ref: Ref, elements: list[Shown]) -> Shown:
        found = find(self._filled(ref), elements)
        if found is None:
            raise LookupError(ref)
        return found

    def _filled(self, ref: Ref) -> Ref:
        return Ref(ref.role, self._fill(ref.name), self._fill(ref.window), ref.nth)

    def _spot(self, at: At, elements: list[Shown]) -> dict[str, int]:
        found = self._found(at.ref, elements)
        return {"x": round(found.x + at.x * found.width), "y": round(found.y + at.y * found.height)}


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", lambda found: {"n": "\n", "t": "\t"}.get(found[1], found[1]), text)
