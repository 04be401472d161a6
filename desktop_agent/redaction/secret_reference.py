"""Where a secret is, said in the settings in place of the secret itself."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Annotated

import msgspec

SecretReference = Annotated[str, msgspec.Meta(pattern=r"^(env|keyring):[\w.-]+$")]
"""`env:NAME`: an environment variable. `keyring:NAME`: an entry of the system's key store."""


def referenced_secret(reference: str, environ: Mapping[str, str] = os.environ) -> str:
    """The secret that a reference names; "" where there is none."""
    place, _, name = reference.partition(":")
    if place == "env":
        return environ.get(name, "")
    from desktop_agent.support import key_store  # slow to load, and few settings need it

    return key_store.stored_secret(name)
