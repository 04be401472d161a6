"""The server of the tests refuses of the providers' own tools what the real ones refuse."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from tests.llm.native_wire import BETAS, OLDER, TOOLSET, messages_problem, responses_problem

Body = dict[str, Any]
USE = {"type": "tool_use", "id": "t1", "name": "wait", "toolset_name": "computer", "input": {"duration": 1}}
RESULT = {"type": "tool_result", "tool_use_id": "t1", "toolset_name": "computer", "content": []}
TEXT = {"type": "text", "text": "a look"}
MARKED = {**TEXT, "cache_control": {"type": "ephemeral"}}
GOOD: Body = {
    "model": "claude-sonnet-5-5",
    "tools": [{"type": TOOLSET}],
    "messages": [
        {"role": "user", "content": [TEXT]},
        {"role": "assistant", "content": [USE]},
        {"role": "user", "content": [RESULT, TEXT]},
    ],
}
BAD: dict[str, Callable[[Body], Any]] = {
    "without tool_result": lambda body: body["messages"][2]["content"].pop(0),
    "come first": lambda body: body["messages"][2]["content"].reverse(),
    "toolset_name": lambda body: body["messages"][2]["content"][0].pop("toolset_name"),
    "must define tools": lambda body: body.pop("tools"),
    "end with a user message": lambda body: body["messages"].pop(),
    "maximum of 4": lambda body: body["messages"][0].update(content=[MARKED] * 5),
    "beta header": lambda body: body.update(model="claude-opus-4-6", tools=[{"type": OLDER}]),
    "non-empty": lambda body: body["messages"][0]["content"].append({"type": "text", "text": " "}),
    "must be text": lambda body: body["messages"][2]["content"][0].update(
        is_error=True, content=[{"type": "image"}]
    ),
    "must alternate": lambda body: body["messages"].insert(0, body["messages"][0]),
}


@pytest.mark.parametrize(("words", "spoil"), BAD.items(), ids=BAD)
def test_the_messages_api_refuses(words: str, spoil: Callable[[Body], Any]) -> None:
    body = copy.deepcopy(GOOD)
    assert messages_problem(body, "") == ""
    spoil(body)
    assert words in messages_problem(body, "")


def test_the_older_tool_needs_its_header_and_an_older_model() -> None:
    older = {**copy.deepcopy(GOOD), "tools": [{"type": OLDER}]}
    assert "does not support" in messages_problem(older, BETAS[OLDER])


CALL = {"type": "computer_call", "call_id": "c1", "pending_safety_checks": [{"id": "s1"}], "actions": []}
SHOT = {"type": "computer_screenshot", "image_url": "data:image/png;base64,AA=="}
OUTPUT = {
    "type": "computer_call_output",
    "call_id": "c1",
    "output": SHOT,
    "acknowledged_safety_checks": [{"id": "s1"}],
}
ITEMS: Body = {
    "tools": [{"type": "computer"}],
    "include": ["reasoning.encrypted_content"],
    "input": [{"type": "reasoning", "encrypted_content": "ZW5j"}, CALL, OUTPUT],
}
WRONG: dict[str, Callable[[Body], Any]] = {
    "No tool output found": lambda body: body["input"].pop(),
    "required reasoning item": lambda body: body["input"].pop(0),
    "needs a screenshot": lambda body: body["input"][2].update(output={"type": "computer_screenshot"}),
    "must be acknowledged": lambda body: body["input"][2].pop("acknowledged_safety_checks"),
    "of another tool": lambda body: body["input"][2].update(type="function_call_output"),
    "calls without tools": lambda body: body.pop("tools"),
    "must be included": lambda body: body.pop("include"),
}


@pytest.mark.parametrize(("words", "spoil"), WRONG.items(), ids=WRONG)
def test_the_responses_api_refuses(words: str, spoil: Callable[[Body], Any]) -> None:
    body = copy.deepcopy(ITEMS)
    assert responses_problem(body) == ""
    spoil(body)
    assert words in responses_problem(body)
