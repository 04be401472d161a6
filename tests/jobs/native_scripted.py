"""A script that speaks a provider's own tools: it works by coordinates, which it reads from the list of elements."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tests.jobs.scripted import Actions, Script, Step

_numbers = itertools.count(1)
Native = Callable[[dict[str, Any]], str]


def by_pixels(script: Script) -> Script:
    """The same job with every element worked at its middle in the picture."""
    steps = [replace(step, act=_by_pixels(step)) for step in script.steps]
    return Script(script.plan, steps, script.requests)


def _by_pixels(step: Step) -> Callable[[str], Actions]:
    return lambda screen: [each for action in step.act(screen) for each in _placed(action, screen)]


def _placed(action: dict[str, Any], screen: str) -> Actions:
    if "element" not in action:
        return [action]
    click = {"op": "click", **_middle(action["element"], screen)}
    return [click, {"op": "type", "text": action["text"]}] if action["op"] == "type" else [click]


def _middle(element: str, screen: str) -> dict[str, int]:
    found = re.search(rf"^{element} .*? (\d+),(\d+) (\d+)x(\d+)", screen, re.MULTILINE)
    assert found, f"{element} has no place in:\n{screen}"
    x, y, width, height = map(int, found.groups())
    return {"x": x + width // 2, "y": y + height // 2}


def anthropic(script: Script) -> Native:
    """Content blocks: thinking, words, the plan, and a call for each operation."""

    def answer(request: dict[str, Any]) -> str:
        reply = json.loads(script(request))
        number = next(_numbers)
        blocks: list[dict[str, Any]] = [{"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}]
        if reply["notes"]:
            blocks.append({"type": "text", "text": reply["notes"]})
        calls = [("plan", _plan(reply), None), *map(_anthropic_call, reply["actions"])]
        for place, (name, given, toolset) in enumerate(calls):
            call = {"type": "tool_use", "id": f"toolu_{number}_{place}", "name": name, "input": given}
            blocks.append(call if toolset is None else {**call, "toolset_name": toolset})
        return json.dumps(blocks)

    return answer


def _plan(reply: dict[str, Any]) -> dict[str, Any]:
    return {"high_level": reply["high_level"], "step": reply["step"], "scope": []}


def _anthropic_call(action: dict[str, Any]) -> tuple[str, dict[str, Any], str | None]:
    match action:
        case {"op": "click", "x": x, "y": y}:
            return "left_click", {"coordinate": [x, y]}, "computer"
        case {"op": "type", "text": text}:
            return "type", {"text": text}, "computer"
        case {"op": "key_combo", "keys": keys}:
            return "key", {"text": "+".join(keys)}, "computer"
        case {"op": "wait"}:
            return "screenshot", {}, "computer"
    return action["op"], {key: value for key, value in action.items() if key != "op"}, None


def openai(script: Script) -> Native:
    """Output items: reasoning, words, the plan, and the operations in batches of the computer tool."""

    def answer(request: dict[str, Any]) -> str:
        reply = json.loads(script(request))
        number = next(_numbers)
        part = {"type": "output_text", "text": reply["notes"], "annotations": []}
        message = {"type": "message", "id": f"msg_{number}", "role": "assistant", "status": "completed"}
        calls = [_function(f"{number}_p", "plan", _plan(reply))]
        for place, (own, run) in enumerate(
            itertools.groupby(reply["actions"], lambda each: _action(each) is not None)
        ):
            if own:
                calls.append(_computer(f"{number}_{place}", [_action(each) for each in run]))
            else:
                calls += [
                    _function(
                        f"{number}_{place}_{inner}", each["op"], {k: v for k, v in each.items() if k != "op"}
                    )
                    for inner, each in enumerate(run)
                ]
        reasoning = {"type": "reasoning", "id": f"rs_{number}", "summary": [], "encrypted_content": "ZW5j"}
        return json.dumps([reasoning, {**message, "content": [part]}, *calls])

    return answer


def _function(id: str, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    told = json.dumps(arguments)
    return {"type": "function_call", "id": f"fc_{id}", "call_id": f"call_{id}", "name": name, "arguments": told,
            "status": "completed"}  # fmt: skip


def _computer(id: str, actions: list[Any]) -> dict[str, Any]:
    return {"type": "computer_call", "id": f"cu_{id}", "call_id": f"call_{id}", "status": "completed",
            "pending_safety_checks": [], "actions": actions}  # fmt: skip


def _action(action: dict[str, Any]) -> dict[str, Any] | None:
    match action:
        case {"op": "click", "x": x, "y": y}:
            return {"type": "click", "button": "left", "x": x, "y": y}
        case {"op": "type", "text": text}:
            return {"type": "type", "text": text}
        case {"op": "key_combo", "keys": keys}:
            return {"type": "keypress", "keys": [key.upper() for key in keys]}
        case {"op": "wait"}:
            return {"type": "screenshot"}
    return None
