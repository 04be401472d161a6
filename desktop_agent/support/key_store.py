"""Finds API keys in the environment or the operating system's key store, and keeps them there; never in files."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeVar

from desktop_agent.protocol.errors import ModelError
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.redaction.redactor import redactor
from desktop_agent.support import interruptible_call
from desktop_agent.support.providers import key_hosts, key_variable

SERVICE = "desktop-agent"
STORE_SECONDS = 10.0
"""How long a key store is waited for, also while it asks its user for a password."""

T = TypeVar("T")


class ApiKey:
    """An API key that no repr, log or pickle shows, for the origins that it was given for.

    `source` says in words where it was found, `name` what it is called in `key_hosts`; a key without a name
    is one of this process's own and bound to nothing. `given_for` is an origin that was stored with it.
    """

    __slots__ = ("_secret", "given_for", "name", "source")

    def __init__(self, secret: str, source: str, name: str = "", given_for: str = "") -> None:
        redactor().know(secret)  # before anybody can show it
        self._secret = secret
        self.source = source
        self.name = name
        self.given_for = given_for

    def reveal(self) -> str:
        """The key, to be kept out of texts; what sends it uses `reveal_to`."""
        return self._secret

    def reveal_to(self, origin: str) -> str | None:
        """The key, to be sent to this origin; None when it was given for another."""
        return self._secret if self.is_for(origin) else None

    def is_for(self, origin: str) -> bool:
        """May it be sent to this origin (`https://host:port`)?"""
        if not self.name or key_hosts().confirmed(self.name, origin):
            return True
        return origin == self.given_for if self.given_for else key_hosts().own(self.name) == origin

    def __repr__(self) -> str:
        return f"Key(from {self.source})"

    def __reduce__(self) -> str:
        raise TypeError("a key is not written anywhere")


def environment_name(provider: str, key_env: str = "") -> str:
    """The environment variable a provider's key is read from."""
    return key_env or key_variable(provider)


def find_key(provider: str, key_env: str = "", environ: Mapping[str, str] | None = None) -> ApiKey | None:
    """The provider's key, from the environment first, then from the key store; None without one.

    `key_env` names another environment variable. A key store that is missing, broken or slow counts
    as empty (`store_problem` says why). Raises ModelError when a key is there but cannot be one. May
    block for STORE_SECONDS.
    """
    name = environment_name(provider, key_env)
    found = (os.environ if environ is None else environ).get(name, "").strip()
    if found:
        return _checked(found, f"the environment variable {name}", f"env:{name}")
    try:
        stored, origin = _ask_store(
            lambda store: (
                store.get_password(SERVICE, provider),
                store.get_password(SERVICE, _origin(provider)),
            )
        )
    except _StoreProblem:
        return None
    if not stored or not stored.strip():
        return None
    return _checked(stored.strip(), "the system's key store", f"store:{provider}", origin or "")


def stored_secret(name: str) -> str:
    """The secret of that name in the system's key store; "" without one or without a store."""
    try:
        return _ask_store(lambda store: store.get_password(SERVICE, name)) or ""
    except _StoreProblem:
        return ""


def kept_in_store(name: str, make: Callable[[], str]) -> str:
    """The secret of that name in the key store, made and kept there when there is none; "" where none can be kept."""

    def act(store: Any) -> str:
        if kept := store.get_password(SERVICE, name):
            return str(kept)
        store.set_password(SERVICE, name, make())
        return store.get_password(SERVICE, name) or ""  # some take everything and keep nothing

    try:
        return _ask_store(act)
    except _StoreProblem:
        return ""


def store_key(provider: str, secret: str, origin: str = "") -> None:
    """Write a key to the system's key store, with the origin it is for; "" is the provider's own.

    Raises ModelError when it is no key or cannot be written.
    """
    if not secret.strip():
        raise ModelError("No key was entered.", "Paste the key you got from the provider.")
    key = _checked(secret.strip(), "what was entered")
    try:
        _ask_store(lambda store: _write(store, provider, key.reveal(), origin))
    except _StoreProblem as problem:
        raise _unusable(provider, problem) from None


def delete_key(provider: str) -> None:
    """Remove a key from the system's key store, if there is one. Raises ModelError when the store cannot be used."""
    try:
        for name in (provider, _origin(provider)):
            _ask_store(partial(_delete, name=name))
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


def _origin(provider: str) -> str:
    """What the origin of a stored key is called in the store."""
    return f"{provider} origin"


def _write(store: Any, provider: str, secret: str, origin: str) -> None:
    store.set_password(SERVICE, provider, secret)
    if origin:
        store.set_password(SERVICE, _origin(provider), origin)
    else:
        _delete(store, _origin(provider))


def _delete(store: Any, name: str) -> None:
    if store.get_password(SERVICE, name) is not None:
        store.delete_password(SERVICE, name)


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


def _checked(secret: str, source: str, name: str = "", given_for: str = "") -> ApiKey:
    # A line break or a letter outside ASCII cannot be sent in a header; the error that a library
    # would raise then quotes the header.
    if not (secret.isascii() and secret.isprintable() and " " not in secret):
        raise ModelError(
            f"The key from {source} contains characters that no key has.",
            "Copy it again, without spaces, quotes or line breaks.",
        )
    return ApiKey(secret, source, name, given_for)


def _unusable(provider: str, problem: _StoreProblem) -> ModelError:
    instead = f"Set the environment variable {environment_name(provider)} instead."
    return ModelError(f"The key store cannot be used: {problem}.", instead)
