"""Cuts a text to a length and says how much it left out. The orchestrator, alone in its sandbox, has its own."""

from __future__ import annotations


def ends(text: str, most: int) -> str:
    """The text, or its beginning and end with a line between them about the rest; about `most` characters."""
    if len(text) <= most:
        return text
    half = most // 2
    return f"{text[:half]}\n… {len(text) - 2 * half} characters are left out here …\n{text[-half:]}"
