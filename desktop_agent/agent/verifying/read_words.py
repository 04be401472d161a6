"""Remembers the words and numbers that were read in a run, and tells whether an answer rests on them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from desktop_agent.agent.verifying.claim_words import success_words, words_of
from desktop_agent.protocol.agent_events import Receipt
from desktop_agent.vision.observation import Observation

_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_QUOTED = re.compile(r"[\"“„«‘]([^\"“”„«»‘’]{2,})[\"”“»’]")
_PLAIN = frozenset((
    "the", "this", "that", "there", "here", "it", "is", "are", "was", "were", "and", "but", "for", "with", "you", "your",
    "has", "have", "had", "they", "from", "shows", "says", "costs", "called", "named", "total", "answer", "result", "now",
    "page", "window", "file", "screen", "reads", "which", "what", "not", "all", "yes",
))  # fmt: skip


@dataclass
class ReadWords:
    """Filled with each look; never with what is in a password field."""

    _words: set[str] = field(default_factory=set)
    _numbers: set[str] = field(default_factory=set)
    _texts: set[str] = field(default_factory=set)

    def looked(self, look: Observation) -> None:
        """Take in what a look shows."""
        self.read(look.windows)
        self.read(look.texts.values())
        for each in look.elements:
            self.read((each.name, "" if "password" in each.states else each.value))

    def read(self, texts: Iterable[str]) -> None:
        """Take in texts that were read elsewhere: of an environment."""
        for text in texts:
            if text and text not in self._texts:
                self._texts.add(text)
                self._words.update(words_of(text))
                self._numbers.update(_numbers(text))

    def receipt(self, answer: str, goal: str) -> Receipt:
        """What an answer is known by: its numbers, quotes and names, the question's own aside, that were read."""
        numbers = [each for each in _numbers(answer) if each not in set(_numbers(goal))]
        quotes = [each for each in _QUOTED.findall(answer) if each not in goal]
        asked = {*words_of(goal), *_PLAIN, *success_words()}
        names = [
            each for each in words_of(answer) if len(each) > 2 and each not in asked and not each.isdigit()
        ]
        if missing := [each for each in numbers if each not in self._numbers]:
            return Receipt("answer", "unverified", f"{missing[0]} was nowhere read in this run")
        if missing := [each for each in quotes if not set(words_of(each)) <= self._words]:
            return Receipt("answer", "unverified", f"“{missing[0]}” was nowhere read in this run")
        read = [each for each in names if each in self._words]
        if numbers or quotes or (names and len(read) == len(names)):
            shown = ", ".join(dict.fromkeys((*numbers, *quotes, *(() if numbers or quotes else read))))
            return Receipt("answer", "verified", f"read in this run: {shown[:120]}")
        return Receipt("answer", "unverified", "nothing in the answer can be compared with what was read")


def _numbers(text: str) -> list[str]:
    """The numbers of a text, without separators of thousands: 1,234.50 and 1234.5 are one."""
    return [_plain_number(each) for each in _NUMBER.findall(text)]


def _plain_number(number: str) -> str:
    bare = re.sub(r"[.,](?=\d{3}(?!\d))", "", number).replace(",", ".")
    return bare.rstrip("0").rstrip(".") if "." in bare else bare
