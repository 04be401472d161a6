"""Holds a text back until the brain, which follows what its field has taken, gives leave; ends it at its word."""

from __future__ import annotations

from collections.abc import Callable

from desktop_agent.hand.ipc.shared_block import Shared, Word
from desktop_agent.protocol.errors import Refused

LONGEST = 10.0
"""Seconds to wait for leave."""
_SLICE = 0.002


class TextLeave:
    """Counts the characters of a batch's texts against the brain's limit (`Word.TEXT_LIMIT`).

    `wait_for(seconds)` lets time pass and raises at a stop. It is never called with the server grabbed.
    """

    def __init__(self, shared: Shared, clock: Callable[[], float], wait_for: Callable[[float], None]) -> None:
        self._shared, self._clock, self._wait_for = shared, clock, wait_for
        self._sent = 0

    def begin(self) -> None:
        """Another batch begins."""
        self._sent = 0

    def sent(self, characters: int) -> None:
        """So many characters more went out."""
        self._sent += characters

    def check(self) -> None:
        """Raises Refused when no more of the text may go out."""
        if self._shared[Word.TEXT_ENDED]:
            raise Refused("The keyboard went to another field; the rest was not typed.", "Look again.")

    def wait(self, characters: int) -> None:
        """Return when so many characters more may go out. Raises Refused, and what waiting raises."""
        if not characters:
            return
        end = self._clock() + LONGEST
        self.check()
        while 0 < self._shared[Word.TEXT_LIMIT] < self._sent + characters:
            if self._clock() > end:
                raise Refused("The application does not take what is typed.", "Look again.")
            self._wait_for(_SLICE)
            self.check()
