"""A stand-in for an X server's socket that passes everything on and can cut a connection in mid-request."""

from __future__ import annotations

import contextlib
import os
import selectors
import socket
import struct
import threading
from typing import Self

FIRST_NUMBER = 4_000
"""Display numbers from here on: no server takes one so high by itself."""
_UCRED = struct.Struct("3i")  # pid, uid, gid of SO_PEERCRED


class Connection:
    """One client's connection; `pid` is the client's, `writes` how often it has sent something."""

    def __init__(self, client: socket.socket, server: socket.socket) -> None:
        self.client, self.server = client, server
        credentials = client.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _UCRED.size)
        self.pid: int = _UCRED.unpack(credentials)[0]
        self.writes = 0
        self.cut_at = self.stall_at = 0
        """The write at which to cut the connection in its middle, or to pass nothing on any more."""

    def cut(self) -> None:
        """Nothing goes in either direction any more."""
        for end in (self.client, self.server):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)


class Cutter:
    """Listens as a display of its own (`name`) in front of the display `number`."""

    def __init__(self, number: int) -> None:
        self._path = f"\0/tmp/.X11-unix/X{number}"
        self._listener = socket.socket(socket.AF_UNIX)
        self._number = FIRST_NUMBER + os.getpid() % 50_000
        self._listener.bind(f"\0/tmp/.X11-unix/X{self._number}")  # an abstract name: no file stays behind
        self._listener.listen()
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._listener, selectors.EVENT_READ)
        self._waker, wake = socket.socketpair()
        self._selector.register(wake, selectors.EVENT_READ)
        self._connections: list[Connection] = []
        self._thread = threading.Thread(target=self._run, name="cutter", daemon=True)

    @property
    def name(self) -> str:
        """What to put into DISPLAY."""
        return f":{self._number}"

    def first_of(self, pid: int) -> Connection:
        """The oldest connection of a process."""
        return next(each for each in self._connections if each.pid == pid)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._waker.close()
        self._thread.join()
        for connection in self._connections:
            connection.cut()
            connection.client.close()
            connection.server.close()
        self._listener.close()
        self._selector.close()

    def _run(self) -> None:
        while True:
            for key, _ in self._selector.select():
                if key.fileobj is self._listener:
                    self._accept()
                elif key.data is None:
                    return
                else:
                    self._pass_on(key.fileobj, key.data)

    def _accept(self) -> None:
        client, _ = self._listener.accept()
        server = socket.socket(socket.AF_UNIX)
        server.connect(self._path)
        connection = Connection(client, server)
        self._connections.append(connection)
        self._selector.register(client, selectors.EVENT_READ, connection)
        self._selector.register(server, selectors.EVENT_READ, connection)

    def _pass_on(self, source: object, connection: Connection) -> None:
        to_server = source is connection.client
        here, there = connection.client, connection.server
        if not to_server:
            here, there = there, here
        try:
            data = here.recv(1 << 16)
            connection.writes += to_server
            if to_server and connection.writes == connection.stall_at:
                self._selector.unregister(here)
                return
            if to_server and connection.writes == connection.cut_at:
                there.sendall(data[: len(data) // 2])
                data = b""
            if data:
                there.sendall(data)
                return
        except OSError:
            pass
        connection.cut()
        for end in (connection.client, connection.server):
            with contextlib.suppress(KeyError):
                self._selector.unregister(end)
