"""Tells by their names which environment variables hold secrets."""

from __future__ import annotations

import re
from collections.abc import Mapping

_SECRET = re.compile(r"API_?KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL", re.IGNORECASE)


def is_secret(name: str) -> bool:
    """True for the name of a variable whose value is an API key, a token or a password."""
    return _SECRET.search(name) is not None


def without_secrets(environ: Mapping[str, str]) -> dict[str, str]:
    """The environment without the variables that hold secrets."""
    return {name: value for name, value in environ.items() if not is_secret(name)}
