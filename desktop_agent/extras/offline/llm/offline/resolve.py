"""Which element is meant: scores every element against what was said, and tells when it cannot tell."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import msgspec

from desktop_agent.extras.offline.llm.offline.boxes import narrowed
from desktop_agent.extras.offline.llm.offline.fitting import looks
from desktop_agent.extras.offline.llm.offline.intents import Phrase
from desktop_agent.extras.offline.llm.offline.likeness import likeness, read_name
from desktop_agent.extras.offline.llm.offline.named import Zone
from desktop_agent.extras.offline.llm.offline.phrase import kind_first
from desktop_agent.extras.offline.llm.offline.places import distance, reading_order
from desktop_agent.extras.offline.llm.offline.roles import ACTIVE, COMMANDS, PASSIVE, PRESSED, ROLES, kind_fit
from desktop_agent.extras.offline.llm.offline.sight import Sight
from desktop_agent.extras.offline.llm.offline.tinted import tinted
from desktop_agent.vision.observation import Element

GOOD = 60.0
"""A score from which on an element is taken to be meant."""


@dataclass(frozen=True)
class Match:
    """An element and how well it fits (100 is exact)."""

    element: Element
    score: float


@dataclass(frozen=True)
class Resolved:
    """`element` when one is meant; else `candidates`: several that fit equally, or the nearest misses."""

    element: Element | None
    candidates: tuple[Element, ...] = ()
    ambiguous: bool = False


def resolve(what: Phrase, sight: Sight, *, allow: Callable[[Element], bool] | None = None) -> Resolved:
    """The element a phrase names among those in sight; `allow` filters what can be meant at all."""
    coloured = _one_of(what, tinted(what, sight, allow))
    for reading in _readings(what):
        found = _resolve(reading, sight, allow)
        if (found.element or found.ambiguous) and (coloured is None or _called_so(found, reading, sight)):
            return found
    near = [match.element for match in _ranked(what, sight, allow)[:3] if match.score > 30]
    return coloured or Resolved(None, tuple(near))


def _called_so(found: Resolved, what: Phrase, sight: Sight) -> bool:
    """Has it just that name, on the page where there is one: is it rather meant than one of that colour?"""
    element = found.element or found.candidates[0]
    return sight.area.contains(element.bounds.center) and likeness(what.name, element.name, exact=True) >= 84


def _one_of(what: Phrase, found: Sequence[Element]) -> Resolved | None:
    """The one that is meant of things in reading order; None when there are none."""
    at = what.ordinal - 1 if what.ordinal > 0 else what.ordinal
    if len(found) == 1 or what.any or what.ordinal:
        return Resolved(found[at], tuple(found)) if -len(found) <= at < len(found) else None
    return Resolved(None, tuple(found), ambiguous=True) if found else None


_AGAIN = re.compile(r"\s+(?:again|once more|another time)$", re.I)


def _readings(what: Phrase) -> list[Phrase]:
    """The phrase as it was taken apart, and before it the ways in which all its words are the name."""
    other = kind_first(what)
    if not what.quoted and (bare := _AGAIN.sub("", what.name)) != what.name:
        return [
            what,
            *_readings(msgspec.structs.replace(what, name=bare, spoken=_AGAIN.sub("", what.spoken))),
        ]
    if what.quoted or not what.spoken or what.spoken == what.name:
        return [what, other] if other else [what]
    whole = Phrase(what.spoken, quoted=True, spoken=what.spoken, zone=what.zone)
    readings = [whole]
    if what.ordinal and what.kind and not what.near:
        stem = re.sub(r"\s+\S+$", "", what.spoken)
        readings.append(Phrase(stem, what.kind, quoted=True, spoken=stem))
    return [*readings, what, *([other] if other else [])]


def _resolve(what: Phrase, sight: Sight, allow: Callable[[Element], bool] | None) -> Resolved:
    ranked = [match for match in _ranked(what, sight, allow) if match.score >= GOOD]
    if not ranked:
        return Resolved(None)
    ranked = _dialog_first(_page_first(ranked, sight), sight)
    best = [match.element for match in ranked if match.score >= ranked[0].score - 0.5]
    if what.ordinal:
        return _nth(what, ranked, sight)
    if what.near:
        return _nearest(what, ranked, sight)
    distinct = _of_sort(what, _distinct(best))
    if what.zone and (there := _outermost(what.zone, ranked, sight)):
        return Resolved(there)
    if len(distinct) == 1:
        return Resolved(distinct[0])
    if what.any:
        return Resolved(reading_order(distinct)[0])
    in_chosen_row = [each for each in distinct if sight.is_beside_chosen(each)]
    if len(in_chosen_row) == 1:
        return Resolved(in_chosen_row[0])
    come_up = [each for each in distinct if sight.has_come_up(each)]
    if len(come_up) == 1:
        return Resolved(come_up[0])
    focused = [each for each in distinct if "focused" in each.states]
    if len(focused) == 1 and not what.name:
        return Resolved(focused[0])
    return Resolved(None, tuple(distinct), ambiguous=True)


def _outermost(zone: Zone, ranked: Sequence[Match], sight: Sight) -> Element | None:
    """Of what fits nearly as well as the best, what is farthest to that side; None when nothing is in that half."""
    near = [match.element for match in ranked if match.score >= ranked[0].score - _NEARLY]
    axis, sign = {"left": (0, -1), "right": (0, 1), "top": (1, -1), "bottom": (1, 1)}[zone]
    middle = (sight.window.center.x, sight.window.center.y)[axis]
    off = {each.id: sign * ((each.bounds.center.x, each.bounds.center.y)[axis] - middle) for each in near}
    there = [each for each in near if off[each.id] > 0]
    return max(there, key=lambda each: off[each.id], default=None)


def _of_sort(what: Phrase, boxes: list[Element]) -> list[Element]:
    """Boxes without a name in the phrase are told apart by their sort: "text area", "text field"."""
    return narrowed(what.spoken, boxes) if what.kind == "field" and not what.name else boxes


_NEARLY = 12.0
"""Points by which what is part of the page may fit less well than what is part of the browser."""


def _page_first(ranked: Sequence[Match], sight: Sight) -> list[Match]:
    """Without the browser's own parts, where something on its page fits nearly as well."""
    near = [match.element for match in ranked if match.score >= ranked[0].score - _NEARLY]
    best = set(map(id, sight.on_page(near)))
    return [m for m in ranked if id(m.element) in best] if len(best) < len(near) else list(ranked)


def _dialog_first(ranked: Sequence[Match], sight: Sight) -> list[Match]:
    """Without what lies behind a dialog, where something in the dialog fits as well: it waits for an answer."""
    inside = [match for match in ranked if sight.in_front(match.element)]
    return inside if inside and sight.dialog is not None else list(ranked)


def _nth(what: Phrase, ranked: Sequence[Match], sight: Sight) -> Resolved:
    nth = what.ordinal
    near_best = [m.element for m in ranked if m.score >= ranked[0].score - _NEARLY]
    ordered = reading_order(_of_sort(what, list(sight.on_page(_distinct(near_best)))))
    at = nth - 1 if nth > 0 else len(ordered) + nth
    if 0 <= at < len(ordered):
        return Resolved(ordered[at])
    return Resolved(None, tuple(ordered))


def _nearest(what: Phrase, ranked: Sequence[Match], sight: Sight) -> Resolved:
    anchors = resolve(Phrase(what.near, spoken=what.near), sight)
    anchor = anchors.element or (anchors.candidates[0] if anchors.ambiguous else None)
    if anchor is None:
        return Resolved(None)
    others = [m for m in ranked if m.element.id != anchor.id and m.score >= ranked[0].score - 12]
    inside = [m for m in others if anchor.bounds.contains(m.element.bounds.center)]
    placed = [(distance(anchor, m.element, what.side) - m.score / 10, m.element) for m in inside or others]
    if inside:
        placed = [(-m.score, m.element) for m in inside]
    placed = [each for each in placed if each[0] < 10_000]
    return Resolved(min(placed, key=lambda each: each[0])[1]) if placed else Resolved(None)


def _distinct(elements: Sequence[Element]) -> list[Element]:
    """One of each pile: a link and the text inside it are the same thing to a person."""
    kept: list[Element] = []
    for each in elements:
        if not any(_same_place(each, other) for other in kept):
            kept.append(each)
    return kept


def _same_place(one: Element, other: Element) -> bool:
    common = one.bounds.intersection(other.bounds)
    smaller = min(one.bounds.width * one.bounds.height, other.bounds.width * other.bounds.height)
    return smaller > 0 and common.width * common.height >= 0.8 * smaller


def _ranked(what: Phrase, sight: Sight, allow: Callable[[Element], bool] | None) -> list[Match]:
    scored = [
        Match(each, score(what, each, sight))
        for each in sight.elements
        if (allow is None or allow(each)) and sight.may_mean(what.name, each)
    ]
    return sorted((m for m in scored if m.score > 0), key=lambda m: -m.score)


def score(what: Phrase, element: Element, sight: Sight) -> float:
    """How well an element fits a phrase, 0 to about 130."""
    if element.role in PASSIVE and what.kind != "window":
        return 0.0
    fit = kind_fit(what.kind, element)
    if fit is None:
        return 0.0
    if what.within and not sight.is_within(element, what.within):
        return 0.0
    if not what.name:
        base = 80.0 if what.kind else 0.0
    else:
        name = read_name(element.name) if element.source == "ocr" else element.name
        base = max(
            likeness(what.name, element.name, exact=what.quoted),
            likeness(what.name, name, exact=what.quoted),
            0.9 * likeness(what.name, element.value, exact=True)
            if element.role not in ROLES["field"]
            else 0.0,
            *(
                (0.85 if element.name else 0.97) * likeness(what.name, label, exact=what.quoted)
                for label in sight.labels(element)
            ),
        )
    quoted = what.quoted and what.spoken != what.name
    if quoted and base < 95 and sight.shows_page and not sight.is_on_page(element):
        return 0.0  # “Next” in quotation marks is not the browser's Forward
    if base < 84 and element.role in COMMANDS and what.name:
        base -= 35.0  # half a command's name may be quite another command
    drawn = what.kind in PRESSED and element.role not in ACTIVE and element.source == "tree"
    if base < 45 or (drawn and base < 84 and what.name):
        return 0.0  # a text may be drawn as a button, but then it is called so and no more
    return base + fit + sight.prominence(element) + looks(what, element, sight.look)
