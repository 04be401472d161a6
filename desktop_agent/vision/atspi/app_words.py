"""A name as it is told: on one line, and not endless."""

from __future__ import annotations

MAX_NAME = 500
"""Characters of a name that are kept."""

_BULLETS = frozenset("•◦▪‣·–■□○●")


def plain_name(text: str) -> str:
    """On one line, without the bullet of a list, and not endless."""
    words = text[: 2 * MAX_NAME].split()
    return " ".join(words[1:] if words and words[0] in _BULLETS else words)[:MAX_NAME]
