"""Keys from the environment and the key store, and key stores that do not work."""

from __future__ import annotations

import threading
from typing import Any

import keyring.core
import pytest
from keyring.backends import fail

from desktop_agent.protocol.errors import ModelError
from desktop_agent.support import key_store
from tests.llm.conftest import MemoryKeyring


def store(monkeypatch: pytest.MonkeyPatch, backend: Any) -> None:
    monkeypatch.setattr(keyring.core, "_keyring_backend", backend)


def found(provider: str, key_env: str = "", **environ: str) -> str | None:
    key = key_store.find_key(provider, key_env, environ)
    return key.reveal() if key else None


def test_the_environment_comes_first() -> None:
    key_store.store_key("openai", "sk-stored")
    assert found("openai", OPENAI_API_KEY=" sk-set\n") == "sk-set"
    assert found("openai", OPENAI_API_KEY="  ") == "sk-stored"
    assert found("openai") == "sk-stored"
    assert found("anthropic", OPENAI_API_KEY="sk-set") is None
    assert found("openai", "WORK_KEY", WORK_KEY="sk-work", OPENAI_API_KEY="sk-set") == "sk-work"


def test_a_key_says_where_it_is_from() -> None:
    key_store.store_key("openai", "sk-stored")
    from_store = key_store.find_key("openai", environ={})
    from_environment = key_store.find_key("openai", environ={"OPENAI_API_KEY": "x"})
    assert from_store and from_store.source == "the system's key store"
    assert from_environment and from_environment.source == "the environment variable OPENAI_API_KEY"


def test_keys_are_stored_and_deleted() -> None:
    key_store.store_key("anthropic", " sk-1 ")
    assert found("anthropic") == "sk-1"
    key_store.store_key("anthropic", "sk-2")
    assert found("anthropic") == "sk-2"
    key_store.delete_key("anthropic")
    key_store.delete_key("anthropic")  # none is there: fine
    assert found("anthropic") is None
    assert key_store.store_problem() is None


@pytest.mark.parametrize("nonsense", ["", "  ", "sk a", "sk\n-a", "schlüssel"])
def test_nonsense_is_not_stored(nonsense: str) -> None:
    with pytest.raises(ModelError):
        key_store.store_key("openai", nonsense)
    assert found("openai") is None


def test_without_a_key_store_there_is_simply_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    store(monkeypatch, fail.Keyring())  # type: ignore[no-untyped-call]
    assert found("openai") is None
    assert key_store.store_problem() == "there is no key store on this system"
    with pytest.raises(ModelError, match="there is no key store") as refused:
        key_store.store_key("openai", "sk-a")
    assert "OPENAI_API_KEY" in refused.value.advice
    with pytest.raises(ModelError, match="there is no key store"):
        key_store.delete_key("openai")


class Broken(MemoryKeyring):
    """Fails in a way no one announced, quoting what it was given."""

    def get_password(self, service: str, username: str) -> str | None:
        raise ZeroDivisionError("sk-quoted")

    def set_password(self, service: str, username: str, password: str) -> None:
        raise OSError(password)


def test_a_key_store_that_breaks(monkeypatch: pytest.MonkeyPatch) -> None:
    store(monkeypatch, Broken())
    assert found("openai") is None
    assert key_store.store_problem() == "the key store failed (ZeroDivisionError)"
    with pytest.raises(ModelError, match=r"failed \(OSError\)") as refused:
        key_store.store_key("openai", "sk-a-new-key")
    assert "sk-a-new-key" not in str(refused.value)


class Hanging(MemoryKeyring):
    """Asks for a password that nobody types."""

    def __init__(self) -> None:
        super().__init__()
        self.over = threading.Event()

    def get_password(self, service: str, username: str) -> str | None:
        self.over.wait(60)
        return None


def test_a_key_store_that_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    hanging = Hanging()
    store(monkeypatch, hanging)
    monkeypatch.setattr(key_store, "STORE_SECONDS", 0.2)
    assert found("openai") is None
    assert key_store.store_problem() == "the key store did not answer within 0.2 s"
    hanging.over.set()
