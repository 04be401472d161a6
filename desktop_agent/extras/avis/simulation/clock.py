"""The clocks of a simulated desktop: one that runs, and one that only events and looks move on."""

from __future__ import annotations

import time


class RunningClock:
    """Seconds since it was made, as real ones pass."""

    def __init__(self) -> None:
        self._began = time.monotonic()

    def now(self) -> float:
        return time.monotonic() - self._began

    def event(self) -> None:
        """Time passes by itself."""

    def look(self) -> None:
        """Time passes by itself."""

    def move_on(self, seconds: float) -> bool:
        """False: it cannot be moved."""
        del seconds
        return False


class SteppedClock:
    """Seconds that pass only with what is done: `per_event` with each event, `per_look` with each look.

    The same events and looks give the same times on every machine.
    """

    def __init__(self, per_event: float = 0.02, per_look: float = 0.25) -> None:
        self._now, self._per_event, self._per_look = 0.0, per_event, per_look

    def now(self) -> float:
        return self._now

    def event(self) -> None:
        self._now += self._per_event

    def look(self) -> None:
        self._now += self._per_look

    def move_on(self, seconds: float) -> bool:
        """So many seconds pass at once: True."""
        self._now += seconds
        return True
