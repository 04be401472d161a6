"""A pasted key is kept and tried through the provider's own SDK, against a server on this computer."""

from __future__ import annotations

from collections.abc import Iterator

import keyring.core
import pytest
from keyring.backends import fail, null

from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.redaction.redactor import redactor
from desktop_agent.support import key_store
from desktop_agent.support.config import Config
from desktop_agent.ui.key_trial import keep_key
from desktop_agent.ui.welcome.welcome_guide import KeyVerdict
from tests.llm.conftest import MemoryKeyring
from tests.llm.fake_server import KEY, FakeServer

WRONG = "sk-test-wrong-0123456789"
PROVIDERS = ("anthropic", "openai")


@pytest.fixture(autouse=True)
def store(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keyring.core, "_keyring_backend", MemoryKeyring())
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def server() -> Iterator[FakeServer]:
    with FakeServer(lambda _: "OK", key=KEY) as running:
        yield running


def tried(server_url: str, provider: str, secret: str, stop: StopFlag | None = None) -> KeyVerdict:
    address = server_url if provider == "anthropic" else f"{server_url}/v1"
    settings = Config(llm={provider: {"base_url": address}})
    return keep_key(settings, provider, secret, stop or StopFlag())


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_key_that_works_is_kept(server: FakeServer, provider: str) -> None:
    verdict = tried(server.url, provider, f" {KEY}\n")
    assert verdict.state == "ok", verdict
    assert len(server.seen) == 1 and key_store.stored_secret(provider) == KEY
    assert KEY not in redactor().clean(f"a text with {KEY}")


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_wrong_key_is_told_and_not_kept(server: FakeServer, provider: str) -> None:
    verdict = tried(server.url, provider, WRONG)
    assert verdict.state == "refused" and "did not accept the key" in verdict.words
    assert WRONG not in verdict.words and not key_store.stored_secret(provider)


def test_a_wrong_key_does_not_take_the_place_of_one_that_works(server: FakeServer) -> None:
    tried(server.url, "anthropic", KEY)
    assert tried(server.url, "anthropic", WRONG).state == "refused"
    assert key_store.stored_secret("anthropic") == KEY


def test_the_key_that_is_put_back_stays_bound_to_its_own_server(server: FakeServer) -> None:
    key_store.store_key("openai", KEY, "https://other.example")
    assert tried(server.url, "openai", WRONG).state == "refused"
    found = key_store.find_key("openai")
    assert found is not None and found.reveal() == KEY and found.given_for == "https://other.example"


def test_without_an_answer_it_is_kept_and_said() -> None:
    verdict = tried("http://127.0.0.1:9", "openai", KEY)
    assert verdict.state == "kept" and key_store.stored_secret("openai") == KEY


def test_a_trial_can_be_cancelled(server: FakeServer) -> None:
    stop = StopFlag()
    server.once(server.hang())
    stop.set("cancelled")
    assert tried(server.url, "openai", KEY, stop).state == "stopped"
    assert not key_store.stored_secret("openai")


def test_where_there_is_no_key_store_nothing_is_sent(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keyring.core, "_keyring_backend", fail.Keyring())  # type: ignore[no-untyped-call]
    verdict = tried(server.url, "openai", KEY)
    assert verdict.state == "unkept" and "no key store" in verdict.words and not server.seen


def test_a_store_that_keeps_nothing_is_told(server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keyring.core, "_keyring_backend", null.Keyring())  # type: ignore[no-untyped-call]
    verdict = tried(server.url, "openai", KEY)
    assert verdict.state == "unkept" and "OPENAI_API_KEY" in verdict.words and not server.seen


def test_a_key_of_the_environment_counts_first(server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", WRONG)
    verdict = tried(server.url, "openai", KEY)
    assert verdict.state == "unkept" and not server.seen and not key_store.stored_secret("openai")


def test_what_cannot_be_a_key_is_not_sent(server: FakeServer) -> None:
    assert tried(server.url, "openai", "two words").state == "unkept" and not server.seen
