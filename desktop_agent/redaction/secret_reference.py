"""References to secrets in the settings, and the names of environment variables that hold secrets."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, MutableMapping
from typing import TYPE_CHECKING, Annotated

import msgspec

from desktop_agent.protocol.errors import ConfigError

if TYPE_CHECKING:
    from desktop_agent.redaction.redactor import Redactor

SecretReference = Annotated[str, msgspec.Meta(pattern=r"^(env|keyring):[\w.-]+$")]
"""`env:NAME`: an environment variable. `keyring:NAME`: an entry of the system's key store."""


_SECRET = re.compile(r"API_?KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL", re.IGNORECASE)


def referenced_secret(reference: str, environ: Mapping[str, str] = os.environ) -> str:
    """The secret that a reference names; "" where there is none."""
    place, _, name = reference.partition(":")
    if place == "env":
        return environ.get(name, "")
    from desktop_agent.support import key_store  # slow to load, and few settings need it

    return key_store.stored_secret(name)


def keep_marked(
    references: Iterable[str], redactor: Redactor, environ: MutableMapping[str, str] = os.environ
) -> None:
    """Keep each secret of `[secrets] values` in `redactor` under its name, and remove it from `environ`.

    Raises ConfigError when one is not there.
    """
    for reference in references:
        place, _, name = reference.partition(":")
        if redactor.has(name):
            continue
        value = referenced_secret(reference, environ)
        if not value:
            raise ConfigError(
                f"The secret {reference} of [secrets] values is not there.", _advice(place, name)
            )
        redactor.keep(name, value)
        if place == "env":  # the programs the agent works in, a terminal among them, have no use for it
            environ.pop(name)


def _advice(place: str, name: str) -> str:
    if place == "env":
        return f"Set the environment variable {name}, or take it out of the list."
    return f"Keep it with `keyring set desktop-agent {name}`, or take it out of the list."


def is_secret(name: str) -> bool:
    """True for the name of a variable whose value is an API key, a token or a password."""
    return _SECRET.search(name) is not None


def without_secrets(environ: Mapping[str, str]) -> dict[str, str]:
    """The environment without the variables that hold secrets."""
    return {name: value for name, value in environ.items() if not is_secret(name)}
