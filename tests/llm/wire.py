"""The three dialects of the model providers, as a server speaks them (for `fake_server`).

Shapes after the providers' API references and the SDKs' types of November 2026.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, ClassVar, Literal, TypeAlias

Body: TypeAlias = dict[str, Any]
Ending: TypeAlias = Literal["complete", "cut_off", "refusal", "context"]
READ, CACHED, WRITTEN = 1200, 1000, 34  # tokens of every answer; CACHED is part of READ
KEPT, KEPT_LONG = 150, 50  # part of READ written into the cache, and part of that for the longer time
_PIECE = 7  # characters of a piece of a stream: splits escapes


class Dialect(ABC):
    """How one API words its answers."""

    path: str

    @abstractmethod
    def whole(self, text: str, ending: Ending) -> Body:
        """A complete answer."""

    @abstractmethod
    def events(self, text: str, ending: Ending) -> Iterator[str]:
        """The same as lines of a stream of server-sent events."""

    @abstractmethod
    def is_closing(self, line: str) -> bool:
        """True for the first event after the text."""

    def error(self, kind: Literal["key", "request"], message: str) -> Body:
        """The body of an error status."""
        names = {"key": "invalid_api_key", "request": "invalid_request_error"}
        return {"error": {"message": message, "type": names["request"], "code": names[kind], "param": None}}

    def schema_problem(self, asked: Body) -> str:
        """What the provider would find wrong with the schema of a request; empty when nothing."""
        return ""


class Responses(Dialect):
    """OpenAI Responses."""

    path = "/responses"

    def whole(self, text: str, ending: Ending) -> Body:
        refused = {"type": "refusal", "refusal": "I cannot help with that."}
        spoken = {"type": "output_text", "text": text, "annotations": [], "logprobs": []}
        failed = ending == "context"
        message = {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "status": "completed",
            "content": [refused if ending == "refusal" else spoken],
        }
        return {
            "id": "resp_1",
            "object": "response",
            "created_at": 1,
            "model": "fake-model",
            "status": "failed" if failed else "incomplete" if ending == "cut_off" else "completed",
            "error": {"code": "context_length_exceeded", "message": "too long"} if failed else None,
            "incomplete_details": {"reason": "max_output_tokens"} if ending == "cut_off" else None,
            "instructions": None,
            "metadata": {},
            "output": [] if failed else [{"id": "rs_1", "type": "reasoning", "summary": []}, message],
            "parallel_tool_calls": True,
            "temperature": 1.0,
            "tool_choice": "auto",
            "tools": [],
            "top_p": 1.0,
            "usage": {
                "input_tokens": READ,
                "input_tokens_details": {
                    "cached_tokens": CACHED,
                    "cache_write_tokens": KEPT,
                    "cache_write_tokens_details": {
                        "ttl_30m_tokens": KEPT - KEPT_LONG,
                        "ttl_12h_tokens": KEPT_LONG,
                    },
                },
                "output_tokens": WRITTEN,
                "output_tokens_details": {"reasoning_tokens": 0},
                "total_tokens": READ + WRITTEN,
            },
        }

    def events(self, text: str, ending: Ending) -> Iterator[str]:
        final = self.whole(text, ending)
        yield _event("response.created", {"response": {**final, "status": "in_progress", "output": []}})
        if ending in ("complete", "cut_off"):
            for piece in _pieces(text):
                place = {"item_id": "msg_1", "output_index": 1, "content_index": 0, "logprobs": []}
                yield _event("response.output_text.delta", {**place, "delta": piece})
            yield _event("response.output_text.done", {"item_id": "msg_1", "text": text})
        yield _event(f"response.{final['status']}", {"response": final})

    def is_closing(self, line: str) -> bool:
        return "event: response.output_text.done" in line

    def schema_problem(self, asked: Body) -> str:
        form = asked.get("text", {}).get("format", {})
        if form.get("type") != "json_schema" or not form.get("strict"):
            return ""
        return _strict_problem(form["schema"])


class Chat(Dialect):
    """OpenAI Chat Completions."""

    path = "/chat/completions"
    _reasons: ClassVar[dict[Ending, str]] = {
        "complete": "stop",
        "cut_off": "length",
        "refusal": "content_filter",
        "context": "length",
    }

    def whole(self, text: str, ending: Ending) -> Body:
        message = {"role": "assistant", "content": text, "refusal": None}
        choice = {"index": 0, "message": message, "finish_reason": self._reasons[ending], "logprobs": None}
        return {**self._head("chat.completion"), "choices": [choice], "usage": self._usage()}

    def events(self, text: str, ending: Ending) -> Iterator[str]:
        yield self._chunk({"role": "assistant", "content": ""})
        for piece in _pieces(text):
            yield self._chunk({"content": piece})
        yield self._chunk({}, self._reasons[ending])
        usage = {**self._head("chat.completion.chunk"), "choices": [], "usage": self._usage()}
        yield f"data: {json.dumps(usage)}\n\n"
        yield "data: [DONE]\n\n"

    def is_closing(self, line: str) -> bool:
        return '"delta": {}' in line

    def schema_problem(self, asked: Body) -> str:
        form = asked.get("response_format", {})
        return _strict_problem(form["json_schema"]["schema"]) if form.get("type") == "json_schema" else ""

    def _head(self, kind: str) -> Body:
        return {"id": "chatcmpl-1", "object": kind, "created": 1, "model": "fake-model"}

    def _chunk(self, delta: Body, reason: str | None = None) -> str:
        choice = {"index": 0, "delta": delta, "finish_reason": reason}
        chunk = {**self._head("chat.completion.chunk"), "choices": [choice], "usage": None}
        return f"data: {json.dumps(chunk)}\n\n"

    def _usage(self) -> Body:
        details = {"cached_tokens": CACHED, "cache_write_tokens": KEPT}
        return {
            "prompt_tokens": READ,
            "prompt_tokens_details": details,
            "completion_tokens": WRITTEN,
            "total_tokens": READ + WRITTEN,
        }


class Messages(Dialect):
    """Anthropic Messages."""

    path = "/messages"
    _reasons: ClassVar[dict[Ending, str]] = {
        "complete": "end_turn",
        "cut_off": "max_tokens",
        "refusal": "refusal",
        "context": "model_context_window_exceeded",
    }

    def whole(self, text: str, ending: Ending) -> Body:
        return {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": "fake-model",
            "content": [{"type": "text", "text": text, "citations": None}],
            "stop_reason": self._reasons[ending],
            "stop_sequence": None,
            "stop_details": None,
            "usage": {
                "input_tokens": READ - CACHED - KEPT,
                "cache_read_input_tokens": CACHED,
                "cache_creation_input_tokens": KEPT,
                "cache_creation": {
                    "ephemeral_5m_input_tokens": KEPT - KEPT_LONG,
                    "ephemeral_1h_input_tokens": KEPT_LONG,
                },
                "output_tokens": WRITTEN,
            },
        }

    def events(self, text: str, ending: Ending) -> Iterator[str]:
        final = self.whole(text, ending)
        usage = {**final["usage"], "output_tokens": 1}
        begin = {**final, "content": [], "stop_reason": None, "usage": usage}
        yield _event("message_start", {"message": begin})
        yield _event("ping", {})
        yield _event("content_block_start", {"index": 0, "content_block": {"type": "text", "text": ""}})
        for piece in _pieces(text):
            yield _event("content_block_delta", {"index": 0, "delta": {"type": "text_delta", "text": piece}})
        yield _event("content_block_stop", {"index": 0})
        delta = {"stop_reason": final["stop_reason"], "stop_sequence": None, "stop_details": None}
        yield _event("message_delta", {"delta": delta, "usage": {"output_tokens": WRITTEN}})
        yield _event("message_stop", {})

    def is_closing(self, line: str) -> bool:
        return "event: content_block_stop" in line

    def error(self, kind: Literal["key", "request"], message: str) -> Body:
        names = {"key": "authentication_error", "request": "invalid_request_error"}
        return {"type": "error", "error": {"type": names[kind], "message": message}, "request_id": "req_1"}

    def schema_problem(self, asked: Body) -> str:
        form = asked.get("output_config", {}).get("format")
        return _anthropic_problem(form["schema"]) if form else ""


RESPONSES, CHAT, MESSAGES = Responses(), Chat(), Messages()
DIALECTS: tuple[Dialect, ...] = (RESPONSES, CHAT, MESSAGES)


def _pieces(text: str) -> Iterator[str]:
    return (text[at : at + _PIECE] for at in range(0, len(text), _PIECE))


def _event(name: str, data: Body) -> str:
    return f"event: {name}\ndata: {json.dumps({'type': name, 'sequence_number': 0, **data})}\n\n"


def _strict_problem(schema: Body) -> str:
    """https://platform.openai.com/docs/guides/structured-outputs#supported-schemas"""
    for node in _nodes(schema):
        bad = node.keys() & {"default", "title", "minLength", "maxLength", "oneOf", "allOf"}
        if bad:
            return f"Invalid schema for response_format 'reply': {sorted(bad)} is not permitted."
        if node.get("type") == "object":
            if node.get("additionalProperties") is not False:
                return "Invalid schema for response_format 'reply': additionalProperties must be false."
            if set(node.get("required", [])) != set(node["properties"]):
                return "Invalid schema for response_format 'reply': every property must be required."
    return ""


def _anthropic_problem(schema: Body) -> str:
    """https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations"""
    unions = optional = 0
    for node in _nodes(schema):
        bad = node.keys() & {"minimum", "maximum", "multipleOf", "minLength", "maxLength", "maxItems"}
        if bad or node.get("minItems", 0) > 1:
            return f"output_config.format.schema: unsupported keywords {sorted(bad)}"
        unions += "anyOf" in node
        if node.get("type") == "object":
            if node.get("additionalProperties") is not False:
                return "output_config.format.schema: additionalProperties must be false"
            optional += len(set(node["properties"]) - set(node.get("required", [])))
    if unions > 16 or optional > 24:
        return f"output_config.format.schema: too many union types ({unions}) or optional ones ({optional})"
    return ""


def _nodes(node: Any, named: bool = False) -> Iterator[Body]:
    """All schemas inside a schema; what is below `properties` are names, not keywords."""
    if isinstance(node, list):
        for each in node:
            yield from _nodes(each)
    elif isinstance(node, dict):
        if not named:
            yield node
        for key, value in node.items():
            yield from _nodes(value, named=key == "properties" and not named)
