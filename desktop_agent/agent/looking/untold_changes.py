"""Finds where the picture changed though the elements tell nothing of it, as those of a browser do for a while."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from desktop_agent.protocol.geometry import Rect
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.observation import Element, Observation, raw_pixels
from desktop_agent.vision.settling.result import is_cursor
from desktop_agent.vision.settling.tile_diff import changed_areas

FRINGE = 12
"""Pixels around a thing that may be drawn with it: a shadow, a ring around what has the keyboard."""


def redrawn(before: Observation, frame: Frame) -> tuple[Rect, ...]:
    """The areas in which a picture differs from the one before; none where both do not show the same region."""
    was = raw_pixels(before)
    if (was.region, was.epoch) != (frame.region, frame.epoch):
        return ()
    areas, _ = changed_areas(was, frame)
    return areas


def untold(
    before: Observation, frame: Frame, elements: Iterable[Element], restless: Sequence[Rect] = ()
) -> tuple[Rect, ...]:
    """The areas in which a picture changed and no element told with it did; text cursors and `restless` areas aside.

    What came, went or is told otherwise accounts for what is drawn in its own place alone: that a button has the
    keyboard now says nothing of the line below it.
    """
    was = raw_pixels(before)
    if (was.region, was.epoch) != (frame.region, frame.epoch):
        return ()
    told = [place.grown(FRINGE, FRINGE) for place in _changed(before.elements, elements)]
    areas, _ = changed_areas(was, frame, without=(*told, *restless))
    return tuple(area for area in areas if not is_cursor(area))


def _changed(before: Iterable[Element], after: Iterable[Element]) -> list[Rect]:
    """Where the elements are, or were, that are told otherwise than before.

    What has others in it accounts for their places only where it came or went itself, and a page never does: it is
    told before what is in it.
    """
    was, now = ({each.id: each for each in look if each.source == "tree"} for look in (before, after))
    around = {each.parent for look in (was, now) for each in look.values()}
    places: list[Rect] = []
    for id in was.keys() | now.keys():
        one, other = was.get(id), now.get(id)
        found = [each for each in (one, other) if each is not None]
        if found[0].role.startswith("document") or (len(found) == 2 and id in around):
            continue
        if one is None or other is None or _told(one) != _told(other):
            places += (each.bounds for each in found)
    return places


def _told(element: Element) -> tuple[object, ...]:
    return (element.role, element.name, element.value, element.states, element.bounds, element.whole)
