"""Which environment variables hold secrets, by their names: one rule for logs, children and sessions."""

from __future__ import annotations

import re
from collections.abc import Mapping

_SECRET = re.compile(r"API_?KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL", re.IGNORECASE)


def is_secret(name: str) -> bool:
    """True for a variable whose name says that its value is a key or a password."""
    return _SECRET.search(name) is not None


def without_secrets(environ: Mapping[str, str]) -> dict[str, str]:
    """An environment without keys and passwords."""
    return {name: value for name, value in environ.items() if not is_secret(name)}
