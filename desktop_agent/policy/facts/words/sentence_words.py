"""Cuts the user's texts into sentences and words, and tells in which list of the table a word stands.

The table is `assets/policy/order_words.toml`, English and German.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import pairwise

from desktop_agent.policy.facts import policy_tables
from desktop_agent.policy.facts.confusables import fold

THING = "\N{REFERENCE MARK}"
"""Stands for a command, an address or a quotation while a sentence is read."""
QUOTES = str.maketrans("‘’‛“”„‟«»`", '\'\'\'""""""\'')
_TOKEN = re.compile(rf"{THING}|\w+://[^\s,;\"]+|[^\W_]+(?:['’.@_-][^\W_]+)*|->|[→€$£]|[,:;()\"?!—–]| - ")
_SENTENCE = re.compile(
    r"(?i)(?<!\bDr\.)(?<!\bMr\.)(?<!\bMrs\.)(?<!\bMs\.)(?<!\bNr\.)(?<!\bProf\.)(?<!\bno\.)(?<!\bi\.e\.)(?<!\be\.g\.)(?<!\bd\.h\.)"
    r"(?<!\bz\.b\.)(?<!^\d\.)(?<!\s\d\.)(?<!\s\w\.)(?<=[.!?;])['\")]*\s+|(?<!:)\n+"
)
_MEANS = re.compile(
    r"(?i)\bby means of\b|\bmit ?hilfe von\b|\b(?:i\.e|d\.h|namely|nämlich|und zwar)\b\.?"
    r"|\bby (?:running|typing|executing|entering|issuing|calling|using|starting|launching)\b"
)
_AFTER = re.compile(r"(?i)\bafter that\b(?=,? \w+ )")
_TAG = re.compile(
    r"(?i)(?<=\w|[\"'\N{REFERENCE MARK}])\s*,?\s+(?:will|would|could|can|won't) (?:you|u|ya)\b(?=\s*(?:[:.!?]|\Z))\??"
)
_NAME = re.compile(r"(?<=[^\W\d_]\s)(?:Without|No|Not|Never)(?=\s[A-Z])")
"""A “not” in a name: “Doctors Without Borders”."""
_ITEM = re.compile(r"(?:(?<=\s)|^)(?:\d{1,2}|[a-e])[.)]\s+|^\s*[*•-]\s+")
_QUOTATION = re.compile(r"\"[^\"\n]{1,400}\"")
ARROWS = frozenset(("->", "→"))
BREAKS = frozenset((",", ":", ";", "—", "–", " - ", "(", *ARROWS))
_OTHERS = frozenset(("he", "she", "they", "er", "man"))
_SHORT = 5
"""Letters of a word such as “only” and “July”, which is no adverb, at most."""
_GOES_ON = re.compile(r"[.!?;](?=\"\s+[^\W\d_A-ZÄÖÜ])")
"""The end of a quotation behind which its sentence goes on: “"Open it!" is what the mail says”."""
MOST = 20_000
"""Characters of a text that are read."""
LONGEST = 1_000
"""Characters of a sentence that are read: what stands behind them grants nothing, as reading takes time by their square."""


def sentences(text: str) -> list[str]:
    """The sentences of a text; a full stop inside a quotation ends none."""
    text = _QUOTATION.sub(lambda found: re.sub(r"[.!?;](?=\s)", ",", found[0]), text)
    text = _GOES_ON.sub(",", text)
    return [_ITEM.sub("→ ", part[:LONGEST]) for part in _SENTENCE.split(text) if part.strip()]


def tokens_of(text: str) -> list[str]:
    """The words, folded, and the marks; words that name a means are “with”, and “mind running” is “mind run”."""
    plain = _AFTER.sub("then", _MEANS.sub(" with ", _NAME.sub("name", without_tag(text))))
    found = [each for part in _TOKEN.findall(plain) for each in _folded(part)]
    for at, each in enumerate(found[:-1]):
        if each == "mind" and (verb := _stem(found[at + 1])):
            found[at + 1] = verb
    return found


def without_tag(text: str) -> str:
    """The text without “…, will you?” behind an order."""
    return _TAG.sub("", text)


def is_adverb(word: str) -> bool:
    """Does a word such as “permanently” change nothing about an order?"""
    known = (listed("told"), listed("habit"), listed("negation"), verbs())
    return word.endswith("ly") and len(word) > _SHORT and not any(word in each for each in known)


@lru_cache(maxsize=4096)
def _stem(word: str) -> str:
    """The verb of “running”, "" for none."""
    stem = word[:-3] if word.endswith("ing") else ""
    return next((each for each in (f"{stem}e", stem, stem[:-1]) if stem and each in verbs()), "")


def _folded(part: str) -> Iterator[str]:
    yield part if part == THING or not part[:1].isalnum() else _folded_word(part)


@lru_cache(maxsize=4096)
def _folded_word(word: str) -> str:
    return fold(word)


def clause_of(tokens: Sequence[str]) -> Sequence[str]:
    """The words up to the end of the clause."""
    return tokens[
        : next((n for n, each in enumerate(tokens) if each in BREAKS | listed("joint")), len(tokens))
    ]


def is_past(word: str) -> bool:
    """Does a word have the form of “asked”?"""
    return word.endswith("ed") and len(word) >= _SHORT and not word.endswith("eed")


def is_others(order: Sequence[str]) -> bool:
    """Is an order said by somebody else, or asked about: “…, says Bob”, “… or not?”?"""
    if "or" in order and order[-1] == "?":
        return True
    for at, (this, that) in enumerate(pairwise(order)):
        if this in _OTHERS and that in listed("speech") and not set(order[:at]) & listed("clause"):
            return True  # “delete it he thought”
    breaks = [n for n, each in enumerate(order) if each in BREAKS]
    for start, end in pairwise((*breaks, len(order))):
        part = order[start + 1 : end]
        ends = {*part[:1], *part[-1:]} & listed("speech")
        if ends - {"laut"} and len(part) <= _SHORT and not set(part) & (listed("clause") | verbs()):
            return True
    return False


def on_paper(tokens: Iterable[str]) -> bool:
    """Do the words name a document, a message, a field or another place for text?"""
    return any(part in listed("paper") for each in tokens for part in (each, each.rpartition(".")[2]))


def frame(tokens: Sequence[str], at: int) -> int:
    """How many words of a frame around an order begin there: “could you”, “I'd be grateful if you could”."""
    begun = _frames().get(tokens[at], ()) if at < len(tokens) else ()
    size = next((len(each) for each in begun if tuple(tokens[at : at + len(each)]) == each), 0)
    if tokens[at + size : at + size + 1] and tokens[at + size] in listed("wondering"):
        return 0  # "can you even …"
    return size + (
        size > 0
        and tokens[at + size - 1] == "you"
        and tokens[at + size : at + size + 1] in (["could"], ["would"])
    )


@lru_cache(maxsize=4096)
def corrected(word: str) -> str:
    """The verb that a word is meant for with one letter wrong, missing or swapped; the word itself for none.

    Of four letters, with two swapped.
    """
    if len(word) < 4 or not word.isalpha() or word in _known():
        return word
    return next((verb for verb in _spelled_verbs() if _is_slip(word, verb)), word)


def _is_slip(word: str, verb: str) -> bool:
    """Is it the verb but for one letter, with no ending put on?"""
    if len(word) > 4 and verb.startswith(word) and len(verb) == len(word) + 1 and verb[-1] == "e":
        return True
    if (
        abs(len(word) - len(verb)) > 1
        or (len(verb) == 4) != (len(word) == 4)
        or word.startswith(verb)
        or word[0] != verb[0]
    ):
        return False
    if len(word) == 4 and sorted(word) != sorted(verb):
        return False
    at = next((n for n, (this, that) in enumerate(zip(word, verb, strict=False)) if this != that), len(word))
    if at >= min(len(word), len(verb)) - 1:
        return False
    swapped = word[at + 1 : at + 2] + word[at : at + 1] + word[at + 2 :] == verb[at:]
    return swapped or word[at + 1 :] == verb[at:] or word[at:] == verb[at + 1 :]


@cache
def listed(name: str) -> frozenset[str]:
    """The words of a list of the table."""
    return frozenset(getattr(policy_tables.order_words(), name))


@cache
def verbs() -> frozenset[str]:
    """All words that may begin an order."""
    known = policy_tables.scope_words()
    return (
        listed("run")
        | listed("content")
        | listed("ask")
        | listed("other")
        | frozenset((*known.act, *known.fill))
    )


@cache
def _spelled_verbs() -> tuple[str, ...]:
    """The verbs of four letters or more, which a slip of the keyboard may spell wrongly."""
    acts = policy_tables.order_words().acts.values()
    leading = (each for words in acts for each in words.leading if " " not in each)
    known = listed("run") | listed("other") | frozenset(policy_tables.scope_words().act[:200])
    return tuple(sorted(each for each in {*known, *leading} if len(each) >= 4 and each.isascii()))


@cache
def _known() -> frozenset[str]:
    """All words of the table."""
    table = policy_tables.order_words()
    lists = (getattr(table, each) for each in table.__struct_fields__ if each != "acts")
    leading = (each for words in table.acts.values() for each in words.leading)
    return frozenset((*(each for entries in lists for each in entries), *leading)) | verbs()


@cache
def wishes() -> tuple[tuple[str, ...], ...]:
    """Words that begin a wish, as “I'd like”, the longest first."""
    return tuple(sorted((tuple(tokens_of(each)) for each in listed("wishes")), key=len, reverse=True))


@cache
def _frames() -> dict[str, list[tuple[str, ...]]]:
    """The frames by their first word, the longest first."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for each in sorted(map(tuple, map(tokens_of, policy_tables.order_words().frames)), key=len, reverse=True):
        found.setdefault(each[0], []).append(each)
    return found
