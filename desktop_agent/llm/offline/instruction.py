"""Finds the user's own words on the screen: what only repeats the instruction is not what it is about."""

from __future__ import annotations

import re
from collections.abc import Sequence

from desktop_agent.vision.observation import Element

_FEWEST_WORDS = 3
"""A shorter instruction may well be the name of a button."""

_GAP = 12
"""Letters that may be missing between two of its texts."""

_TEXTS = frozenset(
    ("static", "label", "text", "paragraph", "heading", "section", "static text", "caption", "link")
)


def repeated(elements: Sequence[Element], instruction: str) -> frozenset[str]:
    """Ids of the texts that together say the whole instruction, in one piece or in several that follow each other."""
    wanted = _squeezed(instruction)
    if len(instruction.split()) < _FEWEST_WORDS or not wanted:
        return frozenset()
    texts = [each for each in elements if each.role in _TEXTS and each.source == "tree" and each.name]
    said = [_squeezed(each.name) for each in texts]
    found: set[str] = set()
    for start, words in enumerate(said):
        if words and wanted.startswith(words):
            found.update(each.id for each in texts[start : _end(said, start, wanted)])
    return frozenset(found | _read_over(elements, found))


def _end(said: Sequence[str], start: int, wanted: str) -> int:
    """The index after the last text of the run that says it all; `start` when the run says something else.

    Between two of them a few words may be missing: those that a picture stands for.
    """
    so_far = 0
    for index in range(start, len(said)):
        at = wanted.find(said[index], so_far, so_far + len(said[index]) + _GAP)
        if at < 0:
            break
        so_far = at + len(said[index])
        if so_far == len(wanted):
            return index + 1
    return start


def _read_over(elements: Sequence[Element], found: set[str]) -> set[str]:
    """Recognised words at the places of these texts."""
    areas = [each.bounds for each in elements if each.id in found]
    read = [each for each in elements if each.source == "ocr"]
    return {each.id for each in read if any(area.contains(each.bounds.center) for area in areas)}


def _squeezed(text: str) -> str:
    return re.sub(r"[\W_]+", "", text.lower())
