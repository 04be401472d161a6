"""Tells from a button's name what pressing it does: send, buy, delete, install, give a permission …"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import NamedTuple

from desktop_agent.policy.facts import policy_tables
from desktop_agent.policy.facts.confusables import fold, skeleton

WORDS_FOR: dict[str, str] = {
    "send": "may send or submit something",
    "buy": "may spend money",
    "delete": "may delete something",
    "install": "may install or run something",
    "permission": "may give a permission",
    "session": "may end or lock your session",
    "terminal": "may open a terminal",
}
"""The kinds of buttons, in the order in which they are tried (their words: `assets/policy/buttons.toml`), and what
pressing one does, for people."""
MAX_WORDS = 40
"""A longer name is a sentence about something, not a button."""


def kind_of(name: str, most: int = MAX_WORDS) -> str:
    """What pressing something of this name does: a key of `WORDS_FOR`, "" for nothing special.

    A name of more than `most` words is taken for a text, not for a button.
    """
    words = _words(name)
    if not words or len(words) > most:
        return ""
    squeezed = "".join(words)
    for kind, (phrases, leading, joined) in _kinds().items():
        spaced = f" {' '.join(words)} "
        if any(f" {phrase} " in spaced for phrase in phrases) or any(part in squeezed for part in joined):
            return kind
        begins = words[0] in leading and not (len(words) > 1 and words[1] in _not_followed_by())
        # "D e l e t e": letters with blanks between
        if begins or (len(words) > 1 and max(map(len, words)) == 1 and _spelled(squeezed, phrases | leading)):
            return kind
    return ""


def _spelled(letters: str, phrases: frozenset[str]) -> bool:
    """Are the letters one of the phrases, or do they contain one of more than two letters?"""
    said = skeleton(letters)
    tight = [phrase.replace(" ", "") for phrase in phrases]
    return any(phrase == said or (len(phrase) > 2 and phrase in said) for phrase in tight)


def says_yes(name: str) -> bool:
    """Does a button of this name agree to whatever its dialog says?"""
    return " ".join(_words(name)) in _agreeing()


def mentions(texts: tuple[str, ...]) -> str:
    """What the texts of a dialog are about: the first kind (see `kind_of`) whose words stand anywhere in them."""
    for text in texts:
        words = _words(text)[:200]
        spaced, squeezed = f" {' '.join(words)} ", "".join(words)
        for kind, (phrases, leading, joined) in _kinds().items():
            said = any(f" {phrase} " in spaced for phrase in (*phrases, *leading))
            if said or any(part in squeezed for part in joined):
                return kind
    return ""


def speaks(kind: str, text: str) -> bool:
    """Does a word for this kind of act stand in a text, wherever in it?"""
    phrases, leading, joined = _kinds()[kind]
    words = _words(text)
    spaced, squeezed = f" {' '.join(words)} ", "".join(words)
    said = any(f" {phrase} " in spaced for phrase in (*phrases, *leading))
    return said or any(part in squeezed for part in joined)


def others(kind: str, words: str) -> list[str]:
    """The words of a button's name, folded, that neither tell its kind nor may mean anything at hand: what it is about."""
    phrases, leading, joined = _kinds()[kind]
    for phrase in sorted((*phrases, *leading), key=len, reverse=True):
        words = f" {words} ".replace(f" {phrase} ", " ").strip()
    at_hand = policy_tables.buttons().at_hand
    return [
        each for each in words.split() if each not in at_hand and not any(part in each for part in joined)
    ]


def leading_word(name: str) -> str:
    """The word at the beginning of a button's name that alone tells its kind ("book" of "Book now"), "" for none."""
    words = fold(name).split()
    if not words or (len(words) > 1 and words[1] in _not_followed_by()):
        return ""
    first = re.sub(r"[\W_]", "", words[0])
    return first if any(skeleton(first) in kind.leading for kind in _kinds().values()) else ""


def _words(name: str) -> list[str]:
    return re.findall(r"[^\W_]+", skeleton(name[:2_000]))


class _Kind(NamedTuple):
    """The words of one kind of button, as `_words` spells them; `joined` is looked for inside words too."""

    phrases: frozenset[str]
    leading: frozenset[str]
    joined: frozenset[str]


@cache
def _kinds() -> Mapping[str, _Kind]:
    """The words of each kind, in the order in which kinds are tried."""
    table = policy_tables.buttons()
    found: dict[str, _Kind] = {}
    for name in WORDS_FOR:
        words: policy_tables.ButtonKind = getattr(table, name)
        phrases = _spellings(words.anywhere)
        joined = frozenset(filter(_unspaced, phrases))
        found[name] = _Kind(phrases - joined, _spellings(words.leading), joined)
    return found


@cache
def _agreeing() -> frozenset[str]:
    return _spellings(policy_tables.buttons().agree)


@cache
def _not_followed_by() -> frozenset[str]:
    return frozenset(policy_tables.buttons().not_followed_by)


def _spellings(entries: Iterable[str]) -> frozenset[str]:
    return frozenset(" ".join(_words(each)) for each in entries)


def _unspaced(word: str) -> bool:
    """Is it of a script that writes words without blanks, or with endings joined on?"""
    return any("\u3040" <= char <= "\u9fff" or "\uac00" <= char <= "\ud7a3" for char in fold(word))
