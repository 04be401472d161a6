"""Mends typing errors in a goal: words of the phrase book in which one letter is wrong, missing, too many or swapped."""

from __future__ import annotations

import re

from desktop_agent.llm.shell_goals.phrase_book import PhraseBook

_SHORTEST = 5
_WORD = re.compile(r"(?<![\w./\\~*@\ue000-])[^\W\d_]+(?![\w/\\*@\ue001-]|\.\w)")


def mended_text(text: str, book: PhraseBook) -> tuple[str, frozenset[str]]:
    """The text with such words put right, and which ones that are. Names with a dot, a figure or a capital stay."""
    made: set[str] = set()

    def mend(found: re.Match[str]) -> str:
        word = found[0]
        low = word.casefold()
        if low in book.words or (word != low and found.start()):
            return word
        right = book.typing_errors.get(low) or _nearest(low, book.words)
        if not right:
            return word
        made.update(right.split())
        return right

    return _WORD.sub(mend, text), frozenset(made)


def _nearest(word: str, words: frozenset[str]) -> str:
    """The only known word one error away; "" where there is none, or more than one."""
    if len(word) < _SHORTEST:
        return ""
    found = [each for each in words if len(each) >= _SHORTEST and _one_error(word, each.casefold())]
    return found[0] if len(found) == 1 else ""


def _one_error(one: str, other: str) -> bool:
    """Do they differ by one letter: another, one too many, or two neighbours swapped?"""
    if abs(len(one) - len(other)) > 1 or one == other:
        return False
    at = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    mine, yours = one[at:], other[at:]
    swapped = mine[:2] == yours[1::-1] and len(yours) > 1 and mine[2:] == yours[2:]
    return swapped or mine[1:] == yours[1:] or mine[1:] == yours or mine == yours[1:]
