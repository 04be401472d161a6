"""Stops a run on a simulated desktop by a real Esc in any program: nothing watches for one there by itself."""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING

from desktop_agent.agent.session import AgentSession
from desktop_agent.hand.ipc.shared_block import WORDS, Reason
from desktop_agent.protocol.agent_events import FeedEvent, State, Status
from desktop_agent.protocol.errors import DesktopAgentError
from desktop_agent.support.config import Config

if TYPE_CHECKING:
    from desktop_agent.startup.escape_trial import EscapeTrial

_log = logging.getLogger(__name__)
_AT_WORK: frozenset[State] = frozenset({"planning", "executing", "waiting_for_user", "paused"})


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
        from desktop_agent.startup.escape_trial import EscapeTrial  # few runs need it

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
