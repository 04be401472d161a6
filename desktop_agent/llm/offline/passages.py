"""Texts on the screen: which one is meant by "the second paragraph", and its n-th word."""

from __future__ import annotations

import re
from collections.abc import Sequence

from desktop_agent.llm.offline.boxes import is_editable
from desktop_agent.llm.offline.intents_composite import Unit
from desktop_agent.llm.offline.named import Phrase
from desktop_agent.llm.offline.places import reading_order
from desktop_agent.vision.observation import Element

_TEXTUAL = frozenset(
    ("static", "label", "paragraph", "text", "section", "list item", "heading", "article", "block quote")
)
_AREA = re.compile(r"\b(?:text ?area|multi-?line|large|big|message|comment)\b", re.I)
_LINE = re.compile(r"\b(?:text ?field|text ?box|input|single-?line|entry|answer)\b", re.I)
_SENTENCE = re.compile(r"[^.!?]+[.!?]*")
_EDGES = ".,;:!?\"'()[]{}“”‘’«»…"
_NUMBER = re.compile(r"-?\d+(?:[.,]\d+)*")


class Passage:
    """A piece of text on the screen: the elements it is made of, in reading order."""

    def __init__(self, parts: Sequence[Element]) -> None:
        self.parts = tuple(parts)

    @property
    def text(self) -> str:
        return " ".join(each.value or each.name for each in self.parts)

    @property
    def first(self) -> Element:
        return self.parts[0]


def passages(things: Sequence[Element]) -> list[Passage]:
    """The texts that are no labels of anything: pieces under one parent are one text."""
    texts = [e for e in things if e.role in _TEXTUAL and e.name and not is_editable(e)]
    groups: dict[tuple[int, ...], list[Element]] = {}
    for each in texts:
        groups.setdefault(each.trail[:-1] if each.trail else (each.bounds.y, each.bounds.x), []).append(each)
    return [Passage(group) for group in groups.values()]


def meant(what: Phrase, things: Sequence[Element]) -> Passage | None:
    """The text a phrase like "the 2nd paragraph" or "the text area" means."""
    said = what.spoken or what.name
    if what.kind == "field":
        boxes = narrowed(said, [e for e in reading_order(things) if is_editable(e)])
        return _chosen(what, [Passage([each]) for each in boxes])
    found = passages(things)
    if what.name and what.kind in ("", "label"):
        below = _named(what.name, found, things)
        if below is not None:
            return below
    longest = max((len(each.text) for each in found), default=0)
    # A paragraph is a longer text than captions and figures around it.
    return _chosen(what, [each for each in found if len(each.text) * 4 >= longest])


def narrowed(said: str, boxes: Sequence[Element]) -> list[Element]:
    """Of several boxes those of the sort that is spoken of: large ones for "text area", lines for "text field"."""
    large = [e for e in boxes if "multiline" in e.states]
    if _AREA.search(said):
        return large or list(boxes)
    lines = [e for e in boxes if "multiline" not in e.states]
    return (lines or list(boxes)) if _LINE.search(said) else list(boxes)


def _named(name: str, found: Sequence[Passage], things: Sequence[Element]) -> Passage | None:
    """The text below the heading of that name."""
    heads = [e for e in things if e.name.strip(" :").lower() == name.lower()]
    after = [each for each in found if heads and each.first.bounds.y > heads[0].bounds.y]
    return after[0] if after else None


def _chosen(what: Phrase, found: list[Passage]) -> Passage | None:
    if what.ordinal:
        at = what.ordinal - 1 if what.ordinal > 0 else len(found) + what.ordinal
        return found[at] if 0 <= at < len(found) else None
    return max(found, key=lambda each: len(each.text), default=None)


def part(text: str, unit: Unit, nth: int) -> str | None:
    """The n-th word, letter, sentence, line or number of a text; None when it has not so many."""
    pieces = _pieces(text, unit)
    at = nth - 1 if nth > 0 else len(pieces) + nth
    return pieces[at] if 0 <= at < len(pieces) else None


def _pieces(text: str, unit: Unit) -> list[str]:
    if unit == "letter":
        return [each for each in text if each.isalpha()]
    if unit == "sentence":
        return [each.strip() for each in _SENTENCE.findall(text) if each.strip()]
    if unit == "line":
        return [each for each in text.splitlines() if each.strip()]
    if unit == "number":
        return _NUMBER.findall(text)
    return [bare for each in text.split() if (bare := each.strip(_EDGES))]
