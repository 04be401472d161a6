"""Texts that tell their reader what to do: a name in one is that of another thing, which is meant."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from desktop_agent.extras.offline.llm.offline.likeness import plain
from desktop_agent.protocol.geometry import Rect, bounding_box
from desktop_agent.vision.observation import Element

_FEWEST_WORDS, _LONGEST = 3, 300
"""Fewer words may well be the name of a button, more letters are a text about something."""

_FLOWS = 4
"""Pixels by which the next piece of a sentence may stand apart from the line before."""

_WORDS = frozenset(("static", "label", "text", "paragraph", "heading", "section", "static text", "caption"))
_PIECES = _WORDS | {"link"}
_DOING = (
    r"(?:click|tap|select|choose|enter|drag|scroll|navigate|expand|find|use|switch|focus|highlight|solve)"
)
_WITH_OBJECT = r"(?:press|push|hit|pick|type|write|fill|check|tick|mark|copy|sort|order|move|resize|read|open|close|search)"
_OBJECT = (
    r"(?:the|an?|on|in|out|into|all|any|each|every|both|one|your|this|that|these|following|for|to|[\"“'‘«])"
)
_TELLS = re.compile(
    rf"(?:[^.:!?]{{1,80}},\s+)?(?:please\s+|now\s+|first,?\s+|then\s+|and\s+)*(?:{_DOING}\b(?!\s*:)|{_WITH_OBJECT}\s+{_OBJECT}(?!\w))",
    re.I,
)


@dataclass(frozen=True)
class Instruction:
    """A sentence or two that tell the reader of a page or window what to do; `pieces` are the ids of its texts."""

    text: str
    pieces: frozenset[str]
    area: Rect

    def is_called(self, name: str) -> bool:
        """Do the words name the sentence itself: do they begin as it does?"""
        return bool(name) and plain(self.text).startswith(plain(name))


def instructions(elements: Iterable[Element]) -> tuple[Instruction, ...]:
    """What is written to tell the reader what to do. What can be pressed, as a link in it, is no piece of one."""
    told: list[Instruction] = []
    for run in _runs(elements):
        text = " ".join(" ".join(each.name for each in run).split())
        if len(text.split()) >= _FEWEST_WORDS and len(text) <= _LONGEST and _TELLS.match(text):
            pieces = frozenset(each.id for each in run if each.role in _WORDS)
            told.append(Instruction(text, pieces, bounding_box([each.bounds for each in run])))
    return tuple(told)


def read_over(elements: Iterable[Element], told: Sequence[Instruction]) -> frozenset[str]:
    """Ids of recognised words at the places of such texts."""
    return frozenset(
        each.id
        for each in elements
        if each.source == "ocr" and any(one.area.contains(each.bounds.center) for one in told)
    )


def _runs(elements: Iterable[Element]) -> list[list[Element]]:
    """Texts that follow each other as the pieces of one sentence do."""
    runs: list[list[Element]] = []
    before: Element | None = None
    for each in elements:
        if each.source != "tree" or each.role not in _PIECES or not each.name:
            before = None if each.source == "tree" else before
            continue
        if before is not None and _goes_on(runs[-1][0], before, each):
            runs[-1].append(each)
        else:
            runs.append([each])
        before = each
    return runs


def _goes_on(first: Element, before: Element, each: Element) -> bool:
    """Is it the next piece of the sentence: part of the same text in the tree, and in its line or the next?"""
    together = first.trail[:-1] == each.trail[: max(0, len(first.trail) - 1)]
    return (
        together and before.bounds.y <= each.bounds.bottom and each.bounds.y <= before.bounds.bottom + _FLOWS
    )
