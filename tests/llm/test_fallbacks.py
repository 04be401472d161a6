"""What a server cannot do is left out, remembered and told."""

from __future__ import annotations

from typing import Any

import pytest

from desktop_agent.protocol.errors import ImagesUnsupported
from tests.llm.asking import GOOD, NOTE, SYSTEM, ask, failure, make
from tests.llm.fake_server import FakeServer

either_way = pytest.mark.parametrize("stream", [True, False], ids=["streaming", "whole"])


def error(message: str, kind: str = "server_error") -> dict[str, Any]:
    return {"error": {"code": 500, "message": message, "type": kind}}


IMAGE_REFUSALS = [
    # llama.cpp, Ollama, vLLM, DeepSeek, OpenRouter, an old server that takes text only
    (500, "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj"),
    (400, "this model does not support images"),
    (400, "fake-model is not a multimodal model"),
    (400, "Failed to deserialize: unknown variant `image_url`, expected `text`"),
    (404, "No endpoints found that support image input"),
    (422, "messages[1].content: content must be a string"),
]


@either_way
@pytest.mark.parametrize(("status", "words"), IMAGE_REFUSALS)
def test_a_model_without_eyes_works_from_the_text(
    server: FakeServer, stream: bool, status: int, words: str
) -> None:
    server.once(server.status(status, error(words)))
    model = make("compatible", server.url, stream=stream)
    assert model.support.images
    assert ask(model).raw == GOOD
    assert not model.support.images
    assert model.support.strict_schema
    ask(model)
    with_picture, without, later = (seen.body["messages"][1]["content"] for seen in server.seen)
    assert isinstance(with_picture, list)
    assert isinstance(without, str) and without == later


def test_only_the_session_remembers(server: FakeServer) -> None:
    server.once(server.status(500, error("image input is not supported")))
    ask(make("compatible", server.url))
    assert make("compatible", server.url).support.images


def test_a_server_that_complains_about_pictures_it_does_not_get(server: FakeServer) -> None:
    server.once(*[server.status(500, error("image input is not supported"))] * 2)
    model = make("compatible", server.url)
    assert isinstance(failure(model), ImagesUnsupported)
    assert model.support.images  # nothing was learnt from a call that failed


SCHEMA_REFUSALS = [
    (400, "'response_format.type' must be 'text'"),
    (400, "This response_format type is unavailable now"),
    (422, "json_schema is not supported by this backend"),
    (500, "failed to parse grammar"),
    (400, "Bad Request"),
]


@either_way
@pytest.mark.parametrize(("status", "words"), SCHEMA_REFUSALS)
def test_a_server_without_schemas_is_asked_for_plain_json(
    server: FakeServer, stream: bool, status: int, words: str
) -> None:
    server.once(server.status(status, error(words)))
    model = make("compatible", server.url, stream=stream)
    assert ask(model).raw == GOOD
    assert not model.support.strict_schema and model.support.images
    ask(model)
    forms = [seen.body["response_format"]["type"] for seen in server.seen]
    assert forms == ["json_schema", "json_object", "json_object"]
    first, second, _ = (seen.body["messages"][0]["content"] for seen in server.seen)
    assert first == SYSTEM
    assert second.startswith(SYSTEM) and '"click_element"' in second


def test_a_server_without_any_form_is_asked_for_text(server: FakeServer) -> None:
    refused = server.status(400, error("response_format is not supported"))
    server.once(refused, refused)
    server.answer = lambda _: f"```json\n{GOOD}\n```"
    heard: list[str] = []
    assert ask(make("compatible", server.url), on_note=heard.append).reply.notes == NOTE
    assert "".join(heard) == NOTE
    assert "response_format" not in server.seen[2].body


def test_both_are_left_out_when_both_are_refused(server: FakeServer) -> None:
    server.once(
        server.status(400, error("response_format is not supported")),
        server.status(500, error("image input is not supported")),
    )
    model = make("compatible", server.url)
    assert ask(model).raw == GOOD
    assert not model.support.images and not model.support.strict_schema


def test_when_everything_is_refused_the_first_reason_is_told(server: FakeServer) -> None:
    server.once(*[server.status(400, error(f"reason {number}")) for number in (1, 2, 3)])
    model = make("compatible", server.url)
    assert "reason 1" in failure(model).message
    assert model.support.strict_schema


@pytest.mark.parametrize(
    ("provider", "words"),
    [
        ("anthropic", "The compiled grammar is too large, which would cause performance issues."),
        ("anthropic", "output_config.format.schema: too many parameters with union types"),
        ("openai", "Invalid schema for response_format 'reply': In context=(), 'oneOf' is not permitted."),
    ],
)
def test_a_schema_the_provider_does_not_take(server: FakeServer, provider: str, words: str) -> None:
    body = {"type": "error", "error": {"type": "invalid_request_error", "message": words}}
    server.once(server.status(400, body))
    model = make(provider, server.url)
    assert ask(model).raw == GOOD
    assert not model.support.strict_schema
    plain = server.seen[1].body
    assert "output_config" not in plain
    assert plain.get("text", {}).get("format", {}).get("type") in (None, "json_object")
    assert "click_element" in str(plain.get("instructions") or plain.get("system"))


def test_several_models_and_none_named(server: FakeServer) -> None:
    server.models = ["one", "two"]
    refused = failure(make("compatible", server.url, model=""))
    assert "(one, two)" in refused.message and "Set `model` in [llm.compatible]" in refused.advice
