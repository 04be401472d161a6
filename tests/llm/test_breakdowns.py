"""Connections and streams that break, fall silent, drip or make no sense."""

from __future__ import annotations

import contextlib
import json
import socket
import ssl
import threading
from collections.abc import Iterator

import pytest

from tests.llm import wire
from tests.llm.asking import GOOD, NOTE, PROVIDERS, ask, failure, make
from tests.llm.fake_server import FakeServer

each_provider = pytest.mark.parametrize("provider", PROVIDERS)
either_way = pytest.mark.parametrize("stream", [True, False], ids=["streaming", "whole"])


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


@contextlib.contextmanager
def self_signed_server() -> Iterator[int]:
    """A TLS server on loopback whose certificate nobody trusts; gives its port."""
    pytest.importorskip("cryptography")
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
        with contextlib.suppress(OSError):  # on Windows only what is connected; there closing wakes accept
            listening.shutdown(socket.SHUT_RDWR)
        listening.close()
        thread.join(20)
