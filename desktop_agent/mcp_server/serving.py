"""Runs the MCP server beside the agent: the server on a thread of its own, the window (or a wait) on the main one."""

from __future__ import annotations

import logging
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

import anyio

from desktop_agent.headless import ENDING
from desktop_agent.mcp_server.client_model import ClientModel
from desktop_agent.mcp_server.mcp_tools import make_server
from desktop_agent.mcp_server.served_agent import ServedAgent
from desktop_agent.mcp_server.served_session import ServedSession
from desktop_agent.startup.exit_code import DONE, FAILED

_log = logging.getLogger(__name__)
_LEAVE_SECONDS = 20.0

Close: TypeAlias = Callable[[], None]
ShowWindow: TypeAlias = Callable[[Callable[[Close], None]], int]
"""Shows the window until it is closed; it gives a function that closes it, from any thread, to the one it gets."""


def serve_mcp(session: ServedSession, show_window: ShowWindow | None) -> int:
    """Serve one client on stdin and stdout until it goes or the window is closed; returns the exit code.

    From here on stdout belongs to the protocol: the SDK turns everything else that is written there to stderr.
    """
    agent = ServedAgent(session, ClientModel(), attended=show_window is not None)
    server = _Server(agent)
    sys.stdout = sys.__stdout__  # until now nothing could be written there
    server.start()
    try:
        if show_window is None:
            _work_alone(session, server)
        else:
            show_window(server.when_over)
    finally:
        session.quit()
    return FAILED if server.broke else DONE


def _work_alone(session: ServedSession, server: _Server) -> None:
    """Without a window: until the client goes or a signal ends the program."""
    thread = threading.Thread(target=session.serve, name="agent", daemon=True)
    thread.start()
    over = threading.Event()
    server.when_over(over.set)
    with _signals_set(over):
        over.wait()
    session.quit()
    thread.join(_LEAVE_SECONDS)


@contextmanager
def _signals_set(over: threading.Event) -> Iterator[None]:
    before = {each: signal.signal(each, lambda *_: over.set()) for each in ENDING}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


class _Server(threading.Thread):
    """The thread of the protocol; `broke` says that it ended by an error."""

    def __init__(self, agent: ServedAgent) -> None:
        super().__init__(name="mcp server", daemon=True)
        self._agent = agent
        self._lock = threading.Lock()
        self._over = False
        self._listeners: list[Callable[[], None]] = []
        self.broke = False

    def when_over(self, listener: Callable[[], None]) -> None:
        """Call `listener` when the client has gone; at once when it has."""
        with self._lock:
            if not self._over:
                self._listeners.append(listener)
                return
        listener()

    def run(self) -> None:
        try:
            anyio.run(make_server(self._agent).run_stdio_async)
        except Exception:  # noqa: BLE001 - the thread's boundary: the program ends, and the log says why
            _log.exception("the MCP server ended by an error")
            self.broke = True
        finally:
            with self._lock:
                self._over = True
            for listener in self._listeners:
                listener()
