"""A scripted model that works a form as one does who looks at nothing that happens, in every dialect."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from desktop_agent.extras.project.protocol.dialects import fenced
from desktop_agent.llm.base import Answer, Conversation, Support
from desktop_agent.protocol.dialects import anthropic_tools, func_tags, openai_tools
from desktop_agent.protocol.dialects.base import Dialect, dialect_of
from desktop_agent.protocol.dialects.json import JSON
from desktop_agent.protocol.geometry import Point
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.vision.observation import Observation
from tests.support.memory_desk import ScriptedModel

SAYS_DONE = "You are signed in."


class FormStep(msgspec.Struct, frozen=True):
    """Click on the thing with this name, and type a text ("" for none)."""

    name: str
    text: str = ""


SIGN_IN = (FormStep("User name", "j.winter"), FormStep("Password", "quince-27"), FormStep("Sign in"))


def _json(at: Point | None, text: str) -> str:
    actions: list[dict[str, Any]] = [{"op": "done", "summary": SAYS_DONE}]
    if at is not None:
        actions = [{"op": "click", "x": at.x, "y": at.y}, *([{"op": "type", "text": text}] if text else [])]
    return json.dumps({"notes": "On.", "high_level": ["Sign in"], "step": 1, "actions": actions})


def _func_tags(at: Point | None, text: str) -> str:
    if at is None:
        return f"On.\n<func>DONE</func><param>{SAYS_DONE}</param>"
    typed = f"<func>TYPE</func><param>{text}</param>" if text else ""
    return f"On.\n<func>PLAN</func><param>Sign in</param>\n<func>MOVE {at.x} {at.y}</func><func>LCLICK</func>{typed}"


def _fenced(at: Point | None, text: str) -> str:
    return (
        f"On.\n```done\n{SAYS_DONE}\n```"
        if at is None
        else f"On.\n```desktop\nclick {at.x} {at.y} {text}\n```"
    )


def _calls(at: Point | None, text: str) -> list[tuple[str, dict[str, Any]]]:
    if at is None:
        return [("done", {"summary": SAYS_DONE})]
    return [("click", {"x": at.x, "y": at.y}), *([("type", {"text": text})] if text else [])]


def _anthropic(at: Point | None, text: str) -> str:
    calls = [
        {"type": "tool_use", "id": f"t{index}", "name": name, "input": given}
        for index, (name, given) in enumerate(_calls(at, text))
    ]
    return json.dumps([{"type": "text", "text": "On."}, *calls])


def _openai(at: Point | None, text: str) -> str:
    calls = [
        {"type": "function_call", "id": f"f{index}", "call_id": f"c{index}", "name": name,
         "arguments": json.dumps(given), "status": "completed"}
        for index, (name, given) in enumerate(_calls(at, text))
    ]  # fmt: skip
    return json.dumps(calls)


DIALECTS: dict[str, tuple[Dialect, Callable[[Point | None, str], str]]] = {
    "json": (JSON, _json),
    "func_tags": (dialect_of("func_tags", func_tags), _func_tags),
    "fenced": (dialect_of("fenced", fenced), _fenced),
    "anthropic_tools": (dialect_of("anthropic_tools", anthropic_tools), _anthropic),
    "openai_tools": (dialect_of("openai_tools", openai_tools), _openai),
}


class Heedless(ScriptedModel):
    """Takes its steps one after the other, wherever the things are or were, and then says done for ever."""

    def __init__(self, dialect: str, steps: Sequence[FormStep] = SIGN_IN) -> None:
        super().__init__("", proves_done=False)
        self.support = Support(images=False)
        self.spoken, self._word = DIALECTS[dialect]
        self._steps = list(steps)
        self._places: dict[str, Point] = {}

    def reply(
        self, conversation: Conversation, observation: Observation, *, on_note: Callable[[str], None], stop: StopFlag
    ) -> Answer:  # fmt: skip
        for each in observation.elements:
            if each.role in ("push button", "entry", "password text", "check box"):
                self._places[each.name] = each.bounds.center
        step = self._steps.pop(0) if self._steps else None
        at = None if step is None else self._places.get(step.name, Point(1, 1))
        self.texts = [self._word(at, "" if step is None else step.text)]
        return super().reply(conversation, observation, on_note=on_note, stop=stop)
