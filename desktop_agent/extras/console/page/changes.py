"""Tells every viewer what has changed, however slow they are: what is told is how things stand, so nothing can be lost.

A viewer that is busy finds at its next look which agents have changed since; however many changes there were, each is told
as it is by then. So nobody waits for a viewer, and a slow one takes no room.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from desktop_agent.extras.console.agents.roster import Roster
from desktop_agent.protocol.agent_events import FeedEvent, Preview

LIST = ""
"""Stands for the list of the agents among the names of agents."""


class Viewer:
    """What has changed since this viewer was last told; `wait` and `taken` belong to the event loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._changed: set[str] = set()
        self._lock = threading.Lock()
        self._ready = asyncio.Event()

    def note(self, name: str) -> None:
        """An agent has changed. From any thread; never waits."""
        with self._lock:
            first = not self._changed
            self._changed.add(name)
        if first:
            self._loop.call_soon_threadsafe(self._ready.set)

    async def wait(self) -> None:
        """Until something has changed."""
        await self._ready.wait()

    def taken(self) -> set[str]:
        """The names of what has changed since the last time."""
        with self._lock:
            self._ready.clear()
            found, self._changed = self._changed, set()
            return found


class Changes:
    """All viewers. From any thread."""

    def __init__(self, roster: Roster) -> None:
        self._viewers: set[Viewer] = set()
        self._lock = threading.Lock()
        self._take_back = roster.subscribe(self._hear)

    def _hear(self, name: str, event: FeedEvent) -> None:
        if not isinstance(event, Preview):
            self.note(name)

    def note(self, name: str = LIST) -> None:
        """An agent, or the list of them, has changed."""
        with self._lock:
            viewers = tuple(self._viewers)
        for each in viewers:
            each.note(name)

    @contextmanager
    def viewer(self, loop: asyncio.AbstractEventLoop) -> Iterator[Viewer]:
        """One more viewer while the block lasts, who is first told everything."""
        found = Viewer(loop)
        found.note(LIST)
        with self._lock:
            self._viewers.add(found)
        try:
            yield found
        finally:
            with self._lock:
                self._viewers.discard(found)

    def close(self) -> None:
        """Hear nothing more."""
        self._take_back()
