"""Limits the rate of events by a token bucket; its waits end with a stop."""

from __future__ import annotations

from collections.abc import Callable

EVENTS_PER_SECOND = 1_000.0
BURST = 16


class RateLimit:
    """Lets through `burst` events at once and `per_second` in the long run."""

    def __init__(
        self, clock: Callable[[], float], per_second: float = EVENTS_PER_SECOND, burst: int = BURST
    ) -> None:
        self._clock = clock
        self._per_second = per_second
        self._burst = burst
        self._tokens = float(burst)
        self._filled = clock()

    def take(self, wait: Callable[[float], None]) -> None:
        """Take one token; `wait(seconds)` is called when there is none yet and may raise Stopped."""
        missing = 1 - self._fill()
        if missing > 0:
            wait(missing / self._per_second)
            self._fill()
        self._tokens -= 1

    def _fill(self) -> float:
        now = self._clock()
        grown = self._tokens + (now - self._filled) * self._per_second
        self._tokens, self._filled = min(self._burst, grown), now
        return self._tokens
