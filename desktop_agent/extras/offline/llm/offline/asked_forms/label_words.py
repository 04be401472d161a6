"""Where a goal names the fields of a form, by their labels or by other words for the same."""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from desktop_agent.extras.offline.llm.offline.asked_forms.form_in_sight import FormField, bare_label
from desktop_agent.extras.offline.llm.offline.asked_forms.form_vocabulary import (
    alike,
    form_words,
    known_word,
    misread,
    plain_word,
    stem,
)
from desktop_agent.extras.offline.llm.offline.asked_forms.goal_words import GoalWords

_UNSET = re.compile(
    r"(?:please\s+)?(?:choose|select|pick)\b.*|bitte\s+(?:aus)?wählen.*|[-–—.…\s]*|(?:aus)?wählen.*", re.I
)
_GENERIC = frozenset(
    (
        "number",
        "date",
        "datum",
        "code",
        "the",
        "your",
        "ihr",
        "ihre",
        "please",
        "bitte",
        "of",
        "der",
        "des",
        "until",
    )
)


@dataclass(frozen=True)
class Mention:
    """Words `start` to `end` of the goal that name the field of that number; `whole`: by all of its label."""

    field: int
    start: int
    end: int
    whole: bool
    exact: bool


@functools.cache
def label_words(text: str) -> tuple[str, ...]:
    """The plain words of a label."""
    return tuple(plain_word(each) for each in re.findall(r"[^\W_]+(?:['’.\-‐][^\W_]+)*", text))


@functools.cache
def takes(field: FormField) -> tuple[str, ...]:
    """What the label says that a field takes ("email", "first", …), the surest first; () when nobody knows."""
    own = " ".join(map(known_word, label_words(bare_label(field.label))))
    stems = {stem(each) for each in own.split()}
    found = []
    for kind, names in form_words().names.items():
        if any(own == " ".join(label_words(name)) for name in names):
            found.append((0, kind))
        elif any({stem(w) for w in label_words(name)} <= stems for name in names if len(name) > 3):
            longest = max(len(n) for n in names if {stem(w) for w in label_words(n)} <= stems)
            found.append((100 - longest, kind))
    if not found and " " not in own:  # “Wunschtag” is a day
        tails = [
            (100 - len(name), kind)
            for kind, names in form_words().names.items()
            for name in names
            if len(name) > 2 and own.endswith(name) and len(own) - len(name) >= 3
        ]
        found = sorted(tails)[:1]
    return tuple(kind for _, kind in sorted(found, key=lambda each: each[0]))


def aliases(fields: Sequence[FormField]) -> list[list[tuple[tuple[str, ...], bool]]]:
    """Of each field the names it may be called by, and whether that is its whole label."""
    return _aliases(tuple(fields))


@functools.lru_cache(64)
def _aliases(fields: tuple[FormField, ...]) -> list[list[tuple[tuple[str, ...], bool]]]:
    kinds = [takes(each)[:1] for each in fields]
    count = Counter(kind for each in kinds for kind in each)
    own = [label_words(bare_label(each.label)) for each in fields]
    shared = Counter(word for words in own for word in set(words))
    found: list[list[tuple[tuple[str, ...], bool]]] = []
    for field, words, kind in zip(fields, own, kinds, strict=True):
        names = [(words, True)] if words else []
        names.append((label_words(field.label), True))
        short = tuple(each for each in words if each not in _GENERIC)
        if short != words and short and all(shared[each] == 1 for each in short):
            names.append((short, False))
        if len(words) == 1 and (stump := re.fullmatch(r"(\w{4,}?)n?(?:number|nummer|nr)", words[0])):
            names.append(((stump[1],), False))  # “Karte 4471” is the “Kartennummer”
        for word in words:  # “the inventory number” is the only one with that word
            if (
                len(word) > 4
                and shared[word] == 1
                and len(words) > 1
                and word not in _GENERIC
                and word == words[0]
            ):
                names.append(((word,), False))
        if kind and count[kind[0]] == 1:
            names += [(label_words(each), False) for each in form_words().names[kind[0]]]
        if field.kind in ("box", "radio") and field.group:
            names.append((label_words(bare_label(field.group)), False))
        found.append([each for each in dict.fromkeys(names) if each[0]])
    return found


def mentions(goal: GoalWords, fields: Sequence[FormField]) -> list[Mention]:
    """All places where a field is named, longer names before shorter ones."""
    found: list[Mention] = []
    for number, names in enumerate(aliases(fields)):
        for words, whole in names:
            for at in range(len(goal) - len(words) + 1):
                end = _named(goal, at, words, whole)
                if end:
                    exact = whole and goal.words[at].text[:1] == _capital(fields[number].label)
                    found.append(Mention(number, at, end, whole, exact))
    return sorted(set(found), key=lambda each: (-(each.end - each.start), not each.whole, each.start))


def _capital(label: str) -> str:
    return re.sub(r"^\W+", "", label)[:1]


def _named(goal: GoalWords, at: int, words: Sequence[str], whole: bool) -> int:
    """The end of the words from `at` on that are these, 0 when they are others. A full stop of “no.” is skipped."""
    here = at
    for number, word in enumerate(words):
        if here >= len(goal) or goal.claimed[here]:
            return 0
        said = goal.words[here]
        if said.is_sign and number and said.text in ("/", "&", ",", "-") and here + 1 < len(goal):
            here += 1
            said = goal.words[here]
        low = "number" if said.low == "no" and word == "number" and number else said.low
        if not (low == word or (len(word) > 3 and stem(low) == stem(word)) or (whole and misread(low, word))):
            return 0
        here += 1
        if low == "number" and here < len(goal) and goal.words[here].text == "." and here not in goal.ends:
            here += 1
    return here


def choice_words(choice: str) -> tuple[str, ...]:
    """The words of a choice that tell what it is."""
    little = form_words().little | {"star", "stars"}
    words = label_words(choice)
    return (
        tuple(each for each in words if each not in little)
        or tuple(each for each in words if len(each) > 4)
        or words
    )


def says_choice(goal: GoalWords, at: int, word: str) -> bool:
    """Does the word of the goal say a word of a choice?"""
    return (
        not goal.claimed[at]
        and not goal.words[at].is_quoted
        and (alike(goal.words[at].low, word) or misread(goal.words[at].low, word))
    )


def is_unset(choice: str) -> bool:
    """Does a choice only say that something is to be chosen: “Please choose”, “–”?"""
    return _UNSET.fullmatch(choice) is not None


def is_yes_no(field: FormField) -> bool:
    """Can only yes or no be chosen?"""
    said = {plain_word(label_words(each)[0]) for each in field.choices if label_words(each)}
    return len(field.choices) == 2 and said in ({"yes", "no"}, {"ja", "nein"})


def sends_nothing(button: str) -> bool:
    """Is it the name of a button that does not send the form: “Cancel”, “Zurück”?"""
    words, against = label_words(button), form_words().verbs["against"]
    return not words or " ".join(words) in against or bool({*words} & against)
