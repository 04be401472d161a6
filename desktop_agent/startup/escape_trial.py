"""Watches for Esc as a run on the user's own desktop would: with a guard of its own, which sees it in any application."""

from __future__ import annotations

from collections.abc import Callable

from desktop_agent.hand.client import Hands
from desktop_agent.hand.ipc.shared_block import WORDS, Reason
from desktop_agent.support import config
from desktop_agent.support.config import Config
from desktop_agent.targets import local


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
