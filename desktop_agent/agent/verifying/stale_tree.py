"""Finds elements whose place in the accessibility tree is behind the picture, as after scrolling.

Browsers build their tree in one process from what another one tells now and then, so it follows the
picture up to half a second later, and longer on a busy machine.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from desktop_agent.protocol.geometry import Rect
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.encoding.encode import crop
from desktop_agent.vision.observation import Observation, raw_pixels
from desktop_agent.vision.settling.result import Settled
from desktop_agent.vision.settling.scroll_offset import scroll_offset

LEAST = 12
"""Pixels: what changed in less than this, across or down, was not scrolled."""

Distance = tuple[int, int]


def misplaced(before: Observation, after: Observation, settled: Settled) -> frozenset[str]:
    """Ids of elements that the tree puts where they were, or part of the way, though their pixels moved on.

    The proof is an element's own pixels: they are not where the tree says, but as far away as the whole area
    scrolled. If one element's pixels moved on, every element is dropped that the tree says moved by the same
    distance and that is not seen there, and so is every new one that came in part of the way.
    """
    one, other = raw_pixels(before), raw_pixels(after)
    if not settled.areas or settled.resized or one.region != other.region:
        return frozenset()
    found: set[str] = set()
    for area in (each.intersection(one.region) for each in settled.areas):
        if min(area.width, area.height) < LEAST:
            continue
        found |= _behind(before, after, area, one, other)
    return frozenset(found)


def _behind(before: Observation, after: Observation, area: Rect, one: Frame, other: Frame) -> set[str]:
    """Ids of misplaced elements of one area in which the picture changed."""
    told = _told(before, after, area)
    doubtful = {by: _elsewhere(things, by, area, one, other) for by, things in told.items()}
    found: set[str] = set()
    if not any(doubtful.values()):
        return found
    moved = scroll_offset(crop(one, area), crop(other, area))
    for by, things in doubtful.items():
        proven = any(_moved_on(part, moved, area, one, other) for part in things.values())
        # One that is seen where it is told to be speaks for all that came as far.
        if not any(moved) or by == moved or not proven or (any(by) and things.keys() != told[by].keys()):
            continue
        found |= things.keys() | (_new(before, after, area) if any(by) else set())
    return found


def without(look: Observation, ids: frozenset[str]) -> Observation:
    """The look without the elements of these ids."""
    kept = tuple(each for each in look.elements if each.id not in ids)
    return msgspec.structs.replace(look, elements=kept) if ids else look


def _told(before: Observation, after: Observation, area: Rect) -> Mapping[Distance, dict[str, Rect]]:
    """The parts in the area of leaf elements that were there before, by the distance the tree says they moved."""
    were = {each.id: each for each in before.elements if each.source == "tree"}
    around = {each.parent for each in after.elements}
    found: dict[Distance, dict[str, Rect]] = {}
    for each in after.elements:
        was = were.get(each.id)
        if was is None or each.id in around or each.source != "tree":
            continue
        here, there = was.whole or was.bounds, each.whole or each.bounds
        # Some of it may be outside: the area is only where the picture changed.
        part = was.bounds.intersection(area)
        if here.size == there.size and not part.empty:
            found.setdefault((there.x - here.x, there.y - here.y), {})[each.id] = part
    return found


def _new(before: Observation, after: Observation, area: Rect) -> set[str]:
    """Ids of leaf elements that are in the area and were nowhere before."""
    known = {each.id for each in before.elements} | {each.parent for each in after.elements}
    new = (each for each in after.elements if each.id not in known and each.source == "tree")
    return {each.id for each in new if not each.bounds.intersection(area).empty}


def _elsewhere(
    things: Mapping[str, Rect], by: Distance, area: Rect, one: Frame, other: Frame
) -> dict[str, Rect]:
    """Those whose pixels are not where the tree says; what has left the area is not seen."""

    def seen_there(place: Rect) -> bool:
        there = place.moved(*by).intersection(area)
        back = there.moved(-by[0], -by[1])
        return not there.empty and crop(one, back).pixels == crop(other, there).pixels

    return {id: place for id, place in things.items() if not seen_there(place)}


def _moved_on(place: Rect, moved: Distance, area: Rect, one: Frame, other: Frame) -> bool:
    """Are the place's old pixels now at the distance `moved`? One colour proves nothing: it is everywhere."""
    there = place.moved(*moved)
    if there.intersection(area) != there:
        return False
    was = crop(one, place).pixels
    return was != was[:4] * (place.width * place.height) and was == crop(other, there).pixels
