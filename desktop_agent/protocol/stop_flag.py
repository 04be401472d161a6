"""The stop flag of a run. Every wait in the program waits on it, so that a stop ends them all at once."""

from __future__ import annotations

import threading
from collections.abc import Callable

from desktop_agent.protocol.errors import Stopped


class StopFlag:
    """A flag that any thread sets once: it ends every `wait` and runs the callbacks."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self._lock = threading.Lock()
        self._callbacks: list[Callable[[], None]] = []
        self.reason = ""

    def set(self, reason: str = "stopped") -> None:
        """Set the flag. Only the first call counts; callbacks run in the calling thread."""
        with self._lock:
            if self._event.is_set():
                return
            self.reason = reason
            self._event.set()
            callbacks, self._callbacks = self._callbacks, []
        for callback in callbacks:
            callback()

    def is_set(self) -> bool:
        """True after the first `set`."""
        return self._event.is_set()

    def check(self) -> None:
        """Raise Stopped when the flag is set."""
        if self._event.is_set():
            raise Stopped(self.reason)

    def wait(self, seconds: float) -> None:
        """Wait that long; raises Stopped at once when the flag is or gets set."""
        if self._event.wait(seconds):
            raise Stopped(self.reason)

    def on_set(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Run `callback` when the flag gets set (at once if it is); returns a function that removes the callback."""
        with self._lock:
            if not self._event.is_set():
                self._callbacks.append(callback)
                return lambda: self._discard(callback)
        callback()
        return lambda: None

    def _discard(self, callback: Callable[[], None]) -> None:
        with self._lock:
            if callback in self._callbacks:
                self._callbacks.remove(callback)
