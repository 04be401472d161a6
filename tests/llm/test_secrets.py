"""Keys appear nowhere: not in errors, not in logs at any level, not in representations."""

from __future__ import annotations

import copy
import logging
import pickle
import traceback

import pytest

from desktop_agent.llm.transport.sdk_errors import MAX_DETAIL, clean
from desktop_agent.protocol.errors import ModelError
from desktop_agent.support.key_store import ApiKey
from tests.llm.asking import PROVIDERS, ask, make
from tests.llm.fake_server import KEY, FakeServer

each_provider = pytest.mark.parametrize("provider", PROVIDERS)
QUERY = "api-version=7&sig=very-secret-signature"


@pytest.fixture
def everything(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    """All that any library logs, however much it can say."""
    for name in ("", "openai", "anthropic", "httpx2", "httpcore2", "keyring", "desktop_agent"):
        caplog.set_level(logging.DEBUG, logger=name)
    return caplog


def check(text: str) -> None:
    assert KEY not in text
    assert "very-secret" not in text


@each_provider
@pytest.mark.parametrize("stream", [True, False])
def test_a_good_call_logs_no_key(
    server: FakeServer, provider: str, stream: bool, everything: pytest.LogCaptureFixture
) -> None:
    ask(make(provider, server.url, stream=stream))
    assert any(record.name.startswith("httpcore2") for record in everything.records)
    assert any(record.name.startswith(("openai", "anthropic")) for record in everything.records)
    check(everything.text)


ECHOES = [
    (401, f"Incorrect API key provided: {KEY}. See https://x.y/keys?{QUERY}"),
    (403, f"the key {KEY} may not"),
    (400, f"bad request to https://user:{KEY}@host/path?{QUERY} with {KEY}"),
    (500, f"internal error near Authorization: Bearer {KEY}"),
    (429, f"{KEY} is too fast, see http://x.y/?{QUERY}"),
]


@each_provider
@pytest.mark.parametrize(("status", "words"), ECHOES)
def test_a_server_that_repeats_the_key_is_not_quoted(
    server: FakeServer, provider: str, status: int, words: str, everything: pytest.LogCaptureFixture
) -> None:
    server.once(*[server.status(status, {"error": {"message": words, "type": "x"}})] * 3)
    with pytest.raises(ModelError) as refused:
        ask(make(provider, server.url, retries=0))
    check(str(refused.value))
    check(repr(refused.value))
    check("".join(traceback.format_exception(refused.value)))
    # Our own log and the SDKs' headers; what a server says the SDKs may log as its words.
    check("".join(r.getMessage() for r in everything.records if r.name.startswith("desktop_agent")))


def test_keys_of_any_shape_are_cut_out() -> None:
    assert clean("the key AIza_Plain.Key is bad", "AIza_Plain.Key") == "the key … is bad"
    assert clean("keys sk-proj-abc123DEF and sk-a***f of others") == "keys … and … of others"
    assert clean("see https://me:pw@x.y/z?k=v#f (http://a/?b)") == "see https://x.y/z (http://a/)"
    assert clean("line\none\x1b[31m " + "x" * 900).startswith("line one [31m xxx")
    assert len(clean("x" * 900)) == MAX_DETAIL


@each_provider
def test_an_unexpected_error_hides_what_it_quotes(
    server: FakeServer, provider: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = make(provider, server.url)

    def broken(client: object, *_: object) -> None:
        raise LookupError(f"header Authorization: Bearer {KEY}")

    monkeypatch.setattr(model, "_ask", broken)
    with pytest.raises(ModelError) as failed:
        ask(model)
    check("".join(traceback.format_exception(failed.value)))


@each_provider
@pytest.mark.parametrize("bad", ["sk-line\nbreak", "sk-umlaut-ä", "sk-with space", "“sk-quoted”"])
def test_a_key_that_cannot_be_one_is_refused_unread(
    server: FakeServer, provider: str, bad: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"{provider.upper()}_API_KEY", bad)
    with pytest.raises(ModelError, match="characters that no key has") as refused:
        ask(make(provider, server.url))
    assert bad not in "".join(traceback.format_exception(refused.value))
    assert server.seen == []


def test_the_address_is_shown_without_its_secrets(server: FakeServer) -> None:
    server.once(*[server.status(400, "no")] * 3)
    address = server.url.replace("://", f"://user:{KEY}@")
    with pytest.raises(ModelError) as refused:
        ask(make("compatible", f"{address}/v1?{QUERY}", retries=0))
    check(str(refused.value))


def test_a_key_does_not_show_itself() -> None:
    key = ApiKey(KEY, "the test")
    check(repr(key))
    check(str(key))
    check(f"{key}{[key]}")
    for copying in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError):
            copying(key)
    assert key.reveal() == KEY


@each_provider
def test_a_model_does_not_show_its_key(server: FakeServer, provider: str) -> None:
    model = make(provider, server.url)
    ask(model)
    check(repr(model))
    check(repr(vars(model)))
    model.close()
