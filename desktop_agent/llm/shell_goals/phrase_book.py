"""Loads what people say about files in a terminal and the commands for it, and matches a clause with it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from typing import Any, TypeVar

import msgspec

from desktop_agent.llm.shell_goals.noun_phrases import NounPhrase, NounWords
from desktop_agent.llm.shell_goals.phrase_patterns import Pattern, Patterns
from desktop_agent.support import resources

LANGUAGES = ("en", "de")
_Key = TypeVar("_Key")
_LAST = frozenset(("lookup", "lookup_into"))
"""What may be anything: it is tried last."""


class TypedCommand(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is typed for one thing to be done: see the comments in `assets/offline/shell/commands.toml`."""

    plan: str
    line: str
    test: str = "test $? -eq 0"
    other: str = ""
    other_test: str = ""
    answer: bool = False
    lines: str = ""
    number: str = ""
    needs: str = ""
    it: str = ""
    done: str = ""
    again: bool = False
    same: str = ""
    narrow: bool = False
    files: str = ""


class Nested(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"clause": "as"}):
    """A clause in a clause; `only` are the commands that the inner one may be, () for any that fits."""

    say: tuple[str, ...]
    clause: str
    by: str
    only: tuple[str, ...] = ()


class Same(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"clause": "as"}):
    """What is said in another way: a clause that means `clause`."""

    say: tuple[str, ...]
    clause: str


class _BookFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"and_": "and"}):
    lead: tuple[str, ...]
    trail: tuple[str, ...]
    then: tuple[str, ...]
    and_: tuple[str, ...]
    it: tuple[str, ...]
    here: tuple[str, ...]
    no_name: tuple[str, ...]
    no_command: tuple[str, ...]
    no_text: tuple[str, ...]
    polite: tuple[str, ...]
    no_long_name: tuple[str, ...]
    bare: tuple[str, ...]
    before_place: tuple[str, ...]
    after_place: tuple[str, ...]
    no_text_start: tuple[str, ...]
    numbers: dict[str, int]
    parts: dict[str, str]
    say: dict[str, tuple[str, ...]]
    nested: tuple[Nested, ...] = ()
    remarks: dict[str, tuple[str, ...]] = {}
    but: tuple[str, ...] = ()
    also_in: tuple[str, ...] = ()
    infinitives: dict[str, str] = {}
    typing_errors: dict[str, str] = {}
    ordinals: dict[str, int] = {}
    things: dict[str, str] = {}
    signs: dict[str, str] = {}
    no_key: tuple[str, ...] = ()
    elliptic: tuple[str, ...] = ()
    kinds: dict[str, str] = {}
    spans: dict[str, int] = {}
    phrases: dict[str, NounWords] = {}
    value: dict[str, tuple[str, ...]] = {}
    ask: tuple[str, ...] = ()
    capital_nouns: bool = False
    fillers: tuple[str, ...] = ()
    prose: tuple[str, ...] = ()
    no_who: tuple[str, ...] = ()
    acting: tuple[str, ...] = ()
    background: tuple[str, ...] = ()
    facts: dict[str, tuple[str, ...]] = {}
    same: tuple[Same, ...] = ()
    before_file: tuple[str, ...] = ()
    report: tuple[str, ...] = ()


class PhraseBook:
    """What is said in one language. `lead` and `trail` are words of courtesy, `then` and `joins` join two clauses."""

    def __init__(self, said: _BookFile, polite: Mapping[str, Any]) -> None:
        self.lead = _phrases((*said.lead, *polite.get("lead", ())))
        self.trail = _phrases((*said.trail, *polite.get("trail", ())))
        self._said = said
        self.then, self.joins = said.then, said.and_
        self.it, self.here = frozenset(said.it), frozenset(said.here)
        self.no_name, self.no_command = frozenset(said.no_name), frozenset(said.no_command)
        self.no_text, self.no_text_start = frozenset(said.no_text), frozenset(said.no_text_start)
        self.polite = frozenset(said.polite)
        self.no_long_name, self.bare = frozenset(said.no_long_name), frozenset(said.bare)
        self.numbers = said.numbers
        self._made = Patterns(said.parts, said.it)
        self.phrases: dict[str, NounPhrase] = {}
        for name, words in said.phrases.items():
            self.phrases[name] = NounPhrase(words, self._made)
            self._made.phrases[name] = self.phrases[name].expression
        self._patterns = [(name, self._pattern(each)) for name, each in self._said_for(said)]
        self.values = frozenset(said.value)
        self._places = [self._pattern(each) for each in (*said.before_place, *said.after_place)]
        self._remarks = [
            (name, self._pattern(each)) for name, patterns in said.remarks.items() for each in patterns
        ]
        self._same = [(each.clause, self._pattern(pattern)) for each in said.same for pattern in each.say]
        self._files = [self._pattern(each) for each in said.before_file]
        self._reports = [self._pattern(each) for each in said.report]
        self._but = [self._pattern(each) for each in said.but]
        self._also_in = [self._pattern(each) for each in said.also_in]
        self._facts = [
            (name, self._pattern(each)) for name, patterns in said.facts.items() for each in patterns
        ]
        self.fillers, self.prose = frozenset(said.fillers), frozenset(said.prose)
        self.no_who = frozenset(said.no_who)
        self.acting, self.background = said.acting, frozenset(said.background)
        self.capital_nouns = said.capital_nouns
        self.kinds, self.spans = said.kinds, said.spans
        self.endings = known_endings()
        self.infinitives, self.typing_errors = said.infinitives, said.typing_errors
        self.ordinals, self.things, self.signs = said.ordinals, said.things, said.signs
        self.no_key, self.elliptic = frozenset(said.no_key), frozenset(said.elliptic)
        self._inner = [(each, self._pattern(pattern)) for each in said.nested for pattern in each.say]

    @staticmethod
    def _said_for(said: _BookFile) -> Iterator[tuple[str, str]]:
        """Every pattern with its command; one for a value is said alone and behind each way to ask."""
        for name, patterns in said.say.items():
            yield from ((name, each) for each in patterns if name not in _LAST)
        asked = "|".join(said.ask)
        for name, patterns in said.value.items():
            yield from ((name, f"[({asked})] {each}") for each in patterns)
        for name in _LAST & said.say.keys():
            yield from ((name, each) for each in said.say[name])

    def _pattern(self, pattern: str) -> Pattern:
        return Pattern(self._made, pattern)

    def matches(self, clause: str) -> Iterator[tuple[str, dict[str, str]]]:
        """Every command that the clause may mean, with its slots as they were said."""
        yield from _keyed_slots(self._patterns, clause)

    def inner(self, clause: str) -> Iterator[tuple[Nested, dict[str, str]]]:
        """Every clause in a clause that this may be, with its slots."""
        yield from _keyed_slots(self._inner, clause)

    def remarks(self, said: str) -> Iterator[tuple[str, dict[str, str]]]:
        """Every remark beside what is to be done that this may be, with its slots."""
        yield from _keyed_slots(self._remarks, said)

    def same(self, clause: str) -> Iterator[str]:
        """What the clause means in other words."""
        for meant, slots in _keyed_slots(self._same, clause):
            yield " ".join(meant.format_map(_Optional(slots)).split())

    def of_file(self, clause: str) -> Iterator[dict[str, str]]:
        """Every way in which this may be a clause (`clause`) about a file (`name`)."""
        yield from _slots(self._files, clause)

    def facts(self, clause: str) -> Iterator[tuple[str, dict[str, str]]]:
        """Every fact that the clause may tell, with its slots."""
        yield from _keyed_slots(self._facts, clause)

    def is_background(self, sentence: str) -> bool:
        """Does a sentence only tell how it came? It begins as such, and no word of it can change what is to be done."""
        said = re.sub(r"\b(?:wants?|likes?|needs?) to know\b", "", sentence.casefold())
        words = re.findall(r"[\w'’]+", said)
        if len(words) < 3 or words[0] not in self.background or re.search(r"[^\w\s,'’-]|\d|_", sentence):
            return False
        return not self.acts(said)

    def acts(self, said: str) -> bool:
        """Is there a word in it that can change what is to be done?"""
        words = re.findall(r"[\w'’]+", said.casefold())
        return any(
            word == each or (len(each) > 2 and word.startswith(each))
            for word in words
            for each in self.acting
        )

    def reports(self, clause: str) -> bool:
        """Does the clause only ask to be told what came out?"""
        return any(each.slots(clause) is not None for each in self._reports)

    def less(self, clause: str) -> Iterator[dict[str, str]]:
        """Every way in which this may be a clause (`clause`) of which files (`names`) are left out."""
        yield from _slots(self._but, clause)

    def also_in(self, clause: str) -> Iterator[dict[str, str]]:
        """Every folder for which this may ask for the same as the clause before."""
        yield from _slots(self._also_in, clause)

    @cached_property
    def courtesy_before(self) -> re.Pattern[str]:
        """Words of courtesy, and such as "then", at the beginning of a clause in small letters."""
        return re.compile(rf"(?:{'|'.join(map(re.escape, (*self.lead, *self.then)))})(?=[\s,:])")

    @cached_property
    def courtesy_behind(self) -> re.Pattern[str]:
        """Words of courtesy at the end of a clause in small letters, with the sign before them."""
        return re.compile(rf"[ ,](?:{'|'.join(map(re.escape, self.trail))})\Z")

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of all patterns."""
        said = self._said
        texts = [*said.parts.values(), *said.but, *said.also_in, *said.before_place, *said.after_place]
        told = (
            *said.say.values(),
            *said.value.values(),
            said.ask,
            said.report,
            *said.facts.values(),
            said.before_file,
            *said.remarks.values(),
        )
        for patterns in (
            *told,
            *(each.say for each in said.nested),
            *(each.say for each in said.same),
            *(each.texts for each in said.phrases.values()),
        ):
            texts += patterns
        found = {
            each for text in texts for each in re.findall(r"[^\W\d_]+", re.sub(r"\{\w+\}|<\w+>", " ", text))
        }
        return frozenset(
            found
            | {*said.infinitives, *said.numbers, *said.ordinals, *said.things}
            | {each for text in (*self.lead, *self.trail, *self.then) for each in text.split()}
        )

    def placed(self, clause: str) -> Iterator[dict[str, str]]:
        """Every way in which the clause may be one (`clause`) with a folder (`folder` or `pronoun`) that it is about."""
        yield from _slots(self._places, clause)


class _Optional(dict[str, str]):
    """Slots of which one that was not said is nothing."""

    def __missing__(self, slot: str) -> str:
        return ""


def _keyed_slots(patterns: list[tuple[_Key, Pattern]], said: str) -> Iterator[tuple[_Key, dict[str, str]]]:
    """What belongs to each pattern that matches, with its slots."""
    for key, pattern in patterns:
        if (slots := pattern.slots(said)) is not None:
            yield key, slots


def _slots(patterns: list[Pattern], clause: str) -> Iterator[dict[str, str]]:
    for pattern in patterns:
        if (slots := pattern.slots(clause)) is not None:
            yield slots


def _phrases(said: tuple[str, ...]) -> tuple[str, ...]:
    """The phrases as a goal has them, the longest first; those of marks alone are left out."""
    plain = {re.sub(r"\s+([,:.!?])", r"\1", each).strip() for each in said}
    return tuple(sorted((each for each in plain if re.search(r"\w", each)), key=len, reverse=True))


@cache
def known_endings() -> frozenset[str]:
    """Endings of files' names that may be said without a dot."""
    return frozenset(resources.text("offline", "shell", "endings.txt").split())


@cache
def book_of(language: str) -> PhraseBook:
    """The phrase book of a language of LANGUAGES."""
    said = tomllib.loads(resources.text("offline", "shell", f"{language}.toml"))
    polite = tomllib.loads(resources.text("offline", "en.toml")) if language == "en" else {}
    return PhraseBook(msgspec.convert(said, _BookFile), polite)


@cache
def commands() -> Mapping[str, TypedCommand]:
    """The commands by name."""
    return msgspec.convert(
        tomllib.loads(resources.text("offline", "shell", "commands.toml")), dict[str, TypedCommand]
    )
