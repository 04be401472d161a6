"""What a part of the check came to, and the ways it ends early."""

from __future__ import annotations

import time
from dataclasses import dataclass


@dataclass(frozen=True)
class Outcome:
    """One named thing that was tried: whether it did what it should, in a few words, and its seconds."""

    name: str
    passed: bool
    words: str
    seconds: float


class Skipped(Exception):
    """The check cannot be made on this machine; the message says why."""


class Broken(Exception):
    """A part of the check failed; the message says what, and what can be read about it."""


class Refused(Broken):
    """The system does not permit what was asked of it; the message says what."""


class OutOfTime(BaseException):
    """The whole check has taken too long: nothing in it may go on. The message says how long."""


class Budget:
    """The time the whole check may take: every part gets its own, or what is left of this."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._end = time.monotonic() + seconds

    def part(self, seconds: float) -> float:
        """Seconds that a part which wants `seconds` may take. Raises Broken when nothing is left."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise Broken(f"the whole check took longer than its {self.seconds / 60:.0f} minutes")
        return min(seconds, left)
