"""When each moment of a run is shown as it is played: as it went, but without long waits, and no faster than one can see."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate, pairwise

from desktop_agent.history.run_story import Moment

LEAST, MOST = 0.4, 3.0
"""Seconds from one moment to the next; longer waits are left out."""


def offsets_of(moments: Sequence[Moment]) -> tuple[float, ...]:
    """The seconds from the first moment to each one, as they are played."""
    gaps = (min(MOST, max(LEAST, after.time - before.time)) for before, after in pairwise(moments))
    return tuple(accumulate(gaps, initial=0.0)) if moments else ()


def moment_at(offsets: Sequence[float], seconds: float) -> int:
    """The number of the moment that is shown so many seconds after the first; 0 where there are none."""
    return max(0, bisect_right(offsets, seconds) - 1)


def clock(seconds: float) -> str:
    """As on a player: `0:07`, `12:30`, `1:02:03`."""
    whole = round(seconds)
    hours, minutes, rest = whole // 3_600, whole // 60 % 60, whole % 60
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
