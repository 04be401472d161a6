"""Answers with the providers' own tools, and what their servers refuse of a conversation with them (for `wire`).

Shapes after the SDKs' types of November 2026.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, TypeAlias

Body: TypeAlias = dict[str, Any]
_PIECE = 7
TOOLSET, OLDER = "computer_toolset_20260801", "computer_20251124"
BETAS = {OLDER: "computer-use-2025-11-24", "compact_20260112": "compact-2026-01-12"}


def items_in(asked: Body, text: str) -> list[Body] | None:
    """The blocks or items that an answer consists of, where the request offers tools and the text is a list of them."""
    if not asked.get("tools"):
        return None
    said = json.loads(text)
    return said if isinstance(said, list) else None


def block_events(blocks: list[Body]) -> Iterator[tuple[str, Body]]:
    """Content blocks of the Messages API as events of a stream, in pieces that split escapes."""
    for index, block in enumerate(blocks):
        begun, deltas = _begun(block)
        yield "content_block_start", {"index": index, "content_block": begun}
        for delta in deltas:
            yield "content_block_delta", {"index": index, "delta": delta}
        yield "content_block_stop", {"index": index}


def _begun(block: Body) -> tuple[Body, list[Body]]:
    match block["type"]:
        case "text":
            deltas = [{"type": "text_delta", "text": each} for each in _cut(block["text"])]
            return {**block, "text": ""}, deltas
        case "tool_use":
            told = block["input"] if isinstance(block["input"], str) else json.dumps(block["input"])
            return {**block, "input": {}}, [
                {"type": "input_json_delta", "partial_json": each} for each in ("", *_cut(told))
            ]
        case "thinking":
            pieces = [{"type": "thinking_delta", "thinking": each} for each in _cut(block["thinking"])]
            signed = {"type": "signature_delta", "signature": block["signature"]}
            return {**block, "thinking": "", "signature": ""}, [*pieces, signed]
        case "compaction":
            return {"type": "compaction", "content": None}, [
                {"type": "compaction_delta", "content": block["content"]}
            ]
    return block, []


def _cut(text: str) -> Iterator[str]:
    return (text[at : at + _PIECE] for at in range(0, len(text), _PIECE))


# ---- Anthropic -------------------------------------------------------------------------------


def messages_problem(asked: Body, betas: str) -> str:
    """What the Messages API would refuse; "" for nothing."""
    return next(_messages_problems(asked, betas), "")


def _messages_problems(asked: Body, betas: str) -> Iterator[str]:
    tools = {each.get("type", "custom") for each in asked.get("tools", ())}
    edits = {each["type"] for each in asked.get("context_management", {}).get("edits", ())}
    for used in (tools | edits) & set(BETAS):
        if BETAS[used] not in betas:
            yield f"{used} needs the beta header {BETAS[used]}"
    if OLDER in tools and "-5" in asked["model"]:
        yield f"{asked['model']} does not support {OLDER}"
    marks = json.dumps(asked).count('"cache_control"')
    if marks > 4:
        yield f"A maximum of 4 blocks with cache_control may be provided. Found {marks}."
    if sum(bool(each.get("strict")) for each in asked.get("tools", ())) > 20:
        yield "Too many strict tools"
    expected: dict[str, Any] = {}
    for number, message in enumerate(asked["messages"]):
        if message["role"] != ("user", "assistant")[number % 2]:
            yield "roles must alternate"
        yield from _answers_problems(message["content"], expected)
        expected = {each["id"]: each for each in message["content"] if each["type"] == "tool_use"}
        if expected and not tools:
            yield "Requests which include `tool_use` blocks must define tools"
    if expected:
        yield "the conversation must end with a user message"


def _answers_problems(content: list[Body], expected: dict[str, Any]) -> Iterator[str]:
    results = [each for each in content if each["type"] == "tool_result"]
    if {each["tool_use_id"] for each in results} != set(expected):
        yield f"tool_use ids {sorted(expected)} were found without tool_result blocks immediately after"
    if results != content[: len(results)]:
        yield "tool_result blocks must come first"
    for each in results:
        call = expected.get(each["tool_use_id"], {})
        if each.get("toolset_name") != call.get("toolset_name"):
            yield "toolset_name differs from that of the tool_use"
        if each.get("is_error") and any(inner["type"] != "text" for inner in each["content"]):
            yield "content of an error must be text"
    if any(each["type"] == "text" and not each["text"].strip() for each in content):
        yield "text content blocks must be non-empty"


# ---- OpenAI ----------------------------------------------------------------------------------


def responses_problem(asked: Body) -> str:
    """What the Responses API would refuse; "" for nothing."""
    return next(_responses_problems(asked), "")


def _responses_problems(asked: Body) -> Iterator[str]:
    items = asked["input"]
    calls = {
        each["call_id"]: each for each in items if each.get("type") in ("computer_call", "function_call")
    }
    outputs = {each["call_id"]: each for each in items if str(each.get("type")).endswith("_call_output")}
    for id in calls.keys() ^ outputs.keys():
        yield f"No tool output found for call {id}, or no call for that output"
    for id, output in outputs.items():
        if output["type"] != f"{calls[id]['type']}_output":
            yield "the output is of another tool"
        if calls[id]["type"] == "computer_call":
            if not str(output["output"].get("image_url", "")).startswith("data:image/"):
                yield "computer_call_output needs a screenshot"
            if output.get("acknowledged_safety_checks", []) != calls[id]["pending_safety_checks"]:
                yield "pending safety checks must be acknowledged"
    thought = False
    for each in items:
        kind = each.get("type")
        thought = kind == "reasoning" or (thought and kind in ("message", "computer_call", "function_call"))
        if kind == "computer_call" and not thought:
            yield "computer_call was provided without its required reasoning item"
    if calls and not asked.get("tools"):
        yield "calls without tools"
    if asked.get("tools") and asked.get("include") != ["reasoning.encrypted_content"]:
        yield "what is not stored must be included"
