"""Whether the tree of a look is behind its picture: what was scrolled is elsewhere in it, but not in the tree yet.

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
    """Ids of things that are told to stand where they stood, or somewhere on the way, though their picture has moved on.

    A thing is found out by its own pixels: they are as far from its place as all around it has moved, and
    not where it is told to be. One alone makes all suspicious that are told to be as far as it, while their
    picture is not, and those that came on the way.
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
    """The same of one area in which the picture changed."""
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
    """The look without things of which nobody knows where they are."""
    kept = tuple(each for each in look.elements if each.id not in ids)
    return msgspec.structs.replace(look, elements=kept) if ids else look


def _told(before: Observation, after: Observation, area: Rect) -> Mapping[Distance, dict[str, Rect]]:
    """Things with nothing in them that were in the area, or partly: where, by how far they are told to have moved."""
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
    """Things with nothing in them that are in the area, and were nowhere before."""
    known = {each.id for each in before.elements} | {each.parent for each in after.elements}
    new = (each for each in after.elements if each.id not in known and each.source == "tree")
    return {each.id for each in new if not each.bounds.intersection(area).empty}


def _elsewhere(
    things: Mapping[str, Rect], by: Distance, area: Rect, one: Frame, other: Frame
) -> dict[str, Rect]:
    """Those that are not seen where they are told to be; what has left the area is not seen."""

    def seen_there(place: Rect) -> bool:
        there = place.moved(*by).intersection(area)
        back = there.moved(-by[0], -by[1])
        return not there.empty and crop(one, back).pixels == crop(other, there).pixels

    return {id: place for id, place in things.items() if not seen_there(place)}


def _moved_on(place: Rect, moved: Distance, area: Rect, one: Frame, other: Frame) -> bool:
    """Is what was at the place so far from it now? One colour proves nothing: it is everywhere."""
    there = place.moved(*moved)
    if there.intersection(area) != there:
        return False
    was = crop(one, place).pixels
    return was != was[:4] * (place.width * place.height) and was == crop(other, there).pixels
