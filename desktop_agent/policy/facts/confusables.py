"""Folds texts that look the same to one spelling: case, width, accents, invisible and look-alike characters."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import cache

from desktop_agent.policy.facts import policy_tables


def fold(text: str) -> str:
    """The text in lower case, without accents, invisible characters and look-alike letters; blanks collapsed."""
    plain = unicodedata.normalize("NFKC", _invisible().sub("", text)).casefold()
    bare = "".join(c for c in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(c))
    return " ".join(unicodedata.normalize("NFC", bare).translate(_look_alikes()).split())


def skeleton(text: str) -> str:
    """The folded text with similar characters made one too (“1nstall”, “AIIow”), for comparing names."""
    plain = fold(text).translate(_similar())
    for letter, pair in policy_tables.confusables().pairs.items():
        plain = plain.replace(pair, letter)
    return plain


@cache
def _invisible() -> re.Pattern[str]:
    """Matches a character that is not drawn."""
    ranges = (each.partition("-") for each in policy_tables.confusables().invisible)
    return re.compile(
        f"[{''.join(f'{chr(int(first, 16))}-{chr(int(last or first, 16))}' for first, _, last in ranges)}]"
    )


@cache
def _look_alikes() -> dict[int, str]:
    return _translation(policy_tables.confusables().look_alikes)


@cache
def _similar() -> dict[int, str]:
    return _translation(policy_tables.confusables().similar)


def _translation(rows: Mapping[str, str]) -> dict[int, str]:
    """For `str.translate`: every character of a row becomes the row's letter."""
    return {ord(char): letter for letter, chars in rows.items() for char in chars}
