"""Good answers and unusable ones, and what goes over the wire, through the real SDKs."""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Callable
from typing import Any

import pytest
from PIL import Image

from desktop_agent.llm import openai
from desktop_agent.llm.base import TokenUsage
from desktop_agent.llm.transport.options import Prices
from desktop_agent.protocol.errors import BadReply
from desktop_agent.protocol.ops import Ask, Click
from tests.llm import wire
from tests.llm.asking import GOOD, NOTE, PROVIDERS, SYSTEM, TEXT, ask, make
from tests.llm.fake_server import KEY, FakeServer, Seen

each_provider = pytest.mark.parametrize("provider", PROVIDERS)
either_way = pytest.mark.parametrize("stream", [True, False], ids=["streaming", "whole"])


@each_provider
@either_way
def test_a_good_answer_comes_back_decoded(server: FakeServer, provider: str, stream: bool) -> None:
    model = make(provider, server.url, stream=stream)
    heard: list[str] = []
    answer = ask(model, on_note=heard.append)
    assert answer.reply.notes == NOTE
    assert answer.reply.actions == (Click(x=3, y=4),)
    assert answer.raw == GOOD
    assert answer.usage == TokenUsage(wire.READ, wire.CACHED, wire.WRITTEN, None, wire.KEPT)
    assert "".join(heard) == NOTE
    assert len(heard) > 1 or not stream
    assert server.seen[-1].body.get("stream", False) is stream
    assert model.support.images and model.support.strict_schema
    model.close()


def sent(request: Seen) -> dict[str, str]:
    """The headers but for those that any two requests differ in."""
    return {
        name: value
        for name, value in request.headers.items()
        if name not in ("Content-Length", "Idempotency-Key")
    }


@either_way
def test_what_is_posted_is_what_the_sdk_itself_would_send(server: FakeServer, stream: bool) -> None:
    model = make("anthropic", server.url, stream=stream)
    ask(model)
    client = model._session.client  # type: ignore[attr-defined]
    list(client.messages.create(**server.seen[-1].body))  # to its end, where it is a stream
    ours, theirs = server.seen
    assert (ours.path, ours.body, sent(ours)) == (theirs.path, theirs.body, sent(theirs))
    model.close()


@each_provider
@either_way
@pytest.mark.parametrize(
    ("said", "path"),
    [
        ("I would click the button.", "$"),
        ('{"notes": "x", "actions": [{"op": "fly"}]}', "actions[0].op"),
        ('{"notes": "x", "actions": [{"op": "resume"}]}', "actions[0].op"),
        ("", "$"),
        ("[" * 20_000, "$"),
    ],
)
def test_an_unusable_answer_is_refused_with_its_problems(
    server: FakeServer, provider: str, stream: bool, said: str, path: str
) -> None:
    server.answer = lambda _: said
    with pytest.raises(BadReply) as refused:
        ask(make(provider, server.url, stream=stream))
    assert refused.value.problems[0].path == path
    assert len(server.seen) == 1  # asking again, with a stricter prompt, is the planner's part


@each_provider
def test_operations_that_are_not_offered_are_refused(server: FakeServer, provider: str) -> None:
    with pytest.raises(BadReply, match="click is not available"):
        ask(make(provider, server.url), operations=("wait", "done"))


@each_provider
def test_the_connection_is_used_again(server: FakeServer, provider: str) -> None:
    model = make(provider, server.url)
    ask(model)
    client = model._session.client  # type: ignore[attr-defined]
    ask(model)
    assert model._session.client is client  # type: ignore[attr-defined]
    model.close()
    assert ask(model).raw == GOOD  # and made anew after close
    model.close()


@each_provider
def test_prices_make_dollars(server: FakeServer, provider: str) -> None:
    model = make(provider, server.url, dollars_per_million=Prices(10.0, 1.0, 50.0))
    spent = ask(model).usage.dollars
    assert spent == pytest.approx((200 * 10.0 + 1000 * 1.0 + 34 * 50.0) / 1e6)


def the_picture(data: str) -> Image.Image:
    return Image.open(io.BytesIO(base64.b64decode(data)))


def only(server: FakeServer) -> Seen:
    (seen,) = server.seen
    return seen


def check_picture(data: str, kind: str) -> None:
    picture = the_picture(data)
    assert (picture.format, picture.size) == (kind, (48, 32))
    red, _, blue = picture.convert("RGB").getpixel((40, 4))  # type: ignore[misc]
    assert red > 60 and blue > 120  # BGRX became RGB


@pytest.mark.parametrize(("image_format", "kind"), [("jpeg", "JPEG"), ("png", "PNG")])
def test_openai_is_asked_by_responses(server: FakeServer, image_format: str, kind: str) -> None:
    ask(make("openai", server.url, image_format=image_format, effort="low", detail="high"))
    seen, body = only(server), only(server).body
    assert seen.path == "/v1/responses"
    assert seen.headers["Authorization"] == f"Bearer {KEY}"
    assert body["instructions"] == SYSTEM
    assert body["stream"] is True and body["store"] is False
    assert body["reasoning"] == {"effort": "low"}
    assert body["text"]["format"]["type"] == "json_schema" and body["text"]["format"]["strict"] is True
    text, image = body["input"][0]["content"]
    assert text == {"type": "input_text", "text": TEXT}
    assert image["type"] == "input_image" and image["detail"] == "high"
    head, _, data = image["image_url"].partition(",")
    assert head == f"data:image/{image_format};base64"
    check_picture(data, kind)


def test_openai_shares_its_cache_between_turns_but_not_between_prompts(server: FakeServer) -> None:
    model = make("openai", server.url)
    ask(model, text="one")
    ask(model, text="two")
    ask(model, system="Another prompt.")
    one, two, other = (seen.body["prompt_cache_key"] for seen in server.seen)
    assert one == two != other
    assert len(one) <= 64


def test_a_compatible_server_is_asked_by_chat_completions(server: FakeServer) -> None:
    ask(make("compatible", server.url, effort="low"))
    seen, body = only(server), only(server).body
    assert seen.path == "/v1/chat/completions"
    assert seen.headers["Authorization"] == f"Bearer {KEY}"
    assert body["model"] == "fake-model" and body["reasoning_effort"] == "low"
    assert body["stream_options"] == {"include_usage": True}
    system, user = body["messages"]
    assert system == {"role": "system", "content": SYSTEM}
    text, image = user["content"]
    assert text == {"type": "text", "text": TEXT}
    check_picture(image["image_url"]["url"].partition(",")[2], "JPEG")
    form = body["response_format"]["json_schema"]
    assert form["strict"] is True and form["schema"]["additionalProperties"] is False


def test_anthropic_is_asked_by_messages(server: FakeServer) -> None:
    ask(make("anthropic", server.url, effort="low"))
    seen, body = only(server), only(server).body
    assert seen.path == "/v1/messages"
    assert seen.headers["Authorization"] == f"Bearer {KEY}"
    (system,) = body["system"]
    assert system == {"type": "text", "text": SYSTEM, "cache_control": {"type": "ephemeral"}}
    text, image = body["messages"][0]["content"]
    assert image["source"]["type"] == "base64" and image["source"]["media_type"] == "image/jpeg"
    assert image["transformations"] == {"oversized_image": "error"}
    check_picture(image["source"]["data"], "JPEG")
    assert text == {"type": "text", "text": TEXT}
    assert body["output_config"]["effort"] == "low"
    assert body["output_config"]["format"]["type"] == "json_schema"


def test_anthropic_gets_nullable_fields_as_optional_ones(server: FakeServer) -> None:
    """The API takes at most 16 unions; the operations have more nullable fields than that allows."""
    ask(make("anthropic", server.url))
    schema = only(server).body["output_config"]["format"]["schema"]
    operations = {each["properties"]["op"]["enum"][0]: each for each in _operations(schema)}
    click = operations["click"]
    assert click["required"] == ["op", "button", "count", "modifiers"]
    assert click["properties"]["x"]["type"] == "integer"
    assert "65535" in click["properties"]["x"]["description"]


SCHEMA_IN: dict[str, Callable[[Any], Any]] = {
    "openai": lambda body: body["text"]["format"]["schema"],
    "compatible": lambda body: body["response_format"]["json_schema"]["schema"],
    "anthropic": lambda body: body["output_config"]["format"]["schema"],
}


@each_provider
def test_every_provider_is_told_that_a_question_may_offer_choices(server: FakeServer, provider: str) -> None:
    said = {"notes": "", "high_level": [], "step": None, "actions": [
        {"op": "ask", "question": "Which?", "choices": ["The first", "The second"]}]}  # fmt: skip
    server.answer = lambda _: json.dumps(said)
    assert ask(make(provider, server.url)).reply.actions == (Ask("Which?", ("The first", "The second")),)
    operations = {
        each["properties"]["op"]["enum"][0]: each
        for each in _operations(SCHEMA_IN[provider](only(server).body))
    }
    choices = operations["ask"]["properties"]["choices"]
    assert choices["type"] == "array" and choices["items"]["type"] == "string"
    assert "short answers" in choices["description"]


def _operations(schema: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = schema["properties"]["actions"]["items"]["anyOf"]
    return found


def test_without_a_picture_the_text_goes_alone(server: FakeServer) -> None:
    for provider in PROVIDERS:
        model = make(provider, server.url, images=False)
        assert not model.support.images
        ask(model)
    assert all("base64" not in json.dumps(seen.body) for seen in server.seen)


def test_a_server_without_a_key_gets_none(server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COMPATIBLE_API_KEY")
    server.key = None
    ask(make("compatible", server.url))
    assert "Authorization" not in only(server).headers


def test_another_variable_can_hold_the_key(server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    server.key = "sk-other-9876543210"
    monkeypatch.setenv("MY_KEY", "sk-other-9876543210")
    assert ask(make("openai", server.url, key_env="MY_KEY")).raw == GOOD


def test_thoughts_before_an_answer_are_left_out(server: FakeServer) -> None:
    server.answer = lambda _: '\n<think>Perhaps {"notes": "no"}?\n</think>\n\n' + GOOD
    heard: list[str] = []
    answer = ask(make("compatible", server.url), on_note=heard.append)
    assert answer.raw.strip() == GOOD
    assert "".join(heard) == NOTE


def test_the_only_model_of_a_server_is_taken_when_none_is_named(server: FakeServer) -> None:
    model = make("compatible", server.url, model="")
    ask(model)
    assert only(server).body["model"] == model.name == "fake-model"


def test_half_surrogates_split_between_pieces_are_joined(server: FakeServer) -> None:
    halves = [
        json.dumps({"type": "response.output_text.delta", "delta": d})
        for d in ('{"notes": "\ud83d', '\ude00"}')
    ]
    completed = {"type": "response.completed", "response": {**wire.RESPONSES.whole("", "complete")}}
    events = [f"data: {each}\n\n" for each in (*halves, json.dumps(completed))]
    server.once(server.events(*events))
    heard: list[str] = []
    assert ask(make("openai", server.url), on_note=heard.append).reply.notes == "\U0001f600"
    assert "".join(heard) == "\U0001f600"


def test_defaults_are_models_the_sdk_knows() -> None:
    import typing

    from anthropic.types.model_param import ModelParam
    from openai.types import ChatModel

    from desktop_agent.llm import anthropic

    assert openai.Options().model in typing.get_args(ChatModel)
    known, _ = typing.get_args(ModelParam)
    assert anthropic.Options().model in typing.get_args(known)
