"""Finds API keys in the environment or the operating system's key store, and keeps them there; never in files."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from desktop_agent.protocol.errors import ModelError
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.redaction.redactor import redactor
from desktop_agent.support import interruptible_call

SERVICE = "desktop-agent"
STORE_SECONDS = 10.0
"""How long a key store is waited for, also while it asks its user for a password."""

T = TypeVar("T")


class ApiKey:
    """An API key that no repr, log or pickle shows: only `reveal()` returns it.

    `source` says in words where it was found.
    """

    __slots__ = ("_secret", "source")

    def __init__(self, secret: str, source: str) -> None:
        redactor().know(secret)  # before anybody can show it
        self._secret = secret
        self.source = source

    def reveal(self) -> str:
        return self._secret

    def __repr__(self) -> str:
        return f"Key(from {self.source})"

    def __reduce__(self) -> str:
        raise TypeError("a key is not written anywhere")


def environment_name(provider: str, key_env: str = "") -> str:
    """The environment variable a provider's key is read from."""
    return key_env or f"{provider.upper()}_API_KEY"


def find_key(provider: str, key_env: str = "", environ: Mapping[str, str] | None = None) -> ApiKey | None:
    """The provider's key, from the environment first, then from the key store; None without one.

    `key_env` names another environment variable. A key store that is missing, broken or slow counts
    as empty (`store_problem` says why). Raises ModelError when a key is there but cannot be one. May
    block for STORE_SECONDS.
    """
    name = environment_name(provider, key_env)
    found = (os.environ if environ is None else environ).get(name, "").strip()
    if found:
        return _checked(found, f"the environment variable {name}")
    try:
        stored = _ask_store(lambda store: store.get_password(SERVICE, provider))
    except _StoreProblem:
        return None
    return _checked(stored.strip(), "the system's key store") if stored and stored.strip() else None


def stored_secret(name: str) -> str:
    """The secret of that name in the system's key store; "" without one or without a store."""
    try:
        return _ask_store(lambda store: store.get_password(SERVICE, name)) or ""
    except _StoreProblem:
        return ""


def store_key(provider: str, secret: str) -> None:
    """Write a key to the system's key store. Raises ModelError when it is no key or cannot be written."""
    if not secret.strip():
        raise ModelError("No key was entered.", "Paste the key you got from the provider.")
    key = _checked(secret.strip(), "what was entered")
    try:
        _ask_store(lambda store: store.set_password(SERVICE, provider, key.reveal()))
    except _StoreProblem as problem:
        raise _unusable(provider, problem) from None


def delete_key(provider: str) -> None:
    """Remove a key from the system's key store, if there is one. Raises ModelError when the store cannot be used."""
    try:
        if _ask_store(lambda store: store.get_password(SERVICE, provider)) is not None:
            _ask_store(lambda store: store.delete_password(SERVICE, provider))
    except _StoreProblem as problem:
        raise _unusable(provider, problem) from None


def store_problem() -> str | None:
    """Why the system's key store cannot be used, in a few words; None when it can."""
    try:
        _ask_store(lambda store: store.get_password(SERVICE, "probe"))
    except _StoreProblem as problem:
        return str(problem)
    return None


class _StoreProblem(Exception):
    """The key store cannot be used; the text says why and holds no secret."""


def _ask_store(action: Callable[[Any], T]) -> T:
    """Call `action` with the keyring module in a thread of its own: a store may hang or fail in any way."""

    def work(_: interruptible_call.Say) -> T:
        try:
            import keyring

            return action(keyring)
        except Exception as error:  # noqa: BLE001  # thread boundary
            # The text of a foreign error might hold the secret.
            raise _StoreProblem(_words(error)) from None

    try:
        return interruptible_call.run(
            work, say=_ignore, stop=StopFlag(), seconds=STORE_SECONDS, abandon=_leave_alone
        )
    except interruptible_call.TookTooLong:
        raise _StoreProblem(f"the key store did not answer within {STORE_SECONDS:g} s") from None


def _words(error: Exception) -> str:
    known = {
        "NoKeyringError": "there is no key store on this system",
        "KeyringLocked": "the key store is locked",
        "ModuleNotFoundError": "the package keyring is not installed",
    }
    return known.get(type(error).__name__, f"the key store failed ({type(error).__name__})")


def _ignore(_: str) -> None:
    """A key store says nothing while it works."""


def _leave_alone() -> None:
    """Nothing can end a key store's work; its thread ends with it."""


def _checked(secret: str, source: str) -> ApiKey:
    # A line break or a letter outside ASCII cannot be sent in a header; the error that a library
    # would raise then quotes the header.
    if not (secret.isascii() and secret.isprintable() and " " not in secret):
        raise ModelError(
            f"The key from {source} contains characters that no key has.",
            "Copy it again, without spaces, quotes or line breaks.",
        )
    return ApiKey(secret, source)


def _unusable(provider: str, problem: _StoreProblem) -> ModelError:
    instead = f"Set the environment variable {environment_name(provider)} instead."
    return ModelError(f"The key store cannot be used: {problem}.", instead)
