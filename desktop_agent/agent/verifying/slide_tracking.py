"""Whether the tree still follows what slid on the screen: it is believed when two looks in a row tell and show the same.

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


class Following:
    """Sees the looks after one action, one after the other."""

    def __init__(self, before: Observation, settled: Settled) -> None:
        self._areas = settled.areas if settled.slid else ()
        self._places, self._picture = self._told(before), self._shown(before)
        self._stirred = False

    def still(self, after: Observation) -> bool:
        """Do things stand elsewhere where something slid than in the look before this one, or are there others?

        From then on, also: does it look different there? (On a busy machine it goes on sliding after a rest.)
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
