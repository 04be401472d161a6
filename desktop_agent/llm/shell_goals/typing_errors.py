"""Mends typing errors in a goal: words of the phrase book in which one letter is wrong, missing, too many or swapped."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice, product

from desktop_agent.llm.shell_goals.phrase_book import PhraseBook

_SHORTEST, _MOST = 5, 16
_WORD = re.compile(r"(?<![\w./\\~*@\ue000-])[^\W\d_]+(?![\w/\\*@\ue001-]|\.\w)")


def mended_texts(text: str, book: PhraseBook) -> Iterator[tuple[str, frozenset[str]]]:
    """The text with such words put right, and which ones that are, in every way (_MOST at most). Names with a dot, a figure or a capital stay."""
    places = [(found, right) for found in _WORD.finditer(text) if (right := _right(found, book))]
    if not places:
        return
    for words in islice(product(*(right for _, right in places)), _MOST):
        made, at = "", 0
        for (found, _), word in zip(places, words, strict=True):
            made, at = f"{made}{text[at : found.start()]}{word}", found.end()
        yield made + text[at:], frozenset(words)


def _right(found: re.Match[str], book: PhraseBook) -> list[str]:
    """The known words that may be meant; [] where it is one, or a name."""
    word, low = found[0], found[0].casefold()
    if low in book.words or (word != low and found.start() and not book.capital_nouns):
        return []
    if known := book.typing_errors.get(low):
        return [known]
    return _alike(low, book) if len(low) >= _SHORTEST else []


@lru_cache(512)
def _alike(low: str, book: PhraseBook) -> list[str]:
    """The known words from which a word in small letters differs by one error."""
    return sorted(each for each in book.words if len(each) >= _SHORTEST and _one_error(low, each.casefold()))


def _one_error(one: str, other: str) -> bool:
    """Do they differ by one letter: another, one too many, or two neighbours swapped?"""
    if abs(len(one) - len(other)) > 1 or one == other:
        return False
    at = next(
        (n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )
    mine, yours = one[at:], other[at:]
    swapped = mine[:2] == yours[1::-1] and len(yours) > 1 and mine[2:] == yours[2:]
    return swapped or mine[1:] == yours[1:] or mine[1:] == yours or mine == yours[1:]
