"""A connection to a model's server that another thread can cut while it is being read."""

from __future__ import annotations

import _socket
import contextlib
import socket
import sys
import threading
import weakref
from collections.abc import Iterator
from typing import Any

from desktop_agent.support.key_store import ApiKey


class Session:
    """One SDK client with the sockets it opened.

    `close()` may be called from any thread at any time: it wakes a thread that is blocked reading
    (closing a socket alone does not), and the client itself is closed by whoever used it last.
    """

    def __init__(self) -> None:
        self.client: Any = None
        self.key: ApiKey | None = None
        self._lock = threading.Lock()
        self._sockets: weakref.WeakSet[socket.socket] = weakref.WeakSet()
        self._busy = False
        self._closed = False

    @property
    def closed(self) -> bool:
        return self._closed

    def watch(self, request: Any) -> None:
        """Request hook of an httpx2 client: makes the transport tell about each socket it opens."""
        request.extensions["trace"] = self._trace

    @contextlib.contextmanager
    def in_use(self) -> Iterator[None]:
        """Around every use of the client."""
        with self._lock:
            self._busy = True
        try:
            yield
        finally:
            with self._lock:
                self._busy = False
            if self._closed:
                self._close_client()

    def close(self) -> None:
        """Let go of everything without waiting for anything."""
        with self._lock:
            self._closed = True
            busy, sockets = self._busy, list(self._sockets)
        for each in sockets:
            _shut(each)
        if not busy:
            self._close_client()

    def _trace(self, event: str, info: dict[str, Any]) -> None:
        # httpcore2's trace extension: https://www.encode.io/httpcore/extensions/#trace
        if event not in ("connection.connect_tcp.complete", "connection.start_tls.complete"):
            return
        opened = info["return_value"].get_extra_info("socket")
        if not isinstance(opened, socket.socket):
            return
        with self._lock:
            self._sockets.add(opened)
            closed = self._closed
        if closed:
            _shut(opened)

    def _close_client(self) -> None:
        client, self.client = self.client, None
        if client is not None:
            client.close()


def _shut(opened: socket.socket) -> None:
    # Not the methods of an SSL socket: they would drop the TLS state under the reading thread.
    with contextlib.suppress(OSError):
        socket.socket.shutdown(opened, socket.SHUT_RDWR)
    if sys.platform == "win32":  # where that wakes nobody who waits to read, but this does
        with contextlib.suppress(OSError):
            _socket.socket.close(opened)
