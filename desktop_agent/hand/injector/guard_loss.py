"""What the hand does when its guard is gone: it stops at once, and nobody else is left to release."""

from __future__ import annotations

import importlib
import sys
import threading
from typing import cast

from desktop_agent.hand.guard.release_held import Releaser, let_go, wait_until_let_go
from desktop_agent.hand.ipc.process_handle import Peer
from desktop_agent.hand.ipc.shared_block import WORDS, Reason, Shared, Word
from desktop_agent.protocol.errors import DesktopAgentError, HandError
from desktop_agent.protocol.stop_flag import StopFlag

# The acting thread may be in a call that takes long (waiting for an application to read what was typed).
PATIENCE = 0.004
COMING = 0.01


class Alone:
    """Waits for the end of the guard in a thread, with a connection of its own that is ready by then."""

    def __init__(self, shared: Shared, flag: StopFlag) -> None:
        self._shared = shared
        self._flag = flag
        self.gone = False
        """True once the guard is gone."""

    def watch(self) -> None:
        """Begin; hand and guard start at the same time, so the guard may be a moment late."""
        threading.Thread(target=self._watch, name="alone", daemon=True).start()

    def _watch(self) -> None:
        while not self._shared[Word.GUARD_PID]:
            threading.Event().wait(COMING)
        guard = Peer(self._shared[Word.GUARD_PID])
        try:
            releaser: Releaser | None = connect()
        except DesktopAgentError:  # the acting thread has its own connection and does what it can
            releaser = None
        guard.wait()
        self.gone = True
        self._flag.set(WORDS[Reason.GUARD_GONE])
        if not wait_until_let_go(self._shared, PATIENCE) and releaser is not None:
            self._help(releaser)

    def _help(self, releaser: Releaser) -> None:
        try:
            let_go(self._shared, releaser)
        except DesktopAgentError as error:
            print(error, file=sys.stderr)  # noqa: T201 - the brain keeps this in the hand's log


def connect() -> Releaser:
    """A releaser for this system. Raises HandError when there is none, or no display."""
    name = "windows" if sys.platform == "win32" else "x11"
    try:
        module = importlib.import_module(f"desktop_agent.platforms.{name}.stopping.release")
    except ImportError as error:
        raise HandError(f"Nothing releases inputs on {sys.platform}: {error}.") from error
    return cast(Releaser, module.connect())
