"""What a value can be set with: sliders (drawn ones, too), spinners, and numbers that show where they stand."""

from __future__ import annotations

import re
from collections.abc import Sequence

from desktop_agent.extras.offline.llm.offline import dates
from desktop_agent.extras.offline.llm.offline.intents import Phrase
from desktop_agent.extras.offline.llm.offline.moves import Question
from desktop_agent.extras.offline.llm.offline.places import reading_order
from desktop_agent.extras.offline.llm.offline.resolve import resolve
from desktop_agent.extras.offline.llm.offline.roles import ROLES
from desktop_agent.extras.offline.llm.offline.scene import Scene
from desktop_agent.vision.observation import Element

_NUMBER = re.compile(r"-?\d+(?:[.,]\d+)?")
_SHOWN = re.compile(r"(?:[^\d\n]{0,20}?[:=]?\s*)?[-−]?\d+(?:[.,]\d+)?\s*(?:%|°|[a-z]{1,3})?", re.I)
_GRIP = 48
"""Pixels beyond which a nameless box is no handle to pull at."""
_SHELLS = frozenset(("section", "panel", "static", "filler", "push button"))


def number(text: str) -> float | None:
    """The first number in a text."""
    found = _NUMBER.search(text.replace("−", "-"))
    return float(found[0].replace(",", ".")) if found else None


def sliders(scene: Scene) -> list[Element]:
    """Sliders in front in reading order: those that say so, else handles on the page."""
    told = [each for each in scene.sight.front if each.role == "slider"]
    return reading_order(told or [each for each in scene.sight.front if _is_grip(each, scene)])


def _is_grip(element: Element, scene: Scene) -> bool:
    """A small, nameless thing on a page that takes the keyboard: the handle of a slider that a page draws."""
    page, bounds = scene.sight.document, element.bounds
    if page is None or element.role not in _SHELLS or element.name or "focusable" not in element.states:
        return False
    small = max(bounds.width, bounds.height) <= _GRIP and min(bounds.width, bounds.height) >= 4
    return small and page.bounds.contains(bounds.center) and not scene.sight.children(element)


def spinners(scene: Scene) -> list[Element]:
    """Fields with a number that goes up and down; parts of dates apart."""
    boxes = [each for each in scene.sight.front if each.role in ROLES["spin"]]
    return reading_order(each for each in boxes if not dates.part_of(each.name))


def readout(slider: Element, scene: Scene) -> Element | None:
    """Where a slider's position is to be read: on itself, or the number that belongs to it.

    A number follows its slider in the order in which a page tells its parts; failing that it comes before.
    """
    if number(slider.value) is not None:
        return slider
    line = [each for each in scene.sight.front if each == slider or each.name]
    others = {each.id for each in sliders(scene)} - {slider.id}
    at = line.index(slider)
    return _first_number(line[at + 1 :], others) or _first_number(line[at - 1 :: -1] if at else [], others)


def _first_number(elements: Sequence[Element], others: set[str]) -> Element | None:
    for each in elements:
        if each.id in others:
            return None
        if each.source == "tree" and each.role not in ROLES["button"] and _SHOWN.fullmatch(each.name):
            return each
    return None


def one_of(candidates: Sequence[Element], what: Phrase, scene: Scene) -> Element | Question | None:
    """The one of a kind that a phrase means, by its place or name; the only one if there is only one."""
    if what.ordinal:
        at = what.ordinal - 1 if what.ordinal > 0 else len(candidates) + what.ordinal
        return candidates[at] if 0 <= at < len(candidates) else None
    if what.name:
        ids = {each.id for each in candidates}
        bare = Phrase(what.name, "", 0, what.near, what.side, what.within, what.quoted, what.name)
        named = resolve(bare, scene.sight, allow=lambda each: each.id in ids).element
        if named is not None:
            return named
    if len(candidates) == 1:
        return candidates[0]
    return None


def several(spoken: str) -> bool:
    """Does the phrase mean all of a kind: "both text fields", "the sliders", "each box"?"""
    return bool(
        re.match(r"(?:both|all|each|every|the (?:two|three|four|five))\b", spoken, re.I)
        or re.fullmatch(
            r"(?:the\s+)?(?:text\s+|input\s+)?(?:sliders|spinners|dials|knobs|fields|boxes|inputs)",
            spoken,
            re.I,
        )
    )
