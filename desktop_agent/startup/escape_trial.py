"""Watches for Esc as a run on the user's own desktop would: with a guard of its own, which sees it in any application.

So it is tried on the first page, and so it stops a run on a simulated desktop, where nothing watches by itself.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from desktop_agent.agent.session import AgentSession
from desktop_agent.hand.client import Hands
from desktop_agent.hand.ipc.shared_block import WORDS, Reason
from desktop_agent.protocol.agent_events import FeedEvent, State, Status
from desktop_agent.protocol.errors import DesktopAgentError
from desktop_agent.support import config
from desktop_agent.support.config import Config
from desktop_agent.targets import local

_log = logging.getLogger(__name__)
_AT_WORK: frozenset[State] = frozenset({"planning", "executing", "waiting_for_user", "paused"})


class EscapeTrial:
    """Hand and guard on the user's desktop, with nothing to do. `seen` is called once, from another thread."""

    def __init__(self, settings: Config, seen: Callable[[], None]) -> None:
        """Raises ConfigError, TargetError or HandError where the desktop cannot be watched."""
        self._seen = seen
        self._target = local.create(config.options(settings, "target", "local", local.Options))
        self._target.start()
        try:
            self._hands = Hands(self._target.address(), on_stop=self._stopped, takeover=False)
            self._hands.start()
        except BaseException:
            self._target.stop()
            raise

    def close(self) -> None:
        """End the guard and the hand."""
        self._hands.close()
        self._target.stop()

    def _stopped(self, reason: str) -> None:
        if reason == WORDS[Reason.ESCAPE]:
            self._seen()


class EscapeInRuns:
    """Listens to a session, and watches the user's own desktop while it runs on a simulated one.

    Where that desktop cannot be watched (Wayland) an Esc in the program's own windows stops the run all the same.
    An Esc that is pressed on the simulated desktop is none of these.
    """

    def __init__(self, session: AgentSession, settings: Config) -> None:
        self._session, self._settings = session, settings
        self._lock = threading.Lock()
        self._number = 0
        self._watch: EscapeTrial | None = None

    @property
    def watching(self) -> bool:
        """Would an Esc be seen now?"""
        return self._watch is not None

    def hear(self, event: FeedEvent) -> None:
        """Follow the states of runs; from the session's thread."""
        if not isinstance(event, Status):
            return
        target = self._session.parts.target
        wanted = event.state in _AT_WORK and target.simulated and not target.screenless
        if wanted and not self._number % 2:
            self._number += 1
            threading.Thread(target=self._begin, args=(self._number,), name="escape", daemon=True).start()
        elif not wanted and self._number % 2:
            self.close()

    def close(self) -> None:
        """End the watch; what is being started ends by itself."""
        with self._lock:
            self._number += self._number % 2
            watch, self._watch = self._watch, None
        if watch is not None:
            threading.Thread(target=watch.close, name="escape-end", daemon=True).start()

    def _begin(self, number: int) -> None:
        try:
            watch = EscapeTrial(self._settings, self._seen)
        except DesktopAgentError as error:
            _log.info("Esc is watched in the program's own windows alone: %s", error)
            return
        with self._lock:
            wanted = number == self._number
            if wanted:
                self._watch = watch
        if not wanted:
            watch.close()

    def _seen(self) -> None:
        if self._number % 2:
            self._session.stop(WORDS[Reason.ESCAPE])
