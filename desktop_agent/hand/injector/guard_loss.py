"""The hand's fallback when the guard process dies: stop at once and release what is held, by a way of its own."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable

from desktop_agent.hand.guard.release_held import release_held, wait_until_released
from desktop_agent.hand.ipc.shared_block import WORDS, Reason, Shared, Word
from desktop_agent.platforms.base import Releaser
from desktop_agent.platforms.host import Peer
from desktop_agent.protocol.errors import DesktopAgentError
from desktop_agent.protocol.stop_flag import StopFlag

# The acting thread may be in a call that takes long (waiting for an application to read what was typed).
PATIENCE = 0.004
COMING = 0.01


class GuardLoss:
    """Waits for the end of the guard in a thread, with a releaser of its own that is ready by then.

    `connect` makes that releaser and raises DesktopAgentError where there is none.
    """

    def __init__(self, shared: Shared, flag: StopFlag, connect: Callable[[], Releaser]) -> None:
        self._shared = shared
        self._flag = flag
        self._connect = connect
        self.gone = False
        """True once the guard is gone."""

    def watch(self) -> None:
        """Begin; hand and guard start at the same time, so the guard may be a moment late."""
        threading.Thread(target=self._watch, name="guard loss", daemon=True).start()

    def _watch(self) -> None:
        while not self._shared[Word.GUARD_PID]:
            threading.Event().wait(COMING)
        guard = Peer(self._shared[Word.GUARD_PID])
        try:
            releaser: Releaser | None = self._connect()
        except DesktopAgentError:  # the acting thread has its own connection and does what it can
            releaser = None
        guard.wait()
        self.gone = True
        self._flag.set(WORDS[Reason.GUARD_GONE])
        if not wait_until_released(self._shared, PATIENCE) and releaser is not None:
            self._help(releaser)

    def _help(self, releaser: Releaser) -> None:
        try:
            release_held(self._shared, releaser)
        except DesktopAgentError as error:
            print(error, file=sys.stderr)  # noqa: T201 - the brain keeps this in the hand's log
