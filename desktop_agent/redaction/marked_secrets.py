"""Loads the secrets that the config names (`env:NAME`, `keyring:NAME`) into the redactor."""

from __future__ import annotations

import os
from collections.abc import Iterable, MutableMapping

from desktop_agent.protocol.errors import ConfigError
from desktop_agent.redaction.redactor import Redactor
from desktop_agent.redaction.secret_reference import referenced_secret


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
