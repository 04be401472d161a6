"""A fake server, and an environment with its key and without a key store."""

from __future__ import annotations

from collections.abc import Iterator

import keyring.core
import pytest
from keyring.backend import KeyringBackend
from keyring.errors import PasswordDeleteError

from desktop_agent.support.providers import key_variable, providers
from tests.llm.asking import answer_good
from tests.llm.fake_server import KEY, FakeServer


class MemoryKeyring(KeyringBackend):
    """A key store of the keyring package that forgets everything after the test."""

    priority = 1

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        if self.kept.pop((service, username), None) is None:
            raise PasswordDeleteError("not found")


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """The key of the fake server for every provider; the key store of the machine is not touched."""
    addresses = {each.address_variable for each in providers() if each.address_variable}
    for name in ("compatible", *(each.name for each in providers())):
        monkeypatch.setenv(key_variable(name), KEY)
    for variable in (*addresses, "ANTHROPIC_AUTH_TOKEN", "OPENAI_ORG_ID"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(keyring.core, "_keyring_backend", MemoryKeyring())


@pytest.fixture
def server() -> Iterator[FakeServer]:
    with FakeServer(answer_good, key=KEY) as running:
        yield running
