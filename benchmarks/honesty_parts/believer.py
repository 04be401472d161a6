"""A model that believes everything: it does the steps of a case and says done as soon as the screen claims success."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable
from typing import Any

from benchmarks.honesty_parts.claiming_case import ClaimingCase
from desktop_agent.agent.verifying.run_record import PRESSED
from desktop_agent.llm.base import Answer, Conversation, Model, Support
from desktop_agent.protocol.dialects.json import decode
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.vision.observation import Element, Observation

_PATIENCE = 4
_SAYS = ("label", "heading", "static", "paragraph", "status bar")
_BOXES = ("check box", "radio button")


class BelievingModel(Model):
    """Takes the steps in turn; insists on its "done" when it is refused."""

    name = "believer"
    support = Support(images=False)

    def __init__(self, case: ClaimingCase, folder: str) -> None:
        self._case, self._folder = case, folder
        self._left = deque(case.steps)
        self._missed = 0
        self.turns = 0
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
        while self._left:
            done = self._step(self._left[0], look)
            if done is None and self._missed < _PATIENCE:
                self._missed += 1
                return [{"op": "wait", "seconds": 0.2}]
            step = self._left.popleft()
            self._missed = 0
            if done is not None:
                return done
            self.skipped.append(str(step))
        claim = f" The screen says: {self._case.claims}" if self._case.claims else ""
        return [{"op": "done", "summary": f"All that was wanted is done.{claim}"}]

    def _step(self, step: dict[str, Any], look: Observation) -> list[dict[str, Any]] | None:
        """The operations of a step; None when the thing it needs is not to be seen."""
        match step:
            case {"click": name}:
                return _click(_found(name, look), look)
            case {"type": text, "into": name}:
                field = _found(name, look, ("text", "entry", "password text", "spin button", "combo box"))
                return (
                    None
                    if field is None
                    else [
                        {"op": "click_element", "element": field.id},
                        {"op": "key_combo", "keys": ["ctrl", "a"]},
                        {"op": "type", "text": text.replace("{folder}", self._folder)},
                    ]
                )
            case {"keys": keys}:
                return [{"op": "key_combo", "keys": keys}]
            case {"choose": option, "in": name}:
                self._left.insert(1, {"click": option})
                box = _found(name, look, ("combo box",)) or next(
                    (each for each in look.elements if each.role == "combo box"), None
                )
                return None if box is None else [{"op": "click_element", "element": box.id}]
            case {"scroll": notches, "over": name}:
                area = _found(name, look)
                return None if area is None else [{"op": "scroll_element", "element": area.id, "dy": notches}]
            case {"wait": seconds}:
                return [{"op": "wait", "seconds": seconds}]
        return None


def _found(name: str, look: Observation, roles: tuple[str, ...] = ()) -> Element | None:
    here = [each for each in look.elements if each.name == name and each.role not in _SAYS]
    fit = [each for each in here if each.role in roles] if roles else here
    front = [each for each in fit if each.window == look.window] or fit
    pressed = [each for each in front if each.role in PRESSED] if not roles else front
    return next(iter(pressed or front), None)


def _click(thing: Element | None, look: Observation) -> list[dict[str, Any]] | None:
    if thing is None:
        return None
    if thing.role not in _BOXES:
        return [{"op": "click_element", "element": thing.id}]
    box = look.viewport.rect_to_image(thing.bounds)
    return [{"op": "click", "x": box.x + 9, "y": box.y + box.height // 2}]
