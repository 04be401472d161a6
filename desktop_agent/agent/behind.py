"""Whether the tree of a look is behind its picture: what was scrolled is elsewhere in it, but not in the tree yet.

Browsers build their tree in one process from what another one tells now and then, so it follows the
picture up to half a second later, and longer on a busy machine.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from desktop_agent.protocol.geometry import Rect
from desktop_agent.vision.encode import crop
from desktop_agent.vision.frame import Frame
from desktop_agent.vision.observation import Element, Observation, seen
from desktop_agent.vision.settle import Settled
from desktop_agent.vision.shifted import shift

LEAST = 12
"""Pixels: what changed in less than this, across or down, was not scrolled."""

Distance = tuple[int, int]


def misplaced(before: Observation, after: Observation, settled: Settled) -> frozenset[str]:
    """Ids of things that are told to stand where they stood, though what they showed there has moved on.

    A thing is found out by its own pixels: they are as far from its place as all around it has moved.
    One alone makes all suspicious that are as before in that part while their picture is not.
    """
    one, other = seen(before), seen(after)
    if not settled.areas or settled.resized or one.region != other.region:
        return frozenset()
    scrolled = [
        (area, moved)
        for area in (each.intersection(one.region) for each in settled.areas)
        if min(area.width, area.height) >= LEAST and any(moved := shift(crop(one, area), crop(other, area)))
    ]
    found: set[str] = set()
    for area, moved in scrolled:
        kept = {each.id: each.bounds.intersection(area) for each in _kept(before, after, area)}
        changed = {id: part for id, part in kept.items() if _differs(part, one, other)}
        if any(_moved_on(part, moved, area, one, other) for part in changed.values()):
            found |= changed.keys()
    return frozenset(found)


def without(look: Observation, ids: frozenset[str]) -> Observation:
    """The look without things of which nobody knows where they are."""
    kept = tuple(each for each in look.elements if each.id not in ids)
    return msgspec.structs.replace(look, elements=kept) if ids else look


def _kept(before: Observation, after: Observation, area: Rect) -> Iterator[Element]:
    """Things with nothing in them that are told to be in the area just where they were."""
    were = {each.id: each for each in before.elements if each.source == "tree"}
    around = {each.parent for each in after.elements}
    for each in after.elements:
        was = were.get(each.id)
        if was is None or each.id in around or each.source != "tree":
            continue
        same = (each.bounds, each.whole) == (was.bounds, was.whole)
        if same and not each.bounds.empty and area.contains(each.bounds.center):
            yield each  # its edge may be outside: the area is where the picture changed


def _differs(place: Rect, one: Frame, other: Frame) -> bool:
    return crop(one, place).pixels != crop(other, place).pixels


def _moved_on(place: Rect, moved: Distance, area: Rect, one: Frame, other: Frame) -> bool:
    """Is what was at the place so far from it now? One colour proves nothing: it is everywhere."""
    there = Rect(place.x + moved[0], place.y + moved[1], place.width, place.height)
    if there.intersection(area) != there:
        return False
    was = crop(one, place).pixels
    return was != was[:4] * (place.width * place.height) and was == crop(other, there).pixels
