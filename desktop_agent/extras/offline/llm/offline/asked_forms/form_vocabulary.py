"""The words by which goals about forms are read, in English and German: `desktop_agent/extras/offline/assets/offline/forms/words.toml`."""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Mapping

import msgspec

from desktop_agent.support import resources

_SUFFIXES = ("ungen", "en", "er", "es", "em", "ed", "ing", "s", "e", "n", "t")
_ROOT = 4
"""Letters that are left of a word at least when its ending is taken away."""
_COMPOUND, _SHARE = 5, 0.66
"""Letters at the start of two words, and their share of the shorter one, by which one is made of the other."""


class FormWords(msgspec.Struct, frozen=True):
    """See the file. `names` are those of fields by what they take, `same` groups of words that say the same."""

    names: Mapping[str, tuple[str, ...]]
    joins: Mapping[str, frozenset[str]]
    verbs: Mapping[str, frozenset[str]]
    people: Mapping[str, tuple[str, ...]]
    cues: Mapping[str, frozenset[str]]
    numbers: Mapping[str, int]
    months: Mapping[str, int]
    same: tuple[frozenset[str], ...]
    little: frozenset[str]


@functools.cache
def form_words() -> FormWords:
    """The vocabulary, read once."""
    text = resources.path("offline", "forms", "words.toml").read_text(encoding="utf-8")
    table = tomllib.loads(text)
    return FormWords(
        {kind: tuple(each) for kind, each in table["names"].items()},
        {kind: frozenset(each) for kind, each in table["joins"].items()},
        {kind: frozenset(each) for kind, each in table["verbs"].items()},
        {kind: tuple(each) for kind, each in table["people"].items()},
        {kind: frozenset(each) for kind, each in table["cues"].items()},
        {word: int(number) for number, words in table["numbers"].items() for word in words},
        {word: int(number) for number, words in table["months"].items() for word in words},
        tuple(frozenset(each) for each in table["same"]["groups"]),
        frozenset(table["little"]["words"]),
    )


@functools.cache
def plain_word(word: str) -> str:
    """A word as it is compared: lower case, without hyphens, "no." and the like as "number"."""
    low = word.lower().replace("’", "'").replace("-", "").replace("‐", "").rstrip(".")
    return {"nr": "number", "nummer": "number", "num": "number"}.get(low, low)


@functools.cache
def stem(word: str) -> str:
    """A word without its ending, as far as that can be told without knowing it."""
    low = (
        plain_word(word)
        .removesuffix("'s")
        .replace("ß", "ss")
        .replace("ä", "a")
        .replace("ö", "o")
        .replace("ü", "u")
    )
    low = re.sub(r"ies$", "y", low)
    for suffix in _SUFFIXES:
        if low.endswith(suffix) and len(low) - len(suffix) >= _ROOT:
            return low[: -len(suffix)]
    return low


def number_of(word: str) -> int | None:
    """3 for "3" and "three"; None for anything else."""
    return int(word) if re.fullmatch(r"\d{1,4}", word) else form_words().numbers.get(plain_word(word))


@functools.cache
def alike(said: str, seen: str) -> bool:
    """Do two words say the same: the same word in another form, one of its synonyms, or a compound of it?"""
    one, other = plain_word(said), plain_word(seen)
    if one == other or stem(one) == stem(other):
        return True
    numbers = number_of(one), number_of(other)
    if None not in numbers:
        return numbers[0] == numbers[1]
    stems = stem(one), stem(other)
    groups = _grouped()
    if any(
        groups.get(left, frozenset()) & groups.get(right, frozenset())
        for left in (one, stems[0])
        for right in (other, stems[1])
    ):
        return True
    return _of_one_root(*stems)


@functools.cache
def _grouped() -> Mapping[str, frozenset[int]]:
    """The numbers of the groups that each word, or its stem, is in."""
    found: dict[str, set[int]] = {}
    for number, group in enumerate(form_words().same):
        for word in group:
            for each in (word, stem(word) if " " not in word else word):
                found.setdefault(each, set()).add(number)
    return {word: frozenset(numbers) for word, numbers in found.items()}


def _of_one_root(one: str, other: str) -> bool:
    """“Segelkurs” and “Segeln”: do they begin alike for most of the shorter one?"""
    shorter = min(len(one), len(other))
    common = next((i for i in range(shorter) if one[i] != other[i]), shorter)
    return common >= _COMPOUND and common >= _SHARE * shorter and common >= shorter - 2


@functools.cache
def misread(said: str, seen: str) -> bool:
    """May a word that was read in a picture be one that was said: the same but for a letter in six?"""
    one, other = _shape(plain_word(said)), _shape(plain_word(seen))
    if min(len(one), len(other)) < _COMPOUND or abs(len(one) - len(other)) > 1:
        return False
    return _distance(one, other) <= max(1, len(one) // 6)


_SHAPES = str.maketrans(
    {
        "ä": "a",
        "ö": "o",
        "ü": "u",
        "é": "e",
        "è": "e",
        "ß": "b",
        "8": "b",
        "0": "o",
        "1": "l",
        "i": "l",
        "|": "l",
        "ı": "l",
    }
)


def _shape(word: str) -> str:
    """A word as a reader of pictures for English sees it: without dots, and one letter for those that look alike."""
    return word.translate(_SHAPES)


@functools.cache
def known_word(word: str) -> str:
    """The word of a field's name that a word of a label was, where it was perhaps misread; else the word itself."""
    if word in _name_words():
        return word
    return next((each for each in _name_words() if misread(word, each)), word)


@functools.cache
def _name_words() -> tuple[str, ...]:
    names = form_words().names.values()
    return tuple(
        dict.fromkeys(word for each in names for name in each for word in map(plain_word, name.split()))
    )


def _distance(one: str, other: str) -> int:
    before = list(range(len(other) + 1))
    for row, left in enumerate(one, 1):
        now = [row]
        for column, right in enumerate(other, 1):
            now.append(min(before[column] + 1, now[-1] + 1, before[column - 1] + (left != right)))
        before = now
    return before[-1]
