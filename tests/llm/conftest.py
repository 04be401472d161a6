"""A fake server, and an environment with its key and without a key store."""

from __future__ import annotations

from collections.abc import Iterator

import keyring.core
import pytest
from keyring.backend import KeyringBackend
from keyring.errors import PasswordDeleteError

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
    for name in ("OPENAI", "ANTHROPIC", "COMPATIBLE"):
        monkeypatch.setenv(f"{name}_API_KEY", KEY)
    for name in ("OPENAI_BASE_URL", "ANTHROPIC_BASE_URL", "ANTHROPIC_AUTH_TOKEN", "OPENAI_ORG_ID"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(keyring.core, "_keyring_backend", MemoryKeyring())


@pytest.fixture
def server() -> Iterator[FakeServer]:
    with FakeServer(answer_good, key=KEY) as running:
        yield running
