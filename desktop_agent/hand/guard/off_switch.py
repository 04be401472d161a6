"""Writes into the shared block why nothing may be seen or pressed for now, as the guard itself sees it."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from desktop_agent.hand.ipc.shared_block import Shared, Word
from desktop_agent.platforms.base import FullScreen, SessionWatch
from desktop_agent.protocol.errors import TargetError
from desktop_agent.protocol.off_reasons import OffReason

OWN_SECONDS = 1.5
"""So long after the hand's last event what fills the screen may have come of it."""


class OffSwitch:
    """`follow` is to be called every few milliseconds; `tell` gets the guard's word of each change.

    What fills the screen switches off, unless it came of the hand's own work: a window of the program that was in front
    while the hand was at work. The human lets it work in one window by `Word.FULL_SCREEN_ALLOWED`.
    """

    def __init__(self, shared: Shared, session: SessionWatch | None, tell: Callable[[str], None]) -> None:
        self._shared = shared
        self._session = session
        self._tell = tell
        self._full_screen = FullScreen()
        self._own = 0
        self._told = 0
        self._since = 0.0

    def start(self) -> None:
        """Begin to watch. The first answers stand in the block before this returns, as far as they are there at once."""
        try:
            if self._session is not None:
                self._session.start()
        except TargetError as error:  # the display has gone, for which the guard ends
            print(f"the session is not watched: {error}", file=sys.stderr)  # noqa: T201 - the brain keeps this in the guard's log
            self._session = None
        self.follow()

    def follow(self) -> None:
        if self._session is None:
            return
        reasons = self._session.reasons() | self._judge_full_screen(self._session.full_screen())
        self._shared[Word.FULL_SCREEN_WINDOW] = self._full_screen.pid << 32 | self._full_screen.window
        self._shared[Word.OFF] = reasons
        off = self._shared.off
        if off != self._told:
            self._told, self._since = off, time.monotonic()
            self._tell(f"off {off}")

    @property
    def seconds(self) -> float:
        """For how long it has been off; 0 while it is on."""
        return time.monotonic() - self._since if self._shared.off else 0.0

    def _judge_full_screen(self, found: FullScreen) -> OffReason:
        if found != self._full_screen:
            self._full_screen = found
            own = found.pid and found.pid == found.before and self._hand_was_at_work()
            self._own = found.window if own else self._own if found.window == self._own else 0
        ours = found.pid == self._shared[Word.BRAIN_PID]
        switched = bool(found.window) and not ours and found.window != self._own
        return OffReason.FULL_SCREEN if switched else OffReason(0)

    def _hand_was_at_work(self) -> bool:
        return bool(self._shared[Word.BUSY]) or self._shared.age(Word.HAND_BEAT) < OWN_SECONDS
