"""Tells whether elements are still sliding: their places count when two looks in a row agree on tree and picture.

While a section opens, a browser tells its places some frames late, the last of them when the picture is
at rest already. They are wrong by a few pixels then, or by the height of the section, and no single
look can tell.
"""

from __future__ import annotations

from collections.abc import Mapping

from desktop_agent.protocol.geometry import Rect
from desktop_agent.vision.encoding.encode import crop
from desktop_agent.vision.observation import Observation, raw_pixels
from desktop_agent.vision.settling.result import Settled


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
