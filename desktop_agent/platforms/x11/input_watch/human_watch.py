"""Watches for the human's input on X11: raw events of every device but the XTEST ones, which are the hand's.

A thread and connections of its own, so that the way of ESC stays short. Other clients' XTEST input
(an on-screen keyboard, a remote desktop that injects) cannot be told from the hand's by its device.
"""

from __future__ import annotations

import select
import threading
from collections.abc import Callable, Mapping
from typing import Any

import xcffib

from desktop_agent.platforms.base import HumanSink, Means
from desktop_agent.platforms.x11.connection import Display
from desktop_agent.platforms.x11.human_means import HumanMeans
from desktop_agent.platforms.x11.windows.ewmh import EwmhWindows
from desktop_agent.platforms.x11.xinput2 import Kind, next_event


class HumanWatch:
    """Reports the human's input to `human`; `alive` until the display goes.

    `escapes` are the keycodes that stop, and so take nothing over. Raises XcffibException where
    XInput 2.2 is missing.
    """

    def __init__(self, connection: Any, escapes: Callable[[], frozenset[int]], human: HumanSink) -> None:
        self._connection = connection
        self._human = human
        self._means = HumanMeans(connection, escapes, lambda: human.holding_button)
        self.alive = True

    def start(self, environment: Mapping[str, str]) -> None:
        """Begin to look, in a thread of its own. Raises TargetError."""
        self._windows = EwmhWindows(Display(environment))
        threading.Thread(target=self._run, name="human", daemon=True).start()

    def _run(self) -> None:
        fd = self._connection.get_file_descriptor()
        try:
            while True:
                for means in self._look():
                    self._human.seen(means, self._by_key if means == "keyboard" else self._by_pointer)
                select.select([fd], [], [])
        except xcffib.XcffibException:
            self.alive = False

    def _by_key(self) -> int:
        return self._windows.focus_owner()

    def _by_pointer(self) -> int:
        return self._windows.owner_at(self._means.pointer())

    def _look(self) -> set[Means]:
        """What the human used since the last look; a quick mouse is judged once for many moves."""
        used: set[Means] = set()
        while (event := next_event(self._connection)) is not None:
            if event.kind == Kind.HIERARCHY:
                self._means.learn_devices()
            elif (means := self._means.used(event)) is not None:
                used.add(means)
        return used
