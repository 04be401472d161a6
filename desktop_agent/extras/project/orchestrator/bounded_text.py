"""Cuts what is told to a length, and says what was left out."""

from __future__ import annotations


def ends(text: str, most: int) -> str:
    """The text, or its beginning and its end with a line between them that tells what is left out; about `most` characters."""
    if len(text) <= most:
        return text
    half = most // 2
    left = len(text) - 2 * half
    return f"{text[:half]}\n… {left} characters are left out here …\n{text[-half:]}"


def beginning(text: str, most: int) -> str:
    """The text, or its first `most` characters and a line that tells how many more there are."""
    if len(text) <= most:
        return text
    return f"{text[:most]}\n… {len(text) - most} characters more …"
