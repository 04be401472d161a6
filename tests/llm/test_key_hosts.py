"""A key goes to the host it was given for and to no other, whoever names it: options, environment, a redirect."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from desktop_agent.llm import anthropic, compatible, openai
from desktop_agent.llm.base import Model
from desktop_agent.support import key_store
from desktop_agent.support.providers import key_hosts, origins_meant
from desktop_agent.support.web_origin import server_origin
from tests.llm.asking import PROVIDERS, answer_good, ask, failure, make, trust
from tests.llm.fake_server import KEY, FakeServer


@pytest.fixture(autouse=True)
def nothing_confirmed() -> Iterator[None]:
    key_hosts.cache_clear()
    yield
    key_hosts.cache_clear()


@pytest.fixture
def foreign() -> Iterator[FakeServer]:
    with FakeServer(answer_good) as running:
        yield running


def bare(provider: str, url: str) -> Model:
    """The provider's model at an address that nobody has confirmed."""
    if provider == "openai":
        return openai.create(openai.Options(base_url=f"{url}/v1"))
    if provider == "anthropic":
        return anthropic.create(anthropic.Options(base_url=url))
    return compatible.create(compatible.Options(base_url=f"{url}/v1", model="fake-model"))


@pytest.mark.parametrize("provider", PROVIDERS)
def test_another_host_gets_nothing(provider: str, foreign: FakeServer) -> None:
    model = bare(provider, foreign.url)
    refused = failure(model)
    assert foreign.seen == [] and f"--send-key {provider}:{foreign.url}" in refused.advice
    use = model.foreign_key_use()
    assert use is not None and use.origin == foreign.url and KEY not in repr(use)
    trust(provider, foreign.url)
    assert model.foreign_key_use() is None
    ask(model)
    assert len(foreign.seen) == 1


@pytest.mark.parametrize(("provider", "variable"), [("openai", "OPENAI"), ("anthropic", "ANTHROPIC")])
def test_an_address_in_the_environment_is_another_host_too(
    provider: str, variable: str, foreign: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"{variable}_BASE_URL", foreign.url)
    model = openai.create(openai.Options()) if provider == "openai" else anthropic.create(anthropic.Options())
    assert "was not given for" in failure(model).message
    assert foreign.seen == []
    trust(provider, foreign.url)
    ask(model)
    assert len(foreign.seen) == 1


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_redirect_to_another_host_is_not_followed(
    provider: str, status: int, server: FakeServer, foreign: FakeServer
) -> None:
    trust(provider, foreign.url)  # not even to a host that the key may go to
    for path in ("responses", "chat/completions", "messages"):
        if not foreign.seen:
            server.once(server.status(status, {}, location=f"{foreign.url}/v1/{path}"))
    refused = failure(make(provider, server.url, retries=0))
    assert foreign.seen == [] and "another host" in refused.message
    assert len(server.seen) == 1, "it is not asked again"


@pytest.mark.parametrize("stream", [True, False])
def test_without_a_key_a_redirect_is_not_followed_either(
    stream: bool, server: FakeServer, foreign: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COMPATIBLE_API_KEY")
    server.once(server.status(307, {}, location=f"{foreign.url}/v1/chat/completions"))
    failure(make("compatible", server.url, retries=0, stream=stream))
    assert foreign.seen == []


def test_a_key_of_another_provider_is_bound_to_that_one(foreign: FakeServer) -> None:
    options = compatible.Options(base_url=f"{foreign.url}/v1", model="fake-model", key_env="OPENAI_API_KEY")
    trust("compatible", foreign.url)
    assert "OPENAI_API_KEY was not given for" in failure(compatible.create(options)).message
    assert foreign.seen == []


def test_a_stored_key_keeps_the_host_it_was_stored_for() -> None:
    key_store.store_key("openai", KEY, "https://proxy.example")
    found = key_store.find_key("openai", environ={})
    assert found is not None and found.reveal_to("https://proxy.example") == KEY
    assert found.reveal_to("https://api.openai.com") is None
    key_store.store_key("openai", KEY)
    found = key_store.find_key("openai", environ={})
    assert found is not None and found.reveal_to("https://api.openai.com") == KEY
    assert found.reveal_to("https://proxy.example") is None
    key_store.store_key("compatible", KEY)
    found = key_store.find_key("compatible", environ={})
    assert found is not None and found.reveal_to("http://127.0.0.1:11434") is None


@pytest.mark.parametrize(
    ("address", "origin"),
    [
        ("https://api.openai.com/v1", "https://api.openai.com"),
        ("HTTPS://API.OpenAI.com:443", "https://api.openai.com"),
        ("http://api.openai.com/v1", "http://api.openai.com"),
        ("https://api.openai.com:8443", "https://api.openai.com:8443"),
        ("https://api.openai.com@evil.example/", "https://evil.example"),
        ("https://api.openai.com.evil.example", "https://api.openai.com.evil.example"),
        ("https://аpi.openai.com", "https://xn--pi-6kc.openai.com"),
        ("http://[::1]:80/x", "http://[::1]"),
        ("ftp://api.openai.com", ""),
        ("https://api.openai.com:99999", ""),
        ("", ""),
    ],
)
def test_hosts_are_compared_as_origins(address: str, origin: str) -> None:
    assert server_origin(address) == origin


def test_a_host_on_the_command_line_means_tls_except_here() -> None:
    assert origins_meant("proxy.example") == ("https://proxy.example",)
    assert origins_meant("http://proxy.example/v1") == ("http://proxy.example",)
    assert origins_meant("127.0.0.1:8000") == ("http://127.0.0.1:8000", "https://127.0.0.1:8000")
    assert origins_meant("") == ()
