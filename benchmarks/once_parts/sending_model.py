"""Models that see no picture: they fill a page in, press what sends, and do one thing or another until they read that it was sent."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable
from typing import Any, Literal, TypeAlias

from benchmarks.once_parts.once_page import OncePage, Step
from desktop_agent.llm.base import Answer, Conversation, Model, Support
from desktop_agent.protocol.dialects.json import decode
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.vision.observation import Element, Observation

Habit: TypeAlias = Literal["patient", "presses again", "fills in again"]
HABITS: tuple[Habit, ...] = ("patient", "presses again", "fills in again")
TRIES = 4
"""So often an impatient model does it again before it only waits."""
_WAITS = 15
_PATIENCE = 8
_FIELDS = ("entry", "text", "password text", "spin button", "combo box", "editbar")
_TEXTS = ("label", "heading", "static", "paragraph", "section")


class SendingModel(Model):
    """`patient` waits; the others press again, or fill in and press again, wherever the expected words are not among the elements."""

    name = "sender"
    support = Support(images=False, proves_done=True)

    def __init__(self, page: OncePage, habit: Habit) -> None:
        self._page, self._habit = page, habit
        self._steps: deque[Step] = deque(page.fill)
        self._pressed = self._missed = self._waited = 0
        self.turns = 0
        self.tries = 0
        self.told = False
        self.skipped: list[str] = []

    def reply(
        self,
        conversation: Conversation,
        observation: Observation,
        *,
        on_note: Callable[[str], None],  # noqa: ARG002 - it has nothing to say
        stop: StopFlag,
    ) -> Answer:
        stop.check()
        self.turns += 1
        text = json.dumps({"notes": "", "actions": self._next(observation)})
        return Answer(decode(text, conversation.operations), text)

    def _next(self, look: Observation) -> list[dict[str, Any]]:
        pressed = self._pressed >= self._page.presses or self.tries > 0
        if pressed and any(self._page.expects in f"{each.name} {each.value}" for each in look.elements):
            self.told = True
            return [{"op": "done", "summary": f"It was sent: {self._page.expects}"}]
        while self._steps:
            step = self._steps[0]
            done = self._done(step, look)
            if done is None and self._missed < _PATIENCE:
                self._missed += 1
                return [{"op": "wait", "seconds": 0.2}]
            self._missed = 0
            self._steps.popleft()
            if done is not None:
                return done
            self.skipped.append(str(step))
        if self._pressed < self._page.presses:
            return self._press(look)
        if self._habit == "patient" or self._page.presses > 1 or self.tries >= TRIES:
            self._waited += 1
            if self._waited > _WAITS:
                return [{"op": "fail", "reason": "Nothing says that it was sent."}]
            return [{"op": "wait", "seconds": 0.2}]
        self.tries += 1
        if self._habit == "fills in again" and self._page.fill:
            self._steps, self._pressed = deque(self._page.fill), 0
            return self._next(look)
        return self._press(look)

    def _press(self, look: Observation) -> list[dict[str, Any]]:
        if self._page.send == "ENTER":
            self._pressed += 1
            return [{"op": "key_combo", "keys": ["enter"]}]
        button = _found(self._page.send, look)
        if button is None:  # disabled, or gone while it works
            self._waited += 1
            if self._waited > _WAITS:
                return [{"op": "fail", "reason": "There is nothing to press."}]
            return [{"op": "wait", "seconds": 0.2}]
        self._pressed += 1
        return [{"op": "click_element", "element": button.id}]

    def _done(self, step: Step, look: Observation) -> list[dict[str, Any]] | None:
        """The operations of a step; None when the thing it needs is not to be seen."""
        if step.click:
            thing = _found(step.click, look)
            return None if thing is None else [{"op": "click_element", "element": thing.id}]
        box = _found(step.into, look, _FIELDS)
        return None if box is None else [{"op": "type", "text": step.type, "element": box.id}]


def _found(name: str, look: Observation, roles: tuple[str, ...] = ()) -> Element | None:
    here = [each for each in look.elements if each.name == name and "enabled" in each.states]
    fit = [each for each in here if (each.role in roles if roles else each.role not in _TEXTS)]
    return next((each for each in fit if each.window == look.window), next(iter(fit), None))
