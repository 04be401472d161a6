"""A provider is one file: with its record, everything that has to know a provider knows it."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import pytest

from desktop_agent.llm.base import Model
from desktop_agent.support import plugins
from desktop_agent.support.providers import key_hosts, provider, providers
from tests.llm.asking import answer_good, ask, failure
from tests.llm.fake_server import FakeServer

FILE = """
from functools import partial

from desktop_agent.llm.base import Model
from desktop_agent.llm.compatible import ChatModel, ChatOptions
from desktop_agent.llm.transport.readiness import has_key, of_provider
from desktop_agent.support.providers import Provider

PROVIDER = Provider(
    name={says!r},
    label="Acme",
    address="{address}/v1",
    key_prefix="acme-",
    package="openai",
)
AUTO_RANK = 30
auto = partial(has_key, PROVIDER)
readiness = partial(of_provider, PROVIDER)


class Options(ChatOptions, frozen=True, kw_only=True, forbid_unknown_fields=True):
    model: str = "acme-1"


def create(options: Options) -> Model:
    return AcmeModel(options)


class AcmeModel(ChatModel[Options]):
    provider, label, home = PROVIDER.name, PROVIDER.label, PROVIDER
    key_needed = True
"""


class Install(Protocol):
    def __call__(self, address: str, says: str = ...) -> None: ...


KEY = "acme-1234567890-abcdef"


@pytest.fixture
def server() -> Iterator[FakeServer]:
    with FakeServer(answer_good) as running:
        yield running


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """`install(address, says)`: an installed package whose one module is the model `acme`, and calls its provider `says`."""

    def put(address: str, says: str = "acme") -> None:
        (tmp_path / "acme_provider.py").write_text(FILE.format(address=address, says=says))
        told = tmp_path / "acme_provider-1.0.dist-info"
        told.mkdir()
        (told / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-provider\nVersion: 1.0\n")
        (told / "entry_points.txt").write_text("[desktop_agent.models]\nacme = acme_provider\n")
        monkeypatch.syspath_prepend(tmp_path)
        importlib.invalidate_caches()

    key_hosts.cache_clear()
    yield put
    key_hosts.cache_clear()
    sys.modules.pop("acme_provider", None)


def made() -> Model:
    module = plugins.load("llm", "acme")
    model = module.create(module.Options())
    assert isinstance(model, Model)
    return model


def test_all_that_names_providers_knows_it(
    install: Install, server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(server.url)
    monkeypatch.setenv("ACME_API_KEY", KEY)
    found = provider("acme")
    assert found is not None and found in providers() and found.origin == server.url
    assert key_hosts().own("env:ACME_API_KEY") == key_hosts().own("store:acme") == server.url
    module = plugins.load("llm", "acme")
    assert module.auto(module.Options()) and module.readiness(module.Options(), False).state == "ok"
    ask(made())
    assert server.seen[0].headers["Authorization"] == f"Bearer {KEY}"


def test_its_key_goes_nowhere_else(
    install: Install, server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    install("https://api.acme.example")
    monkeypatch.setenv("ACME_API_KEY", KEY)
    module = plugins.load("llm", "acme")
    refused = failure(module.create(module.Options(base_url=f"{server.url}/v1")))
    assert server.seen == [] and "--send-key acme:" in refused.advice


def test_it_cannot_claim_the_key_of_another(install: Install, server: FakeServer) -> None:
    install(server.url, says="openai")
    assert provider("acme") is None
    assert key_hosts().own("env:OPENAI_API_KEY") == "https://api.openai.com"
