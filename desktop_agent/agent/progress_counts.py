"""Tells whether the numbers and lists on a screen go on while the same is done again and again.

What repeats a press may be getting on ("page 3 of 20", "12 left", a list that grows) or not; only counts with an end
in sight, and those that never turn back, tell the one from the other.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from desktop_agent.policy.facts.words.claim_words import tells_of_tries
from desktop_agent.vision.elements.describe import ROWS
from desktop_agent.vision.observation import Element, Observation

Progress: TypeAlias = Literal["", "counts", "ends"]
"""Nothing goes on; something counts on; something comes nearer to an end that is known."""

_Key: TypeAlias = tuple[str, str, str]

_OF = re.compile(
    r"(?<![\d.,])(\d{1,9}(?:[.,]\d{1,3})?)\s{0,3}(?:of|/|out of|von|aus|de|sur|di|van)\s{0,3}(\d{1,9})(?![\d:/])",
    re.IGNORECASE,
)
_SHARE = re.compile(r"(?<!\d)(\d{1,3}(?:[.,]\d{1,9})?)\s{0,3}%")
_NUMBER = re.compile(r"(?<![\d.,:/\-])\d{1,9}(?![\d.,:/\-]*\d)")
_BEFORE, _AFTER = re.compile(r"([^\W\d_]*)[\s:#(]*$"), re.compile(r"[\s)]*([^\W\d_]*)")
_LONGEST = 2_000
_MOST_COURSES = 5_000
"""With more counts than these they are followed anew: a screen may show others all the time."""
_NEAR = 24
"""So many characters beside a number tell what it counts."""
_WAVERING = 3
"""A list that is filled anew each time becomes longer and shorter more often than this."""


@dataclass
class _Course:
    """How one count has moved: its last value, its least and most, which way, how often, and how often it turned back."""

    value: float
    least: float
    most: float
    way: int = 0
    steps: int = 0
    turns: int = 0

    def goes_to(self, value: float, *, wavers: bool) -> None:
        """Take in the next value; one that `wavers` may turn as long as it comes where it never was."""
        way = 1 if value > self.value else -1
        self.turns += self.way == -way
        if wavers and not self.least <= value <= self.most:
            self.turns = 0
        self.value, self.way, self.steps = value, way, self.steps + 1
        self.least, self.most = min(self.least, value), max(self.most, value)


@dataclass
class ProgressCounts:
    """Follows the counts from look to look; what has turned back once is no progress any more."""

    _courses: dict[_Key, _Course] = field(default_factory=dict)

    def seen(self, look: Observation) -> Progress:
        """What has gone on since the look before."""
        found: set[Progress] = set()
        if len(self._courses) > _MOST_COURSES:
            self._courses.clear()
        for key, value in _counts(look):
            course = self._courses.setdefault(key, _Course(value, value, value))
            if value == course.value:
                continue
            course.goes_to(value, wavers=key[0] == "rows")
            if not course.turns:
                found.add("ends" if _has_end(key, course) else "counts")
        return "ends" if "ends" in found else "counts" if found else ""

    @property
    def turned_back(self) -> bool:
        """Has a count with an end gone back, or does a list only become longer and shorter?"""
        most = {"rest": 0, "share": 0, "rows": _WAVERING}
        return any(each.turns > most[key[0]] for key, each in self._courses.items() if key[0] in most)


def _has_end(key: _Key, course: _Course) -> bool:
    """Does it come nearer to an end? A bare number that falls does when it has done so before."""
    if key[0] in ("rest", "count"):
        return course.way < 0 and (key[0] == "rest" or course.steps > 1)
    return key[0] == "share" and course.way > 0


def _counts(look: Observation) -> Iterator[tuple[_Key, float]]:
    """Each count with what it counts; one that stands there twice is none.

    The rest of a whole, a share, a number with the words beside it, the rows of lists.
    """
    found: dict[_Key, float | None] = {}
    for each in look.elements:
        text = f"{each.name} {each.value}"[:_LONGEST]
        if tells_of_tries(text):
            continue
        for key, value in (*_parts(text, each), *_bare_counts(_SHARE.sub(" ", _OF.sub(" ", text)))):
            found[key] = None if key in found else value
    rows = Counter(each.role for each in look.elements if each.role in ROWS)
    yield from ((key, value) for key, value in found.items() if value is not None)
    yield from ((("rows", role, ""), float(number)) for role, number in rows.items())


def _parts(text: str, element: Element) -> Iterator[tuple[_Key, float]]:
    """What is left of each whole, and each share by the words beside it."""
    for part, whole in _OF.findall(text):
        rest = float(whole) - float(part.replace(",", "."))
        if rest >= 0:
            yield ("rest", element.role, element.window), rest
    for found in _SHARE.finditer(text):
        yield ("share", element.role, " ".join(_beside(text, found))), float(found[1].replace(",", "."))


def _bare_counts(text: str) -> Iterator[tuple[_Key, float]]:
    for found in _NUMBER.finditer(text):
        if any(beside := _beside(text, found)):
            yield ("count", *beside), float(found[0])


def _beside(text: str, found: re.Match[str]) -> tuple[str, str]:
    """The words right before and after a number."""
    before = _BEFORE.search(text[max(0, found.start() - _NEAR) : found.start()])
    after = _AFTER.match(text[found.end() : found.end() + _NEAR])
    return (before[1].casefold() if before else "", after[1].casefold() if after else "")
