"""Runs the agent in a QThread and delivers its events to the UI thread in batches."""

from __future__ import annotations

import threading

from PySide6.QtCore import QObject, Qt, QThread, QTimer, Signal

from desktop_agent.agent.port import AgentPort
from desktop_agent.protocol.agent_events import FeedEvent
from desktop_agent.protocol.errors import DesktopAgentError
from desktop_agent.redaction.redactor import redactor

TICK_MS = 33
MAX_BATCH = 100
QUIT_MS = 5_000


class AgentThread(QThread):
    """Runs `port.serve()` until it returns.

    Signal: `broke(message, advice)` when it ended by an uncaught error; both texts are redacted.
    """

    broke = Signal(str, str)

    def __init__(self, port: AgentPort, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._port = port

    def run(self) -> None:
        try:
            self._port.serve()
        except DesktopAgentError as error:
            self.broke.emit(redactor().clean(error.message), redactor().clean(error.advice))
        except Exception as error:  # noqa: BLE001 - the boundary of a thread: the user must hear of it
            words = redactor().clean(f"The agent ended unexpectedly: {error}")
            self.broke.emit(words, "Close the window and start again.")


class Bridge(QObject):
    """Delivers the agent's events to the UI thread: at most every TICK_MS, at most MAX_BATCH at once.

    So a flood of events cannot block the window. Signals: `arrived(list[FeedEvent])`, in order;
    `broke(message, advice)` when the agent's thread died.
    """

    arrived = Signal(list)
    broke = Signal(str, str)
    _woken = Signal()

    def __init__(self, port: AgentPort, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.port = port
        self._lock = threading.Lock()
        self._queue: list[FeedEvent] = []
        self._waking = False
        self._timer = QTimer(self, singleShot=True, interval=TICK_MS)
        self._timer.timeout.connect(self._deliver)
        self._woken.connect(self._wake, Qt.ConnectionType.QueuedConnection)
        self._thread = AgentThread(port, self)
        self._thread.broke.connect(self.broke)
        port.subscribe(self._listen)

    def start(self) -> None:
        """Start the agent's thread; returns at once."""
        self._thread.start()

    def close(self) -> bool:
        """Stop the agent and wait for its thread; False when it did not end within QUIT_MS."""
        self.port.stop("the window was closed")
        self.port.quit()
        return self._thread.wait(QUIT_MS) if self._thread.isRunning() else True

    def _listen(self, event: FeedEvent) -> None:
        """Queue one event and wake the UI thread; called in the agent's thread."""
        with self._lock:
            self._queue.append(event)
            waking, self._waking = self._waking, True
        if not waking:
            self._woken.emit()

    def _wake(self) -> None:
        if not self._timer.isActive():
            self._timer.start()

    def _deliver(self) -> None:
        with self._lock:
            batch, self._queue = self._queue[:MAX_BATCH], self._queue[MAX_BATCH:]
            self._waking = more = bool(self._queue)
        self.arrived.emit(batch)
        if more:
            self._timer.start()
