"""Loads what people say about files in a terminal and the commands for it, and matches a clause with it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from typing import Any

import msgspec

from desktop_agent.support import resources

LANGUAGES = ("en", "de")
_TOKEN = re.compile(r"\s*([\[\]()|]|\{\w+\}|[^\s\[\](){}|]+)")
_LONG = frozenset(
    ("text", "old", "new", "items", "command", "what", "named", "clause", "who", "formula", "rest")
)
"""Slots that may be said in several words without quotation marks."""
_NUMBERS = frozenset(("number", "first", "last"))
_IT = "\ue003"
"""Stands for the words for what was spoken of before."""
_WORD = r"(?:\ue000\d+\ue001|[^\s,;\ue000\ue001]+)"


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


class Nested(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"clause": "as"}):
    """A clause in a clause; `only` are the commands that the inner one may be, () for any that fits."""

    say: tuple[str, ...]
    clause: str
    by: str
    only: tuple[str, ...] = ()


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
        self.nested = said.nested
        self._parts = said.parts
        self._patterns = [
            (name, self._compiled(each)) for name, patterns in said.say.items() for each in patterns
        ]
        self._places = [self._compiled(each) for each in (*said.before_place, *said.after_place)]
        self._remarks = [
            (name, self._compiled(each)) for name, patterns in said.remarks.items() for each in patterns
        ]
        self._but = [self._compiled(each) for each in said.but]
        self._also_in = [self._compiled(each) for each in said.also_in]
        self.infinitives, self.typing_errors = said.infinitives, said.typing_errors
        self.ordinals, self.things, self.signs = said.ordinals, said.things, said.signs
        self.no_key, self.elliptic = frozenset(said.no_key), frozenset(said.elliptic)
        self._inner = [(each, self._compiled(pattern)) for each in said.nested for pattern in each.say]

    def matches(self, clause: str) -> Iterator[tuple[str, dict[str, str]]]:
        """Every command that the clause may mean, with its slots as they were said."""
        for name, pattern in self._patterns:
            if found := pattern.fullmatch(f" {clause}"):
                yield name, {slot: value for slot, value in found.groupdict().items() if value}

    def inner(self, clause: str) -> Iterator[tuple[Nested, dict[str, str]]]:
        """Every clause in a clause that this may be, with its slots."""
        for nested, pattern in self._inner:
            if found := pattern.fullmatch(f" {clause}"):
                yield nested, {slot: value for slot, value in found.groupdict().items() if value}

    def remarks(self, said: str) -> Iterator[tuple[str, dict[str, str]]]:
        """Every remark beside what is to be done that this may be, with its slots."""
        for name, pattern in self._remarks:
            if found := pattern.fullmatch(f" {said}"):
                yield name, {slot: value for slot, value in found.groupdict().items() if value}

    def less(self, clause: str) -> Iterator[dict[str, str]]:
        """Every way in which this may be a clause (`clause`) of which files (`names`) are left out."""
        yield from _slots(self._but, clause)

    def also_in(self, clause: str) -> Iterator[dict[str, str]]:
        """Every folder for which this may ask for the same as the clause before."""
        yield from _slots(self._also_in, clause)

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of all patterns."""
        said = self._said
        texts = [*said.parts.values(), *said.but, *said.also_in, *said.before_place, *said.after_place]
        for patterns in (*said.say.values(), *said.remarks.values(), *(each.say for each in said.nested)):
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
        for pattern in self._places:
            if found := pattern.fullmatch(f" {clause}"):
                yield {slot: value for slot, value in found.groupdict().items() if value}

    def _compiled(self, pattern: str) -> re.Pattern[str]:
        for _ in range(3):
            pattern = re.sub(r"<(\w+)>", lambda found: self._parts[found[1]], pattern)
        tokens = _TOKEN.findall(pattern)
        made, rest = _choices(tokens, 0)
        if rest != len(tokens):
            raise ValueError(f"a bracket too many in {pattern!r}")
        it = "|".join(map(re.escape, sorted(self.it, key=len, reverse=True)))
        return re.compile(made.replace(_IT, it), re.IGNORECASE)


def _slots(patterns: list[re.Pattern[str]], clause: str) -> Iterator[dict[str, str]]:
    for pattern in patterns:
        if found := pattern.fullmatch(f" {clause}"):
            yield {slot: value for slot, value in found.groupdict().items() if value}


def _choices(tokens: list[str], at: int) -> tuple[str, int]:
    """The pattern of alternatives up to a closing bracket, and where that is."""
    made = [""]
    while at < len(tokens) and tokens[at] not in "])":
        piece = tokens[at]
        if piece == ",":
            made[-1] += r"\s*,"
        elif piece == "|":
            made.append("")
        elif piece in ("[", "("):
            inner, at = _choices(tokens, at + 1)
            made[-1] += f"(?:{inner})" + ("?" if piece == "[" else "")
        else:
            made[-1] += rf"\s+{_slot(piece[1:-1]) if piece.startswith('{') else re.escape(piece)}"
        at += 1
    return "|".join(made), at


def _slot(name: str) -> str:
    if name in _NUMBERS:
        return rf"(?P<{name}>\w+)"
    if name in _LONG:
        return rf"(?P<{name}>(?:\ue000\d+\ue001|[^\ue000\ue001])+?)"
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
    if name == "size":
        return rf"(?P<{name}>\d+\s*\w+)"
    return rf"(?P<{name}>{_WORD})"


def _phrases(said: tuple[str, ...]) -> tuple[str, ...]:
    """The phrases as a goal has them, the longest first; those of marks alone are left out."""
    plain = {re.sub(r"\s+([,:.!?])", r"\1", each).strip() for each in said}
    return tuple(sorted((each for each in plain if re.search(r"\w", each)), key=len, reverse=True))


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
