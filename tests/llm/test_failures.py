"""Each thing that can go wrong ends in one clear error with advice, through the real SDKs."""

from __future__ import annotations

import contextlib
import json
import socket
from typing import Any

import pytest

from desktop_agent.protocol.errors import ImagesUnsupported, ModelError
from desktop_agent.protocol.stopping import StopFlag
from tests.llm import wire
from tests.llm.asking import GOOD, NOTE, PROVIDERS, ask, failure, make
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
        pytest.skip("Anthropic refuses by a stop reason")
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


STREAM_ERRORS = {
    "openai": ("error", {"type": "error", "code": "server_error", "message": "boom", "param": None}),
    "compatible": ("", {"error": {"message": "boom", "type": "server_error", "code": 500}}),
    "anthropic": ("error", {"type": "error", "error": {"type": "overloaded_error", "message": "boom"}}),
}


@each_provider
def test_an_error_in_the_middle_of_a_stream(server: FakeServer, provider: str) -> None:
    name, body = STREAM_ERRORS[provider]
    line = (f"event: {name}\n" if name else "") + f"data: {json.dumps(body)}\n\n"
    dialect = next(each for each in wire.DIALECTS if isinstance(each, _DIALECTS[provider]))
    begin = list(dialect.events('{"notes": "Half a no', "complete"))[:4]
    server.once(server.events(*begin, line))
    error = failure(make(provider, server.url, retries=0))
    assert "overloaded or has a fault" in error.message and "boom" in error.message
    assert error.retryable


_DIALECTS = {"openai": wire.Responses, "compatible": wire.Chat, "anthropic": wire.Messages}


@each_provider
def test_a_stream_that_breaks_off(server: FakeServer, provider: str) -> None:
    server.once(server.broken_off(GOOD))
    error = failure(make(provider, server.url, retries=0))
    assert "broke off" in error.message and error.retryable


@each_provider
def test_after_a_break_the_note_is_not_streamed_twice(server: FakeServer, provider: str) -> None:
    long_note = "Once upon a time there was a button that nobody had ever clicked. " * 3
    first = json.dumps({"notes": long_note, "actions": []})
    server.once(server.broken_off(first))
    heard: list[str] = []
    answer = ask(make(provider, server.url), on_note=heard.append)
    assert answer.reply.notes == NOTE
    assert heard and long_note.startswith("".join(heard))


@each_provider
@either_way
@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("text/html", "<html>Welcome to nginx!</html>"),
        ("application/json", "{}"),
        ("application/json", '{"choices": 5, "output": 5, "content": 5, "status": "completed"}'),
        ("application/json", "[]"),
        ("application/json", '{"choices": [{}]}'),
        ("application/json", "not json"),
        ("text/event-stream", "event: message_start\ndata: {not json\n\n"),
        ("text/event-stream", 'event: message_start\ndata: {"type": "message_start"}\n\n'),
        ("text/event-stream", 'event: response.completed\ndata: {"type": "response.completed"}\n\n'),
        ("text/event-stream", 'data: {"choices": [{"delta": 4}]}\n\n'),
        ("text/event-stream", "data: 17\n\n"),
        ("text/event-stream", ""),
    ],
)
def test_an_answer_that_makes_no_sense(
    server: FakeServer, provider: str, stream: bool, kind: str, body: str
) -> None:
    server.once(server.raw(body, kind))
    error = failure(make(provider, server.url, stream=stream, retries=0))
    assert "cannot be read" in error.message or "broke off" in error.message
    assert "base_url" in error.advice or "Check the network" in error.advice


@each_provider
def test_an_endless_answer(server: FakeServer, provider: str) -> None:
    server.answer = lambda _: '{"notes": "' + "x" * 1_100_000
    error = failure(make(provider, server.url, stream=False))
    assert "more text than any reply may have" in error.message


@each_provider
@either_way
def test_nobody_listens(provider: str, stream: bool) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound but not listening: refused
        port = taken.getsockname()[1]
        error = failure(make(provider, f"http://127.0.0.1:{port}", stream=stream))
    assert error.message == f"127.0.0.1:{port} cannot be reached. (Connection refused)"
    assert "server is running" in error.advice
    assert error.retryable


@each_provider
@pytest.mark.parametrize("address", ["http://no-such-host.invalid", "htp://x", "http://[", "http://x:port"])
def test_an_address_that_is_none(provider: str, address: str) -> None:
    error = failure(make(provider, address, retries=0))
    assert "cannot be reached" in error.message
    assert "base_url" in error.advice


@each_provider
def test_a_certificate_nobody_signed(provider: str) -> None:
    with self_signed_server() as port:
        error = failure(make(provider, f"https://127.0.0.1:{port}", retries=0))
    assert "cannot be reached" in error.message and "certificate" in error.message


@each_provider
@either_way
def test_silence_is_not_waited_for_for_ever(server: FakeServer, provider: str, stream: bool) -> None:
    server.once(server.hang())
    error = failure(make(provider, server.url, stream=stream, idle_timeout=0.3, timeout=0.8, retries=0))
    limit = "sent nothing for 0.3 s" if stream else "did not finish its answer within 0.8 s"
    assert limit in error.message
    assert error.retryable
    assert server.left.wait(20)


@each_provider
def test_silence_in_the_middle_of_an_answer(server: FakeServer, provider: str) -> None:
    server.once(server.hang(begin=GOOD))
    error = failure(make(provider, server.url, idle_timeout=0.3, retries=0))
    assert "sent nothing for 0.3 s" in error.message
    assert server.left.wait(20)


@each_provider
def test_an_answer_that_drips_on_ends_with_the_time_limit(server: FakeServer, provider: str) -> None:
    server.once(server.trickle(GOOD))
    error = failure(make(provider, server.url, timeout=0.5))
    assert "did not finish its answer within 0.5 s" in error.message
    assert "`timeout`" in error.advice
    assert error.retryable


@each_provider
def test_the_time_limit_covers_repeats(server: FakeServer, provider: str) -> None:
    server.once(*[server.status(503, "busy", retry_after="30")] * 3)
    error = failure(make(provider, server.url, timeout=5.0))
    assert "overloaded" in error.message  # waiting 30 s would pass the limit: said at once
    assert len(server.seen) == 1


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


@contextlib.contextmanager
def self_signed_server() -> Any:
    """A TLS server on loopback whose certificate nobody trusts; gives its port."""
    import ssl
    import threading

    from tests.llm.certificate import make_certificate

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with make_certificate() as (certificate, key):
        context.load_cert_chain(certificate, key)
    listening = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        with contextlib.suppress(OSError):
            while True:
                plain, _ = listening.accept()
                with contextlib.suppress(OSError), plain:
                    context.wrap_socket(plain, server_side=True).close()

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield listening.getsockname()[1]
    finally:
        listening.shutdown(socket.SHUT_RDWR)
        listening.close()
        thread.join(20)
