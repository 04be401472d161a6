"""Each thing that can go wrong ends in one clear error with advice, through the real SDKs."""

from __future__ import annotations

from typing import Any

import pytest

from desktop_agent.protocol.errors import ImagesUnsupported, ModelError
from desktop_agent.protocol.stop_flag import StopFlag
from tests.llm.asking import GOOD, PROVIDERS, ask, failure, make
from tests.llm.fake_server import FakeServer

each_provider = pytest.mark.parametrize("provider", PROVIDERS)
either_way = pytest.mark.parametrize("stream", [True, False], ids=["streaming", "whole"])


def said(provider: str, kind: str, message: str, code: str | None = None) -> dict[str, Any]:
    """An error body as the provider words it."""
    error = {"type": kind, "message": message}
    if provider == "anthropic":
        return {"type": "error", "error": error, "request_id": "req_1"}
    return {"error": {**error, "code": code, "param": None}}


@each_provider
def test_no_key(server: FakeServer, provider: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(f"{provider.upper()}_API_KEY")
    error = failure(make(provider, server.url))
    assert error.message.startswith("There is no key for ")
    assert f"{provider.upper()}_API_KEY" in error.advice
    assert not error.retryable
    # A compatible server is asked all the same: it may not want a key.
    assert len(server.seen) == (provider == "compatible")


@each_provider
@either_way
def test_wrong_key(server: FakeServer, provider: str, stream: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(f"{provider.upper()}_API_KEY", "sk-wrong-key-0000")
    error = failure(make(provider, server.url, stream=stream))
    assert "did not accept the key" in error.message
    assert f"environment variable {provider.upper()}_API_KEY" in error.message
    assert not error.retryable
    assert len(server.seen) == 1


@each_provider
def test_a_key_that_was_mended_works_without_a_restart(
    server: FakeServer, provider: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = make(provider, server.url)
    good, server.key = server.key, "sk-the-new-key-1"
    failure(model)
    monkeypatch.setenv(f"{provider.upper()}_API_KEY", "sk-the-new-key-1")
    assert ask(model).raw == GOOD
    assert good


STATUSES = [
    (403, "permission_error", None, "denied", "does not let this key use", False),
    (404, "not_found_error", "model_not_found", "no such model", "knows no model", False),
    (404, "", None, "<html>nothing here</html>", "knows no model", False),
    (402, "billing_error", None, "pay", "no credit left", False),
    (429, "insufficient_quota", "insufficient_quota", "You exceeded your current quota", "no credit", False),
    (400, "invalid_request_error", None, "Your credit balance is too low", "no credit left", False),
    (
        400,
        "invalid_request_error",
        "context_length_exceeded",
        "This model's maximum context length is 8 tokens",
        "too long",
        False,
    ),
    (400, "invalid_request_error", None, "prompt is too long: 300000 tokens > 200000", "too long", False),
    (413, "request_too_large", None, "Request exceeds the maximum size", "too long", False),
    (400, "exceed_context_size_error", None, "request exceeds the available context size", "too long", False),
    (400, "invalid_request_error", None, "image dimensions 9000x9000 exceed 2576", "picture", False),
    (
        400,
        "invalid_request_error",
        "unknown_parameter",
        "Unknown parameter: 'x'",
        "refused the request",
        False,
    ),
    (400, "invalid_request_error", "content_policy_violation", "no", "declined", False),
    (500, "api_error", "server_error", "The server had an error", "overloaded or has a fault", True),
    (503, "overloaded_error", None, "Overloaded", "overloaded", True),
    (529, "overloaded_error", None, "Overloaded", "overloaded", True),
    (429, "rate_limit_error", "rate_limit_exceeded", "slow down", "too many requests", True),
]


@each_provider
@pytest.mark.parametrize(("status", "kind", "code", "words", "expected", "later"), STATUSES)
def test_error_statuses(
    server: FakeServer,
    provider: str,
    status: int,
    kind: str,
    code: str | None,
    words: str,
    expected: str,
    later: bool,
) -> None:
    if provider == "anthropic" and code == "content_policy_violation":
        kind = code  # Anthropic has no `code`
    body = said(provider, kind, words, code) if kind else words
    server.answer = lambda _: pytest.fail("asked again")
    for _ in range(3):  # the plainer forms of a compatible server are refused as well
        server.once(server.status(status, body))
    error = failure(make(provider, server.url, retries=0))
    assert expected in error.message
    assert error.advice
    assert error.retryable is later


def test_the_message_names_the_server_not_its_secrets(server: FakeServer) -> None:
    server.once(server.status(404, said("openai", "not_found_error", "see https://x.y/z?token=abc#f")))
    error = failure(make("compatible", server.url, retries=0))
    assert server.url.removeprefix("http://") in error.message
    assert "https://x.y/z" in error.message
    assert "abc" not in str(error)


@each_provider
@either_way
def test_the_request_is_made_again_when_asked_to_wait(
    server: FakeServer, provider: str, stream: bool
) -> None:
    busy = server.status(429, said(provider, "rate_limit_error", "slow down"), retry_after_ms="20")
    server.once(busy, busy)
    assert ask(make(provider, server.url, stream=stream)).raw == GOOD
    assert len(server.seen) == 3


@each_provider
def test_it_is_not_made_again_for_ever(server: FakeServer, provider: str) -> None:
    server.once(*[server.status(500, "oops", retry_after_ms="10")] * 9)
    error = failure(make(provider, server.url, retries=2))
    assert "overloaded" in error.message
    assert len(server.seen) == 3


@each_provider
def test_a_long_wait_is_left_to_the_user(server: FakeServer, provider: str) -> None:
    server.once(server.status(429, said(provider, "rate_limit_error", "slow down"), retry_after="600"))
    error = failure(make(provider, server.url))
    assert "Try again in 600 s" in error.advice
    assert error.retryable
    assert len(server.seen) == 1


@each_provider
@either_way
def test_cut_off(server: FakeServer, provider: str, stream: bool) -> None:
    server.once(server.ending("cut_off"))
    error = failure(make(provider, server.url, stream=stream, max_output_tokens=77))
    assert "cut off after 77 tokens" in error.message
    assert "max_output_tokens" in error.advice and f"[llm.{provider}]" in error.advice


@each_provider
@either_way
def test_refusal(server: FakeServer, provider: str, stream: bool) -> None:
    server.once(server.ending("refusal"))
    error = failure(make(provider, server.url, stream=stream))
    assert "declined" in error.message
    assert not error.retryable


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
@either_way
def test_context_overflow_while_answering(server: FakeServer, provider: str, stream: bool) -> None:
    server.once(server.ending("context"))
    error = failure(make(provider, server.url, stream=stream))
    assert "too long" in error.message


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_no_image_support(server: FakeServer, provider: str) -> None:
    server.once(server.status(400, said(provider, "invalid_request_error", "model does not support images")))
    error = failure(make(provider, server.url))
    assert isinstance(error, ImagesUnsupported)
    assert "cannot see pictures" in error.message and "images = false" in error.advice


@each_provider
def test_a_client_error_nobody_thought_of_is_still_one_clear_error(
    server: FakeServer, provider: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = make(provider, server.url)

    def broken(*_: object) -> None:
        raise ZeroDivisionError("sk-secret")

    monkeypatch.setattr(model, "_ask", broken)
    error = failure(model)
    assert "unexpected" in error.message and "ZeroDivisionError" in error.message
    assert "sk-secret" not in str(error)


def test_an_error_leaves_no_trace_of_the_foreign_one(server: FakeServer) -> None:
    server.once(server.status(404, "gone"))
    try:
        ask(make("openai", server.url, retries=0), StopFlag())
    except ModelError as error:
        assert error.__cause__ is None and error.__suppress_context__
