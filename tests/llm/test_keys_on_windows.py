"""Keys in the credential store of Windows itself."""

from __future__ import annotations

import secrets

import keyring.core
import pytest
from keyring.backends.Windows import WinVaultKeyring

from desktop_agent.support import key_store


def test_a_key_is_kept_by_windows_until_it_is_deleted(monkeypatch: pytest.MonkeyPatch) -> None:
    store = keyring.core.load_keyring("keyring.backends.Windows.WinVaultKeyring")
    assert isinstance(store, WinVaultKeyring) and store.viable
    monkeypatch.setattr(keyring.core, "_keyring_backend", store)
    provider = f"test-{secrets.token_hex(8)}"
    assert key_store.find_key(provider, environ={}) is None
    try:
        key_store.store_key(provider, "sk-windows-0123456789")
        found = key_store.find_key(provider, environ={})
        assert found is not None and found.reveal() == "sk-windows-0123456789"
    finally:
        key_store.delete_key(provider)
    assert key_store.find_key(provider, environ={}) is None
    assert key_store.store_problem() is None


def test_it_is_the_store_that_is_asked_first_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTHON_KEYRING_BACKEND", raising=False)  # our tests ask no other store
    chosen = keyring.core._detect_backend()
    assert isinstance(getattr(chosen, "backends", [chosen])[0], WinVaultKeyring)
