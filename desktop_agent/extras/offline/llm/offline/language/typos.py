"""Takes mistyped words for those they were meant to be: one letter too many, too few, another, or two changed about."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator
from typing import Literal, TypeAlias

import msgspec

from desktop_agent.extras.offline.llm.offline.language.lexicon import Lexicon
from desktop_agent.extras.offline.llm.offline.language.slot_words import DETERMINERS
from desktop_agent.extras.offline.llm.offline.language.tokens import Span, Token
from desktop_agent.extras.offline.llm.offline.words import known_folder

_SHORTEST, _SHORTEST_SLIPPED = 3, 5
"""Letters of a word with two letters changed about, and of one with a letter added, left out or another: "ring" is no "bring"."""
_MOST_WAYS, _MOST_WORDS = 12, 120
"""Ways to mend an instruction that are tried, and the words of all of them together."""
_ENDING = re.compile(r"(?:e?s|ed|ing)$")


Mistaken: TypeAlias = Literal["all", "none", "some"]


def mended(span: Span, lexicon: Lexicon, mistaken: Mistaken) -> Iterator[Span]:
    """The instruction with its mistyped words in place, in each way that they can be meant; few ways, or none.

    Only plain words in small letters and the first of a sentence are touched, and of those with a capital the names of
    folders; what is typed somewhere is taken as it was written: a name or a text is never mended. Words that are words themselves ("form" for "from") are mended as `mistaken` says: all of
    them, none, or each perhaps.
    """
    choices = [
        _meant(each, lexicon, mistaken, named=before in DETERMINERS, begins=before in _BEGINS)
        for before, each in zip(("", *span.lows), span.tokens, strict=False)
    ]
    untouched = all(each == (token.low,) for each, token in zip(choices, span.tokens, strict=True))
    most = min(_MOST_WAYS, _MOST_WORDS // (len(span) or 1))
    if untouched or math.prod(map(len, choices)) > most:
        return
    for lows in itertools.product(*choices):
        tokens = (
            msgspec.structs.replace(token, low=low, mended=low != token.low)
            for token, low in zip(span.tokens, lows, strict=True)
        )
        yield Span(tuple(tokens), span.whole, {})


_BEGINS = frozenset(("", ".", "!", "?", ":", ";", "\n"))


def _meant(
    token: Token, lexicon: Lexicon, mistaken: Mistaken, *, named: bool, begins: bool
) -> tuple[str, ...]:
    """What the word may have been meant to be: two letters changed about rather than anything else.

    Behind an article, where a thing is `named`, a noun rather than a verb.
    """
    noun = named and token.low in lexicon.nouns
    if mistaken != "none" and token.low in lexicon.mistaken and not noun:
        meant = lexicon.mistaken[token.low]
        return (token.low, meant) if mistaken == "some" and token.low in lexicon.vocabulary else (meant,)
    plain = token.kind == "word" and token.text.isalpha() and len(token.low) >= _SHORTEST
    if plain and not token.text.islower() and not begins:
        folders = (each for each in sorted(lexicon.nouns) if known_folder(each))
        return tuple(each for each in folders if _one_slip(token.low, each)) or (token.low,)
    if not plain or _ENDING.sub("", token.low) in lexicon.vocabulary or token.low in lexicon.vocabulary:
        return (token.low,)
    near = [each for each in sorted(lexicon.vocabulary) if _one_slip(token.low, each)]
    turned = [each for each in near if sorted(each) == sorted(token.low)]
    nouns = [each for each in near if (named or not begins) and each in lexicon.nouns]
    if len(token.low) < _SHORTEST_SLIPPED:
        longer = [each for each in near if len(each) > len(token.low) > _SHORTEST and each[0] == token.low[0]]
        near, nouns = turned or longer, [each for each in nouns if len(each) > len(token.low) and named]
    return tuple(turned or nouns or near or (token.low,))


def _one_slip(typed: str, meant: str) -> bool:
    """Do the two differ by one letter added, left out or another, or by two neighbours changed about?"""
    if abs(len(typed) - len(meant)) > 1 or typed == meant:
        return False
    at = next(
        (n for n, (one, other) in enumerate(zip(typed, meant, strict=False)) if one != other),
        min(len(typed), len(meant)),
    )
    rest, other = typed[at:], meant[at:]
    return (
        rest[1:] == other
        or rest == other[1:]
        or rest[1:] == other[1:]
        or (rest[:2] == other[1::-1] and rest[2:] == other[2:] and len(other) > 1)
    )
