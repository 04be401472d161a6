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

from desktop_agent.agent.verifying.claim_words import tells_of_tries
from desktop_agent.vision.observation import Element, Observation

Progress: TypeAlias = Literal["", "counts", "ends"]
"""Nothing goes on; something counts on; something comes nearer to an end that is known."""

_Key: TypeAlias = tuple[str, str, str]

_OF = re.compile(r"(\d+)\s*(?:of|/|out of|von|aus|de|sur|di|van)\s*(\d+)(?![\d:/])", re.IGNORECASE)
_SHARE = re.compile(r"(\d+(?:[.,]\d+)?)\s*%")
_COUNT = re.compile(r"([^\W\d_]*)[\s:#(]*(?<![\d.,:/\-])(\d+)(?![\d.,:/\-]*\d)[\s)]*([^\W\d_]*)")
ROWS = frozenset(("list item", "table cell", "tree item", "table row", "row header"))


@dataclass
class ProgressCounts:
    """Follows the counts from look to look; what has turned back once is no progress any more."""

    _last: dict[_Key, float] = field(default_factory=dict)
    _ways: dict[_Key, int] = field(default_factory=dict)

    def seen(self, look: Observation) -> Progress:
        """What has gone on since the look before."""
        found: Progress = ""
        for key, value in _counts(look):
            last = self._last.get(key)
            self._last[key] = value
            if last is None or value == last:
                continue
            way = 1 if value > last else -1
            turned = self._ways.setdefault(key, way) != way
            self._ways[key] = 0 if turned or not self._ways[key] else way
            if self._ways[key] == way:
                ends = key[0] in ("of", "share") if way > 0 else key[0] == "count"
                found = "ends" if ends or found == "ends" else "counts"
        return found


def _counts(look: Observation) -> Iterator[tuple[_Key, float]]:
    """Each count with what it counts: a part of a whole, a share, a number with the words beside it, the rows of lists."""
    for each in look.elements:
        yield from _counts_in(f"{each.name} {each.value}", each)
    for role, number in Counter(each.role for each in look.elements if each.role in ROWS).items():
        yield ("rows", role, ""), float(number)


def _counts_in(text: str, element: Element) -> Iterator[tuple[_Key, float]]:
    if tells_of_tries(text):
        return
    for part, whole in _OF.findall(text):
        if int(part) <= int(whole):
            yield ("of", whole, element.role), float(part)
    for share in _SHARE.findall(text):
        yield ("share", element.role, ""), float(share.replace(",", "."))
    for before, number, after in _COUNT.findall(_SHARE.sub(" ", _OF.sub(" ", text))):
        if before or after:
            yield ("count", before.casefold(), after.casefold()), float(number)
