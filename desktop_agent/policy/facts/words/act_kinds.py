"""Tells which kinds of acts the user orders in words: sending, buying, deleting."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from itertools import pairwise

from desktop_agent.policy.facts import button_words, policy_tables
from desktop_agent.policy.facts.words.sentence_reader import Reading, may_begin, read_words
from desktop_agent.policy.facts.words.sentence_words import (
    BREAKS,
    MOST,
    QUOTES,
    clause_of,
    corrected,
    frame,
    is_adverb,
    is_others,
    is_past,
    listed,
    sentences,
    tokens_of,
)
from desktop_agent.policy.facts.words.withdrawal import called_off, is_own_hand

_SPOKEN_OF = {(this, that) for this in ("is", "was") for that in ("what", "how", "was", "wie")}
"""Behind an act they tell that it is only spoken of: “delete a.txt is what I planned”."""


def kinds_ordered(texts: Iterable[str]) -> frozenset[str]:
    """The kinds of acts (send, buy, delete) that the user's texts order; quotations in them are left out by the caller."""
    given = tuple(texts)
    at, so_far = called_off(given)
    found = _kinds_in(given)
    return found if not so_far else found & _kinds_in((given[at][so_far:], *given[at + 1 :]))


@lru_cache(maxsize=1024)
def _kinds_in(texts: tuple[str, ...]) -> frozenset[str]:
    wanted, denied = set[str](), set[str]()
    said = [each for text in texts for each in sentences(text[:MOST].translate(QUOTES))]
    for sentence, following in zip(said, [*said[1:], ""], strict=False):
        tokens = [each for each in tokens_of(sentence) if not is_adverb(each)]
        if is_own_hand(tokens):  # “I'll hit Delete myself”
            kinds = policy_tables.order_words().acts
            meant = {kind for kind in kinds if button_words.speaks(kind, sentence)}
            denied |= meant or (set(kinds) if set(tokens) & listed("it") else set())
            continue
        if set(tokens) & listed("condition") and _is_not_so_yet(tokens_of(following)):
            continue
        for at in (at for at, each in enumerate(tokens) if {each, corrected(each)} & _first_words()):
            read = read_words(tokens[:at], tokens[at : at + 1])
            for kind, words in policy_tables.order_words().acts.items():
                if kind == "buy" and not set(tokens) & listed("money"):
                    words = policy_tables.ActWords(tuple(listed("buying")))
                if kind == "send" and set(tokens[at:]) & listed("machines"):
                    continue
                if _begins_act(words, tokens, at, read):
                    wanted.add(kind)
                    if kind == "delete":  # “send a.txt to the recycle bin”
                        break
                elif (
                    read.state == "never"
                    and not {"just", "only", "merely", "nur"} & set(tokens[max(0, at - 2) : at])
                    and _is_verb(tokens, at)
                    and any(_matches(each, tokens, at) for each in words.leading)
                ):
                    denied.add(kind)
    return frozenset(wanted - denied)


@cache
def _first_words() -> frozenset[str]:
    """The words that a phrase of some act begins with."""
    table = policy_tables.order_words()
    acts = (
        phrase for words in table.acts.values() for phrase in (*words.leading, *words.closing, *words.stated)
    )
    return frozenset(word for each in (*acts, *table.buying) for word in each.split()[0].split("|"))


def _is_not_so_yet(tokens: Sequence[str]) -> bool:
    """Does a sentence tell that a condition is not met so far: “She hasn't yet”, “das ist noch nicht so”?"""
    denied = set(tokens) & listed("negation") or any(each.endswith("n't") for each in tokens)
    return bool(denied) and bool({"yet", "noch", "bisher"} & set(tokens))


def _begins_act(words: policy_tables.ActWords, tokens: Sequence[str], at: int, read: Reading) -> bool:
    """Does an order of such an act begin there, or end there (“wegwerfen”), or does a statement want it (“must go”)?"""
    planned = any(pair in _SPOKEN_OF for pair in pairwise(tokens[at:]))
    if (
        set(clause_of(tokens[at:])) & listed("negation")
        or not _is_verb(tokens, at)
        or planned
        or is_others(tokens[at:])
    ):
        return False
    begins = may_begin(read)
    if begins and any(_matches(each, tokens, at) for each in words.leading):
        return True
    if read.state == "clause" and tokens[0] in listed("condition"):
        free = tokens[at - 1] not in listed("subject") | {"to"}
        return free and any(
            " " in each and _matches(f"{each} it", tokens, at) for each in words.leading if "*" not in each
        )
    open_to = ("begin", "order") if not set(tokens[:at]) & listed("told") else ()
    asks = "?" in tokens and not frame(tokens, 0)
    if asks or read.state not in (*open_to, "unknown"):
        return False
    if set(tokens[:at]) & listed("hedging") or any(map(is_past, tokens[:at])):
        return False
    named = at == 1 and "." in tokens[0]  # “a.txt löschen”
    noun = read.state == "unknown" and tokens[0] not in listed("urging") and not named
    closing = words.stated if noun else (*words.closing, *words.stated)
    return any(_matches(each, tokens, at) for each in closing)


def _is_verb(tokens: Sequence[str], at: int) -> bool:
    """May a word be a verb: not behind an article, as “the trash”, “the recycle bin”?"""
    return not set(tokens[at - 1 : at]) & (
        listed("light") - BREAKS - listed("filler") - {"only"} | {"recycle"}
    )


@lru_cache(maxsize=1024)
def _parts(phrase: str) -> list[list[frozenset[str]]]:
    """The words of a phrase, apart at each “*”, each with those that “|” lets stand for it."""
    return [[frozenset(each.split("|")) for each in part.split()] for part in phrase.split(" * ")]


def _stand(words: Sequence[frozenset[str]], tokens: Sequence[str], at: int) -> bool:
    return len(tokens) >= at + len(words) and all(tokens[at + n] in each for n, each in enumerate(words))


def _is_object(gap: Sequence[str]) -> bool:
    """May the words between a verb and its other part be its object: “put a.txt in the bin”?"""
    return not set(gap[gap[:1] == ["that"] :]) & (listed("clause") | {"of", "for", ":", ";", "—", "–"})


def _matches(phrase: str, tokens: Sequence[str], at: int) -> bool:
    """Does the phrase stand there? A “*” in it is up to eight words; a single word with “of” or the like behind it is a noun."""
    first, *others = _parts(phrase)
    slip = len(first) == 1 and at < len(tokens) and corrected(tokens[at]) in first[0]
    if not slip and not _stand(first, tokens, at):
        return False
    at += len(first)
    for words in others:
        asks = "have" in first[0] and set(tokens[at : at + 1]) & listed("subject")  # “have I paid”
        if asks or set(tokens[at : at + 1]) & (listed("me") | {"to"}):
            return False
        found = (start for start in range(at, at + 9) if _stand(words, tokens, start))
        if (start := next(found, -1)) < 0 or not _is_object(tokens[at:start]):
            return False
        if "want" in first[-1] | words[0] and set(clause_of(tokens[start:])) & {"by", "back", "von"}:
            return False  # “I want the mail sent by Anna”
        at = start + len(words)
    following = set(tokens[at : at + 1])
    if following & (
        {"ich", "wir", "er", "man"} | listed("would")
    ):  # “lösche ich selbst”, “löschen wollte ich”
        return False
    if " " in phrase:
        goes_to = tokens[at - 1] == "go" and following & (
            listed("place") | {"through", "back", "home", "here"}
        )
        return not goes_to
    that_one = tokens[at : at + 1] == ["that"] and set(tokens[at + 1 : at + 2]) & listed("that_one")
    if tokens[at - 2 : at - 1] and tokens[at - 2] in listed("urging"):  # “bitte löschen: a.txt”
        following -= {":"}
    if phrase in ("sende", "schick", "schicke", "whatsapp", "uberweise", "uberweis"):  # “sende an Bob …”
        following -= {"an"}
    return bool(that_one) or not following & (listed("noun_before") | listed("me"))
