"""Loads the words by which claims are read (`assets/finishing/words.toml`), once. Raises ConfigError naming the entry."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

import msgspec

from desktop_agent.policy.facts.confusables import fold
from desktop_agent.policy.facts.policy_tables import Entries, load
from desktop_agent.support import resources

_LISTED, _ITEM = re.compile(r"(?:^|\s)1[.)]\s"), re.compile(r"(?:^|\s)\d[.)]\s")
"""The first of a numbered list, and each of it: their numbers count nothing."""
_PART = re.compile(r"[.;:!?\n]+\s|\bbut\b|\band (?=leave|keep|do not|don't)")
"""Between parts of what was said."""


_NEGATED = 4
"""So many words after a negation are denied."""


class FileVerbs(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Verbs before the name of a file, by what is to become of it; `read` leaves it as it is."""

    write: Entries
    copy: Entries
    move: Entries
    delete: Entries
    read: Entries


class ClaimTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`words.toml`: words of a user that say what has to be true, and words by which a screen claims success."""

    lasting: Entries
    not_lasting: Entries
    committing: Entries
    asking: Entries
    polite: Entries
    searching: Entries
    success: Entries
    courteous: Entries
    not_yet: Entries
    common: Entries
    changing: Entries
    removing: Entries
    leaving: Entries
    left: Entries
    replacing: Entries
    by_itself: Entries
    states: Entries
    months: dict[str, Entries]
    quantifiers: Entries
    not_quantifiers: Entries
    failure: Entries
    tries: Entries
    negations: Entries
    sources: Entries
    naming: Entries
    folders: Entries
    numbers: Entries
    yes: Entries
    no: Entries
    files: FileVerbs


@cache
def claim_table() -> ClaimTable:
    """The table, read once."""
    return load(resources.path("finishing", "words.toml"), ClaimTable)


@cache
def success_words() -> frozenset[str]:
    """The single words by which a screen claims success, folded."""
    return frozenset(map(fold, claim_table().success))


@cache
def file_verbs() -> dict[str, str]:
    """What is to become of a file, by folded verb."""
    verbs = claim_table().files
    acts = ("read", "delete", "copy", "move", "write")
    return {fold(word): act for act in acts for word in getattr(verbs, act)}


def words_of(text: str) -> list[str]:
    """The folded words of a text, in order."""
    return re.findall(r"[^\W_]+", fold(text))


def spaced(text: str) -> str:
    """The folded words of a text with single blanks between and around them, for finding phrases."""
    return f" {' '.join(words_of(text))} "


def numbers_in(text: str) -> set[float]:
    """The numbers that stand alone in a text, in digits or (up to twenty) in words; not those in names and paths."""
    spelled = {word: number for number, word in enumerate(claim_table().numbers, 1)}
    return numerals_in(text) | {float(spelled[word]) for word in words_of(text) if word in spelled}


def numerals_in(text: str) -> set[float]:
    """The numbers that stand alone in a text in digits; not those in names, paths, dates and times."""
    if _LISTED.search(text):
        text = _ITEM.sub(" ", text)
    digits = re.findall(r"(?<![\w/.\-:])\d+(?:[.,]\d+)?(?![\w/\-:])", text)
    return {float(each.replace(",", ".")) for each in digits}


def months_in(text: str) -> set[int]:
    """The numbers of the months that a text names, in full or by their first three letters."""
    words = set(words_of(text))
    return {
        number
        for months in claim_table().months.values()
        for number, month in enumerate(months, 1)
        if fold(month) in words or fold(month)[:3] in words
    }


def content_words(text: str) -> frozenset[str]:
    """The words of a text that can name something: numbers, and words of three letters and more that are not common."""
    common = set(_folded("common"))
    return frozenset(
        each for each in words_of(text) if each.isdigit() or (len(each) > 2 and each not in common)
    )


def asks_to_last(text: str) -> bool:
    """Do the words, of a user or on a button, ask for something that lasts or reaches others?"""
    return _has_phrase(text, "lasting", aside="not_lasting")


def commits(name: str) -> bool:
    """Does a button with this name change something behind the screen?"""
    return asks_to_last(name) or _has_phrase(name, "committing")


def asks_for_all(text: str) -> bool:
    """Do the words ask for all of something, so that one of them proves nothing of the others?"""
    return _has_phrase(text, "quantifiers", aside="not_quantifiers")


def asked_part(text: str) -> str:
    """What of the user's words says what is to be done: without the parts that tell what is to be left as it is."""
    return "\n".join(_before_leaving(part) for part in _PART.split(text) if not _has_phrase(part, "left"))


def _before_leaving(part: str) -> str:
    words = spaced(part)
    ends = [found for each in _phrases("leaving") if (found := words.find(each)) >= 0]
    return words[: min(ends)] if ends else part


def asks_to_remove(text: str) -> bool:
    """Do the words ask that something is there no more?"""
    return _has_phrase(text, "removing")


def is_for_search(name: str) -> bool:
    """Is a field of this name one by which something is only looked for?"""
    return _has_phrase(name, "searching")


def without_politeness(sentence: str) -> tuple[str, bool]:
    """A sentence without the words that make a request of a question, and whether it had such."""
    words = spaced(sentence)
    polite = next(
        (each for each in sorted(_phrases("polite"), key=len, reverse=True) if words.startswith(each)), ""
    )
    return words.removeprefix(polite.rstrip()), bool(polite)


def asks_to_change(text: str) -> bool:
    """Do the words ask to change something that is there, so that another one beside it does not do?"""
    return _has_phrase(text, "changing")


def asks_to_replace(text: str) -> bool:
    """Do the words ask for something in the place of what is there, which may then go?"""
    return _has_phrase(text, "replacing")


def is_kept_by_itself(key: Sequence[str]) -> bool:
    """Do the words of a key call something that programs change by themselves, as times and counts, and nothing else?"""
    return bool(key) and set(key) <= set(_folded("by_itself"))


def tells_state(text: str) -> bool:
    """Do the words of a key call something the state that a thing is in?"""
    return _has_phrase(text, "states")


def asks_for_both(text: str) -> bool:
    """Is "both" the only word by which the words ask for all of something?"""
    return asks_for_all(text) and not asks_for_all(re.sub(r"(?i)\bboth\b", " ", text))


def affirmed_words(text: str) -> frozenset[str]:
    """The words of a text that do not follow shortly after a negation."""
    words = words_of(text)
    negations = {at for at, word in enumerate(words) if word in claim_table().negations}
    return frozenset(word for at, word in enumerate(words) if negations.isdisjoint(range(at - _NEGATED, at)))


def is_not_yet(text: str) -> bool:
    """Do the words call something a draft, or what else is not yet what was wanted?"""
    return _has_phrase(text, "not_yet")


def tells_failure(text: str) -> bool:
    """Does a text say that something came to nothing?"""
    return _has_phrase(text, "failure")


def tells_of_tries(text: str) -> bool:
    """Does a text count attempts, or seconds and minutes? They go up whatever is done."""
    return _has_phrase(text, "tries")


def _has_phrase(text: str, entry: str, aside: str = "") -> bool:
    """Does a text hold a phrase of an entry of the table? Those of the entry `aside` are taken out of it before."""
    words = spaced(text)
    for phrase in _phrases(aside) if aside else ():
        words = words.replace(phrase, " ; ")
    return any(phrase in words for phrase in _phrases(entry))


@cache
def _folded(entry: str) -> tuple[str, ...]:
    return tuple(map(fold, getattr(claim_table(), entry)))


@cache
def _phrases(entry: str) -> tuple[str, ...]:
    return tuple(map(spaced, getattr(claim_table(), entry)))


def claims_success(text: str) -> bool:
    """Does a text hold a word by which a screen claims success?"""
    return not success_words().isdisjoint(words_of(text))


def claims_deed(text: str) -> bool:
    """Does what the model says hold a word of success that is neither denied nor mere courtesy?"""
    return not affirmed_words(text).isdisjoint(success_words() - set(_folded("courteous")))
