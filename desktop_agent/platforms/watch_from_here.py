"""Watches for the human's ESC on the user's own display while another computer is worked, and releases there what is held."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from desktop_agent.platforms.base import EscapeSink, HumanSink, InputWatch, Releaser


class WatchFromHere(InputWatch):
    """Releases by `releaser` at the place that is worked.

    `desktop` watches the display the user sits at; None where there is none, and so nobody to press ESC.
    """

    def __init__(self, releaser: Releaser, desktop: InputWatch | None) -> None:
        self._releaser = releaser
        self._desktop = desktop

    def watch_human(self, human: HumanSink) -> bool:
        """The user's input is theirs on their own display, and nothing tells of others at the place: nobody takes over."""
        del human
        return True

    def watch_escape(
        self, escapes: EscapeSink, interval: Callable[[], float], beat: Callable[[], None]
    ) -> None:
        if self._desktop is not None:
            self._desktop.watch_escape(escapes, interval, beat)
            return

        def go_on() -> None:
            while True:
                beat()
                threading.Event().wait(interval())

        threading.Thread(target=go_on, name="beat", daemon=True).start()

    def watching(self) -> bool:
        """Of the user's display; that the place has gone, the hand says."""
        return self._desktop is None or self._desktop.watching()

    def release(self, keys: Sequence[int], buttons: Sequence[int]) -> bool:
        return self._releaser.release(keys, buttons)
