"""Reads a noun phrase, such as "all empty .txt files in old that contain x", as what it is about and the filters that it names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypeAlias

import msgspec

from desktop_agent.llm.shell_goals.phrase_patterns import Pattern, Patterns

Filters: TypeAlias = tuple[tuple[str, dict[str, str]], ...]
"""The names of filters, each with its slots as they were said."""
_MOST = 40
"""Readings of one phrase that are tried."""


class NounWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How such a phrase is said: filters by name before and behind its head, and `whole` ones in place of it.

    `all` may stand before all of it, `link` before each filter behind the head.
    """

    all: str
    head: dict[str, tuple[str, ...]]
    link: str
    before: dict[str, tuple[str, ...]] = {}
    whole: dict[str, tuple[str, ...]] = {}
    after: dict[str, tuple[str, ...]] = {}

    @property
    def texts(self) -> tuple[str, ...]:
        groups = (self.head, self.before, self.whole, self.after)
        return (self.all, self.link, *(each for group in groups for said in group.values() for each in said))


class NounPhrase:
    """One kind of noun phrase; `expression` matches any of them, with blanks before its words."""

    def __init__(self, words: NounWords, patterns: Patterns) -> None:
        self._all, self._link = Pattern(patterns, f"[{words.all}]"), Pattern(patterns, f"[{words.link}]")
        groups = (words.before, {**words.whole, **words.head}, words.after)
        self._groups = [
            [(name, Pattern(patterns, each)) for name, said in group.items() for each in said]
            for group in groups
        ]
        before, head, after = (
            patterns.unnamed(each for said in group.values() for each in said) for group in groups
        )
        every, link = patterns.unnamed([words.all]), patterns.unnamed([words.link])
        self.expression = rf"(?:{every})?(?:{before}){{0,2}}?(?:{head})(?:(?:{link})?(?:{after})){{0,4}}?"

    def readings(self, said: str) -> Iterator[Filters]:
        """Every way in which this may be meant, the filters in the order said."""
        count = 0
        for at in _ends(said):
            if self._all.slots(said[:at].strip()) is None:
                continue
            for found in self._from(0, said[at:].strip()):
                yield found
                if (count := count + 1) >= _MOST:
                    return

    def _from(self, stage: int, said: str) -> Iterator[Filters]:
        """Readings of the rest: filters before the head, the head itself, filters behind it."""
        if not said:
            if stage == 2:
                yield ()
            return
        if stage == 0:
            yield from self._from(1, said)
        for name, slots, rest in self._first(stage, said):
            for others in self._from(2 if stage == 1 else stage, rest):
                yield ((name, slots), *others)

    def _first(self, stage: int, said: str) -> Iterator[tuple[str, dict[str, str], str]]:
        for start in _ends(said) if stage == 2 else (0,):
            if self._link.slots(said[:start].strip()) is None:
                continue
            for end in _ends(said[start:]):
                part = said[start : start + end].strip()
                for name, pattern in self._groups[stage] if part else ():
                    if (slots := pattern.slots(part)) is not None:
                        yield name, slots, said[start + end :].strip()


def _ends(said: str) -> Iterator[int]:
    """Where a word of it ends, 0 and its end among them."""
    yield 0
    yield from (found.start() for found in re.finditer(r"\s+|(?<=\S),", said))
    if said:
        yield len(said)
