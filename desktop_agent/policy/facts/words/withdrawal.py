"""Tells whether the user takes back an order: calls it off, denies it, leaves it to their own hand, or tells that it is not due."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache

from desktop_agent.policy.facts.confusables import fold
from desktop_agent.policy.facts.words.sentence_reader import read_words
from desktop_agent.policy.facts.words.sentence_words import BREAKS, QUOTES, THING, listed, tokens_of


@lru_cache(maxsize=64)
def called_off(texts: tuple[str, ...]) -> tuple[int, int]:
    """Up to where the user's texts are called off by later words of theirs: which text, how many characters of it.

    In “Delete a.txt. No, wait, forget it: just open it”, all up to the colon.
    """
    for at in range(len(texts) - 1, -1, -1):
        folded = fold(texts[at].translate(QUOTES))
        ends = [_last_clause(folded, match) for match in _calling_off().finditer(folded)]
        if ends:
            return at, max(ends) if len(folded) == len(texts[at]) else len(texts[at])
    return 0, 0


def _last_clause(text: str, said: re.Match[str]) -> int:
    """End of the words that are called off, in characters: “instead” behind an order leaves that order."""
    if said[0] not in ("instead", "stattdessen"):
        return said.end()
    before = [each.end() for each in re.finditer(r"[.!?;,]\s+|\band\s+", text[: said.start()])]
    clause = tokens_of(text[before[-1] if before else 0 : said.start()])
    return before[-1] if before and read_words(clause).state in ("order", "content") else said.end()


@cache
def _calling_off() -> re.Pattern[str]:
    """Words that call off, at the end of a part of a sentence, or with a comma behind them."""
    phrases = "|".join(r"\s+".join(map(re.escape, each.split())) for each in listed("calling_off"))
    correcting = "|".join(map(re.escape, listed("correcting")))
    return re.compile(
        rf"(?<!\w)(?:{phrases})(?=\s*(?:[,.!;:–—]|\s-|\n|\Z))|(?<=[,;–—] )(?:{correcting})(?=,\s+\w)"
    )


def takes_back(sentence: str, *, run: bool) -> bool:
    """Does a sentence forbid the act that was ordered before it: “No, do not run it”? `run`: the act is a command."""
    tokens = tokens_of(sentence)
    return any(
        each in listed("run" if run else "other") | {"open"} and read_words(tokens[: at + 1]).state == "never"
        for at, each in enumerate(tokens)
    ) and bool(set(tokens) & listed("it"))


def is_left_to_user(sentence: str, *, by_name: bool) -> bool:
    """Does the user mean to press Enter, or to run it, with their own hand: “no Enter please”, “I'll run it myself”?

    `by_name`: the sentence has the command in it.
    """
    tokens = tokens_of(sentence)
    own = is_own_hand(tokens) and "tried" not in tokens
    meant = by_name or set(tokens) & (listed("it") | listed("enter_key") | {"press", "drucke", "drucken"})
    if own and meant and not set(tokens) & listed("secret"):
        return True
    return any(
        each in listed("enter_key") and bool(listed("negation") & set(tokens[max(0, at - 3) : at]))
        for at, each in enumerate(tokens)
    )


def is_own_hand(tokens: Sequence[str]) -> bool:
    """Does the user say “myself”, or “with my own hands”, but not “for myself”, and not that they cannot?"""
    spoken = f" {' '.join(tokens)} "
    found = [each for each in listed("own_hand") if f" {each} " in spoken and f" for {each} " not in spoken]
    return any(not _is_unable(tokens_of(spoken.partition(f" {each} ")[0])) for each in found)


def _is_unable(said: Sequence[str]) -> bool:
    """Does the clause that these words end with say “no time to do it”, “I can't send it”?"""
    start = 1 + max((n for n, each in enumerate(said) if each in BREAKS), default=-1)
    return bool(
        set(said[start:]) & (listed("negation") | {"no"})
        and set(said[start:]) & {"time", "can't", "cannot", "zeit", "kann"}
    )


def is_denied(sentence: str) -> bool:
    """Does the sentence say behind the address that nobody wants to go there: “…, I don't want to land there”?"""
    tokens = tokens_of(sentence.partition(THING)[2])
    there = listed("going") | listed("arriving")
    return any(
        each in there and listed("negation") & set(tokens[max(0, at - 4) : at])
        for at, each in enumerate(tokens)
    ) and bool(set(tokens) & (listed("it") | {"itself", "selbst", "shop"}))


def settles(earlier: Sequence[str], sentence: str) -> bool:
    """Does the sentence tell how what an order depends on is at present: “If …, run it. It's at 40 right now”?"""
    on_condition = any(
        THING in each and set(tokens_of(each.partition(THING)[0])) & listed("condition") for each in earlier
    )
    tokens = tokens_of(sentence)
    return on_condition and bool(set(tokens[:2]) & listed("stating"))
