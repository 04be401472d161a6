"""Remembers which process's window was in front a moment ago."""

from __future__ import annotations

from collections.abc import Callable


class FrontHistory:
    """Which process's window is in front, and which was EARLIER seconds ago: a new window has several states before it fills the screen."""

    EARLIER = 1.0

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._since: list[tuple[float, int]] = [(float("-inf"), 0)]

    def before(self, now: int) -> int:
        """Note that process `now` is in front; the one that was earlier."""
        moment = self._clock()
        if self._since[-1][1] != now:
            self._since.append((moment, now))
        while len(self._since) > 1 and self._since[1][0] <= moment - self.EARLIER:
            del self._since[0]
        return self._since[0][1]
