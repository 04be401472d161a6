"""Verifies effects: compares the elements and the screen before and after an operation, once both have come to rest.

Confirmed is only what can be seen in the tree itself: a box that is ticked now, a text that is in
its box, a thing that has moved. A picture that changed somewhere is no proof of that.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

import msgspec

from desktop_agent.agent.verifying.rules import BeforeAfter, EffectVerdict, proof
from desktop_agent.llm.base import Deed
from desktop_agent.protocol.agent_events import Receipt
from desktop_agent.protocol.geometry import Rect
from desktop_agent.protocol.ops import Op
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.encoding.encode import crop
from desktop_agent.vision.observation import Observation, raw_pixels
from desktop_agent.vision.settling.result import Settled
from desktop_agent.vision.settling.scroll_offset import scroll_offset

LATE_SECONDS, LATE_LOOKS = 0.1, 5
"""What the tree may tell late is looked for again after so long, so many times."""
MISPLACED_LOOKS = 30
"""The same where things are told to be where they are seen not to be: a busy browser takes its time."""


LEAST_SCROLL = 12
"""Pixels: what changed in less than this, across or down, was not scrolled."""
Distance = tuple[int, int]


def wants_look(operations: tuple[Op, ...]) -> bool:
    """Is there an operation among them whose effect is read from a look?"""
    return any(op.traits.wants_look for op in operations)


def before_and_after(
    operations: tuple[Op, ...],
    before: Observation,
    settled: Settled,
    look: Callable[[], Observation],
    stop: StopFlag,
) -> BeforeAfter:
    """The looks before and after; taken again while the accessibility tree is behind the picture.

    Elements that the tree puts in a wrong place to the end are left out: a click there would hit something else.

    Raises Stopped, TargetError.
    """
    began, slide = time.monotonic(), SlideTracker(before, settled)
    acting = next((op for op in reversed(operations) if not op.traits.idle), operations[-1])
    for again in range(MISPLACED_LOOKS + 1):
        after = look()
        wrong = frozenset() if acting.traits.moves_nothing else misplaced(before, after, settled)
        moving = slide.still(after)
        late = again < LATE_LOOKS and (
            moving or effect_of(acting, BeforeAfter(before, after, settled), last=True).late
        )
        if not (wrong or late) or settled.own_time or again == MISPLACED_LOOKS:
            break
        stop.wait(LATE_SECONDS)
    return BeforeAfter(before, without(after, wrong), settled, time.monotonic() - began)


def receipt_of(deed: Deed) -> Receipt:
    """What the effect of a deed is known by: unknown is never verified, and what did nothing is contradicted."""
    if deed.outcome != "done":
        return Receipt("record", "contradicted" if deed.outcome == "failed" else "unverified", deed.detail)
    if deed.op.traits.carried_out_by == "environment":
        return Receipt("application", "verified", deed.detail)
    match deed.effect:
        case "confirmed":
            return Receipt("tree", "verified", deed.detail)
        case "changed":
            return Receipt("pixels", "unverified", deed.detail)
        case "unchanged":
            return Receipt("pixels", "contradicted", deed.detail)
    return Receipt("none", "unverified", deed.detail)


def effect_of(op: Op, seen: BeforeAfter, *, last: bool) -> EffectVerdict:
    """The effect of an operation that was carried out.

    `last`: it is the last of its batch that shows, so the change of the whole screen is its.
    """
    found = proof(op, seen)
    if found is not None and found.effect == "confirmed":
        return found
    detail, late = (found.detail, found.late) if found else ("", False)
    if not last or seen.settled is None:
        return EffectVerdict("unknown", detail)
    return (
        EffectVerdict("changed", detail, late) if seen.settled.changed else EffectVerdict("unchanged", detail)
    )


# While a section opens, a browser tells its places some frames late, the last of them when the picture is
# at rest already. They are wrong by a few pixels then, or by the height of the section, and no single
# look can tell.
class SlideTracker:
    """Compares each look after one action with the look before it, where the screen slid."""

    def __init__(self, before: Observation, settled: Settled) -> None:
        self._areas = settled.areas if settled.slid else ()
        self._places, self._picture = self._told(before), self._shown(before)
        self._stirred = False

    def still(self, after: Observation) -> bool:
        """Are elements where something slid at other places than in the previous look, or other ones?

        Once they were, also: is the picture there another one? (On a busy machine it goes on sliding after a rest.)
        """
        places, picture = self._told(after), self._shown(after)
        moved, drawn = places != self._places, picture != self._picture
        self._places, self._picture = places, picture
        going_on = moved or (self._stirred and drawn)
        self._stirred |= moved
        return going_on

    def _told(self, look: Observation) -> Mapping[str, Rect]:
        return {
            each.id: each.bounds
            for each in look.elements
            if each.source == "tree" and any(not each.bounds.intersection(area).empty for area in self._areas)
        }

    def _shown(self, look: Observation) -> tuple[bytes, ...]:
        frame = raw_pixels(look)
        parts = (area.intersection(frame.region) for area in self._areas)
        return tuple(crop(frame, part).pixels for part in parts if not part.empty)


# Browsers build their tree in one process from what another one tells now and then, so it follows the
# picture up to half a second later, and longer on a busy machine.
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
        if min(area.width, area.height) < LEAST_SCROLL:
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
