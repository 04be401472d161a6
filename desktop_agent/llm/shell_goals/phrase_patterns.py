"""Turns a pattern of the phrase book, words with (a|b), [a], <part> and {slot}, into a regular expression.

It matches a clause with one blank before it. A slot is a named group; one for a noun phrase is that phrase's own expression.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache

_TOKEN = re.compile(r"\s*([\[\]()|]|\{\w+\}|[^\s\[\](){}|]+)")
_LONG = frozenset(
    (
        "text",
        "old",
        "new",
        "items",
        "command",
        "what",
        "named",
        "clause",
        "who",
        "formula",
        "rest",
        "column",
        "want",
    )
)
"""Slots that may be said in several words without quotation marks."""
_PHRASE = re.compile("\ue004(\\w+)\ue005")
"""Stands for a noun phrase."""
_NUMBERS = frozenset(("number", "first", "last"))
_IT = "\ue003"
"""Stands for the words for what was spoken of before."""
_WORD = r"(?:\ue000\d+\ue001|[^\s,;\ue000\ue001]+)"
_ANY_LONG = r"(?:\ue000\d+\ue001|[^\ue000\ue001])+?"
_FEW_WORDS = rf"{_WORD}(?:\s+{_WORD}){{0,3}}?"
"""What a slot of several words may be in a noun phrase."""
_MOST_WORDS = 45
_SHAPES = {
    "glob": r"(?P<ending>\*\.\w[\w.]*)",
    "script": r"(?P<name>[^\s,;\ue000\ue001]+\.(?:sh|bash|py)|\./[^\s,;\ue000\ue001]+)",
    "mode": r"(?P<mode>[0-7]{3,4})",
    "endings": rf"(?P<endings>{_WORD}(?:(?:,|\s+or|\s+and|\s+oder|\s+und)\s+{_WORD})+?)",
    "kind": r"(?P<kind>text|markdown|python|shell)",
    "plural": r"(?P<kind>pdfs|jpgs|jpegs|pngs|gifs|csvs|tmps|zips|mp3s)",
    "subject": r"(?P<subject>[^\W\d_]+(?:\s+[^\W\d_]+){0,4})",
    "want": r"(?P<want>[^\W\d_]+(?:\s+[^\W\d_]+)?)",
    "tag": r"(?P<text>\ue000\d+\ue001|(?-i:[A-Z][A-Z0-9_]+))",
    "days": r"(?P<days>\w+\s+\w+)",
    "size": r"(?P<size>\d+\s*\w+)",
}
"""Slots of which the words look a certain way."""
_NAMED = re.compile(r"\(\?P<\w+>")
_DEEPEST = 5
"""Parts in parts."""


class Patterns:
    """Makes expressions with the given `parts`; `it` are the words for what was spoken of before."""

    def __init__(self, parts: Mapping[str, str], it: Iterable[str]) -> None:
        self._parts = parts
        self._it = "|".join(map(re.escape, sorted(it, key=len, reverse=True)))
        self.phrases: dict[str, str] = {}
        """The expression of the noun phrase that a slot of this name holds."""

    def tokens(self, pattern: str) -> list[str]:
        """The words, slots and brackets of a pattern, with its parts put in. Raises KeyError for an unknown part."""
        for _ in range(_DEEPEST):
            pattern = re.sub(r"<(\w+)>", lambda found: self._parts[found[1]], pattern)
        return _TOKEN.findall(pattern)

    def expression(self, pattern: str) -> str:
        """The expression of a pattern. Raises ValueError for brackets that do not fit."""
        made = self._with_phrases_open(pattern)
        return _PHRASE.sub(lambda found: f"(?P<{found[1]}>{self.phrases[found[1]]})", made)

    def outline(self, pattern: str) -> str | None:
        """A short expression that matches whatever `expression` does and more; None where that is short itself."""
        made = self._with_phrases_open(pattern)
        return _NAMED.sub("(?:", _PHRASE.sub("(?:.*)", made)) if _PHRASE.search(made) else None

    def _with_phrases_open(self, pattern: str) -> str:
        """The expression of a pattern with a mark for each noun phrase."""
        tokens = self.tokens(pattern)
        made, rest = self._choices(tokens, 0)
        if rest != len(tokens):
            raise ValueError(f"a bracket too many in {pattern!r}")
        return made.replace(_IT, self._it)

    def unnamed(self, patterns: Iterable[str]) -> str:
        """The expression of any of the patterns, without the names of its slots."""
        return "|".join(
            _NAMED.sub("(?:", self.expression(each).replace(_ANY_LONG, _FEW_WORDS)) for each in patterns
        )

    def _choices(self, tokens: list[str], at: int) -> tuple[str, int]:
        """The pattern of alternatives up to a closing bracket, and where that is."""
        made = [""]
        while at < len(tokens) and tokens[at] not in "])":
            piece = tokens[at]
            if piece == ",":
                made[-1] += r"\s*,"
            elif piece == "|":
                made.append("")
            elif piece in ("[", "("):
                inner, at = self._choices(tokens, at + 1)
                made[-1] += f"(?:{inner})" + ("?" if piece == "[" else "")
            elif piece.startswith("{"):
                made[-1] += self._slot(piece[1:-1])
            else:
                made[-1] += rf"\s+{re.escape(piece)}"
            at += 1
        return "|".join(made), at

    def _slot(self, name: str) -> str:
        if name in self.phrases:
            return f"\ue004{name}\ue005"
        return rf"\s+{_slot(name)}"


class Pattern:
    """One pattern, made when it is first needed."""

    def __init__(self, patterns: Patterns, pattern: str) -> None:
        self._patterns, self._pattern = patterns, pattern

    @cached_property
    def _expression(self) -> re.Pattern[str]:
        count = itertools.count()
        each_once = _NAMED.sub(
            lambda found: f"{found[0][:-1]}__{next(count)}>", self._patterns.expression(self._pattern)
        )
        return re.compile(each_once, re.IGNORECASE)

    @cached_property
    def _outline(self) -> re.Pattern[str] | None:
        """Tells quickly that a pattern does not match: making the expression of one with a noun phrase takes long."""
        made = self._patterns.outline(self._pattern)
        return re.compile(made, re.IGNORECASE | re.DOTALL) if made is not None else None

    @cached_property
    def _needed(self) -> tuple[frozenset[str], ...]:
        return tuple(_needed(self._patterns.tokens(self._pattern), 0)[0])

    def slots(self, said: str) -> dict[str, str] | None:
        """The slots as they were said, where the pattern is all that was said; else None."""
        words = words_of(said)
        if any(not words & each for each in self._needed) or said.count(" ") > _MOST_WORDS:
            return None
        text = f" {said}" if said else ""
        if self._outline is not None and self._outline.fullmatch(text) is None:
            return None
        found = self._expression.fullmatch(text)
        if found is None:
            return None
        return {slot.split("__")[0]: value.strip() for slot, value in found.groupdict().items() if value}


@lru_cache(512)
def words_of(said: str) -> frozenset[str]:
    return frozenset(re.split(r"[\s,]+", said.casefold()))


def _needed(tokens: list[str], at: int) -> tuple[list[frozenset[str]], int]:
    """Sets of words, of each of which a clause must have one to match, and where the closing bracket is."""
    ways: list[list[frozenset[str]]] = [[]]
    while at < len(tokens) and tokens[at] not in "])":
        piece = tokens[at]
        if piece == "|":
            ways.append([])
        elif piece in ("[", "("):
            inner, at = _needed(tokens, at + 1)
            ways[-1] += inner if piece == "(" else []
        elif not piece.startswith("{") and piece != ",":
            ways[-1].append(frozenset((piece.casefold(),)))
        at += 1
    if len(ways) == 1:
        return ways[0], at
    return ([frozenset().union(*(min(each, key=len) for each in ways))] if all(ways) else []), at


def _slot(name: str) -> str:
    if name in _SHAPES:
        return _SHAPES[name]
    if name in _NUMBERS:
        return rf"(?P<{name}>\w+)"
    if name in _LONG:
        return rf"(?P<{name}>{_ANY_LONG})"
    if name == "sign":
        return r"(?P<mark>\ue000\d+\ue001|\[[^\]\w]?\w?\]|[^\w\s.,;:!?\ue000\ue001]{1,3})"
    if name == "mark":
        return rf"(?P<{name}>\[[^\]]{{0,3}}\]|{_WORD})"
    if name == "nth":
        return rf"(?P<{name}>[\w.]+)"
    if name in ("adj", "thing"):
        return rf"(?P<{name}>[^\W\d_]+(?: [^\W\d_]+)?)"
    if name == "names":
        return rf"(?P<{name}>{_WORD}(?:,?\s+{_WORD})*?)"
    if name == "pronoun":
        return rf"(?P<{name}>{_IT})"
    return rf"(?P<{name}>{_WORD})"
