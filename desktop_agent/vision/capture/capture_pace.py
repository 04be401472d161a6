"""Chooses how often, how large and how much of a screen live pictures are taken, by what they cost and how busy the machine is."""

from __future__ import annotations

import os
from collections.abc import Callable

import msgspec

SHARE = 0.05
"""Of one processor's time, at most, for live pictures."""
SLOW, SLOWER = 0.04, 0.12
"""Seconds for one picture from which on the machine counts as busy, and as very busy."""
BUSY, BUSIER = 1.5, 3.0
"""Programs ready to run for each processor from which on it counts as these."""
CALM = 4
"""Pictures in a row that have to be taken at ease before they become more or larger again."""
_SMOOTHING = 0.3


class Pace(msgspec.Struct, frozen=True):
    """`edge` is the longest edge in pixels, `slower` divides the rate; `narrow`: only the window in front is taken."""

    edge: int
    slower: int
    narrow: bool


PACES = (Pace(720, 1, False), Pace(480, 2, False), Pace(360, 4, True))
"""From a machine at ease to a very busy one."""


def machine_load() -> float:
    """Programs ready to run for each processor, over the last minute; 0 where the system does not tell."""
    if not hasattr(os, "getloadavg"):
        return 0.0
    return os.getloadavg()[0] / (os.cpu_count() or 1)


class CapturePace:
    """The pace of pictures of which at most `per_second` are wanted; `taken` tells it what each has cost."""

    def __init__(self, per_second: float, load: Callable[[], float] = machine_load) -> None:
        self._shortest, self._load = 1 / per_second, load
        self._cost = 0.0
        self._level = self._calm = 0

    @property
    def now(self) -> Pace:
        """How the next picture is to be taken."""
        return PACES[self._level]

    @property
    def pause(self) -> float:
        """Seconds until the next picture: more where pictures cost more than their SHARE."""
        return max(self._shortest * self.now.slower, self._cost / SHARE)

    def taken(self, seconds: float) -> None:
        """A picture has taken so many seconds; one that is at ease does not count for a busy machine."""
        self._cost += _SMOOTHING * (seconds - self._cost) if self._cost else seconds
        wanted = max(_level(self._cost, SLOW, SLOWER), _level(self._load(), BUSY, BUSIER))
        self._calm = self._calm + 1 if wanted < self._level else 0
        if wanted > self._level:
            self._level = wanted
        elif self._calm >= CALM:
            self._level, self._calm = self._level - 1, 0


def _level(found: float, busy: float, busier: float) -> int:
    return int(found >= busy) + int(found >= busier)
