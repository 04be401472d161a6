"""The time that a limited permission has left in a session."""

from __future__ import annotations

import time
from collections.abc import Callable

_MINUTE = 60.0


def seconds_since_boot() -> float:
    """Seconds of a clock that nobody can set; where the system has one, it goes on while the computer sleeps."""
    if (clock := getattr(time, "CLOCK_BOOTTIME", None)) is None:
        return time.monotonic()
    return float(time.clock_gettime(clock))


class GrantClock:
    """Counts the minutes of a permission (0: no limit), by a clock that tells seconds."""

    def __init__(self, minutes: float, now: Callable[[], float] = seconds_since_boot) -> None:
        self._seconds, self._now = minutes * _MINUTE, now
        self._began: float | None = None

    def begin(self, *, anew: bool) -> None:
        """A run begins: the time begins `anew`, or goes on where it has begun already."""
        if anew or self._began is None:
            self._began = self._now()

    @property
    def left(self) -> float | None:
        """Seconds that are left, never less than 0; None for no limit."""
        if not self._seconds:
            return None
        passed = self._now() - self._began if self._began is not None else 0.0
        return max(0.0, self._seconds - passed)

    @property
    def over(self) -> bool:
        return self.left == 0
