"""Nothing that a server leaves out, nulls or sends as another type raises: the answer is used, or one sentence says why not."""

from __future__ import annotations

import builtins
import json
import logging
import re
from collections.abc import Iterator
from typing import Any

import pytest
from werkzeug import Request, Response

from desktop_agent.llm.anthropic import messages_param
from desktop_agent.llm.base import Answer
from desktop_agent.llm.openai import input_items
from desktop_agent.protocol.chat_messages import for_provider, words_of
from desktop_agent.protocol.dialects import anthropic_tools, openai_tools
from desktop_agent.protocol.dialects.base import dialect_of
from desktop_agent.protocol.errors import BadReply, ModelError
from tests.llm import native_wire, wire
from tests.llm.asking import GOOD, PROVIDERS, ask, make
from tests.llm.fake_server import FakeServer

WIRES: dict[str, wire.Dialect] = {
    "openai": wire.RESPONSES,
    "compatible": wire.CHAT,
    "anthropic": wire.MESSAGES,
}
OTHERS: tuple[Any, ...] = (7, "7", [], {"x": 7})
"""What stands in place of a field beside None: of neighbours each another one."""
ITEMS: dict[str, list[dict[str, Any]]] = {
    "openai": [
        {"id": "rs_1", "type": "reasoning", "summary": []},
        {
            "id": "m_1",
            "type": "message",
            "role": "assistant",
            "content": [{"type": "output_text", "text": "I save."}],
        },
        {
            "id": "cu_1",
            "type": "computer_call",
            "call_id": "c1",
            "actions": [{"type": "keypress", "keys": ["CTRL", "S"]}],
            "pending_safety_checks": [],
        },
        {"id": "fc_1", "type": "function_call", "call_id": "c2", "name": "look", "arguments": "{}"},
    ],
    "anthropic": [
        {"type": "text", "text": "I save."},
        {"type": "tool_use", "id": "t1", "name": "look", "input": {}},
        {
            "type": "tool_use",
            "id": "t2",
            "name": "key",
            "toolset_name": anthropic_tools.TOOLSET,
            "input": {"text": "ctrl+S"},
        },
    ],
}
_ERRORS = [name for name in dir(builtins) if name.endswith("Error")]
_PYTHON = re.compile(
    f"NoneType|has no attribute|unsupported operand|not subscriptable|Traceback|{'|'.join(_ERRORS)}"
)


_PIECE = re.compile(r'"(content|delta|text|partial_json)": "(?:[^"\\]|\\.)*"')
"""What events of a stream that are alike differ in."""


def mutations(data: Any) -> Iterator[Any]:
    """The data with one field left out or of another kind, for each field in it."""
    keys = data if isinstance(data, dict) else range(len(data) if isinstance(data, list) else 0)
    for number, key in enumerate(keys):
        rest = (
            {name: data[name] for name in data if name != key}
            if isinstance(data, dict)
            else data[:key] + data[key + 1 :]
        )
        yield rest
        for other in (None, OTHERS[number % len(OTHERS)], *mutations(data[key])):
            copy = dict(data) if isinstance(data, dict) else list(data)
            copy[key] = other
            yield copy


def mutated_streams(lines: list[str]) -> Iterator[list[str]]:
    """The stream with one event left out, or with one of its fields another one. Of events that are alike the first is changed."""
    shapes: set[str] = set()
    for number, line in enumerate(lines):
        head, data = line.rstrip("\n").rsplit("data: ", 1)
        shape = head + _PIECE.sub(r"\1", data)
        if shape in shapes:
            continue
        shapes.add(shape)
        before, after = lines[:number], lines[number + 1 :]
        yield before + after
        yield before
        if not data.startswith("{"):
            continue
        for other in mutations(json.loads(data)):
            yield [*before, f"{head}data: {json.dumps(other)}\n\n", *after]


def check(model: Any, what: str, **given: Any) -> Answer | None:
    """The answer, if there is one; else the sentence for the user names no part of the program."""
    try:
        answer = ask(model, **given)
        told = (*given["dialect"].messages(answer.raw), words_of("Go on.")) if "dialect" in given else ()
        for each in told and (for_provider(told, "Go on.", model.provider, calls=True),):
            input_items(each, "high") if model.provider == "openai" else messages_param(each)
        return answer
    except BadReply as error:
        words = str(error)
        assert error.problems, what
    except ModelError as error:
        words = f"{error.message} {error.advice}"
        assert error.advice and not error.message.startswith("Asking "), (what, words)
    assert not _PYTHON.search(words), (what, words)
    return None


@pytest.fixture(autouse=True)
def in_few_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mutation changes one of the pieces that are alike: more of them would only be read again, a thousand times."""
    monkeypatch.setattr(wire, "_PIECE", 60)
    monkeypatch.setattr(native_wire, "_PIECE", 60)


@pytest.fixture
def patient(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Fails where the reading of an answer had to be given up because it raised."""
    caplog.set_level(logging.DEBUG, "desktop_agent")
    yield
    assert not [each for each in caplog.records if "failed" in each.message and "the call of" in each.message]


def play(server: FakeServer, provider: str, bodies: list[Any], stream: bool, **given: Any) -> int:
    """How many of the mutated answers could be used."""
    model = make(provider, server.url, stream=stream, retries=0)
    used = 0
    for body in bodies:

        def respond(request: Request, asked: Any, body: Any = body) -> Response:
            if stream:
                return Response(iter(body), content_type="text/event-stream")
            return Response(json.dumps(body), content_type="application/json")

        server.once(respond)
        used += check(model, json.dumps(body)[-1500:], **given) is not None
        server._next.clear()
    model.close()
    return used


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("stream", [True, False], ids=["streaming", "whole"])
def test_an_answer_with_one_field_other_is_used_or_explained(
    server: FakeServer, provider: str, stream: bool
) -> None:
    wired = WIRES[provider]
    bodies: list[Any] = (
        list(mutated_streams(list(wired.events(GOOD, "complete"))))
        if stream
        else list(mutations(wired.whole(GOOD, "complete")))
    )
    assert len(bodies) > 40
    assert play(server, provider, bodies, stream) > len(bodies) // 4
    assert len(bodies) == len(server.seen), "an answer was asked for anew, in another form"


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize("provider", ITEMS)
@pytest.mark.parametrize("stream", [True, False], ids=["streaming", "whole"])
def test_calls_of_tools_with_one_field_other_are_used_or_explained(
    server: FakeServer, provider: str, stream: bool
) -> None:
    module = {"openai": openai_tools, "anthropic": anthropic_tools}[provider]
    dialect, wired = dialect_of(module.__name__.rpartition(".")[2], module), WIRES[provider]
    items = ITEMS[provider]
    bodies: list[Any]
    if stream:
        bodies = list(mutated_streams(list(wired.events("", "complete", items))))
    else:
        good = wired.whole("", "complete", items)
        key = "output" if provider == "openai" else "content"
        bodies = [{**good, key: other} for other in (None, *OTHERS, *mutations(items))]
    assert dialect.tools is not None
    tools = dialect.tools(("look", "key_combo"))
    used = play(server, provider, bodies, stream, dialect=dialect, schema=None, tools=tools)
    assert used > len(bodies) // 4
