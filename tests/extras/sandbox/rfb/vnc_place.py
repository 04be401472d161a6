"""A real VNC server (Xvnc), and one that says whatever a test wants."""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import pytest

from benchmarks.report import BenchmarkError
from desktop_agent.platforms.vnc_server import VncServer
from tests.desk import Desk
from tests.support.vnc_desk import VncDesk

WIDTH, HEIGHT = 40, 30
Script = Callable[[socket.socket], None]


@contextmanager
def vnc_desk(password: str = "") -> Iterator[Desk]:
    """A desk whose display is a VNC server; skips the test where there is no Xvnc."""
    try:
        target = VncDesk(password)
    except BenchmarkError as error:
        pytest.skip(str(error))
    with target:
        yield Desk(target)


def server_of(desk: Desk) -> VncServer:
    """Where the desk's server is."""
    assert isinstance(desk.target, VncDesk)
    return VncServer("127.0.0.1", desk.target.port, desk.target.password)


@contextmanager
def saying(script: Script) -> Iterator[VncServer]:
    """A server that does `script` with each client, and hangs up then."""
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        with suppress(OSError):
            while True:
                client, _ = listener.accept()
                with client, suppress(OSError):
                    script(client)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield VncServer("127.0.0.1", listener.getsockname()[1], "secret")
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join()


def greeting(client: socket.socket, width: int = WIDTH, height: int = HEIGHT) -> None:
    """Signs a client in without a password, and reads what it wants."""
    client.sendall(b"RFB 003.008\n")
    exactly(client, 12)
    client.sendall(b"\x01\x01")
    exactly(client, 1)
    client.sendall(bytes(4))
    introduction(client, width, height, b"fake")


def introduction(client: socket.socket, width: int, height: int, name: bytes) -> None:
    """What comes once a client has signed in, up to the encodings that it wants."""
    exactly(client, 1)
    client.sendall(struct.pack(">HH16xI", width, height, len(name)) + name)
    exactly(client, 20)
    exactly(client, 4 * int.from_bytes(exactly(client, 4)[2:], "big"))


def exactly(client: socket.socket, count: int) -> bytes:
    """So many bytes from a client. Raises ConnectionError when it hangs up before."""
    read = b""
    while len(read) < count:
        piece = client.recv(count - len(read))
        if not piece:
            raise ConnectionError
        read += piece
    return read


def update(*rectangles: bytes) -> bytes:
    return struct.pack(">BxH", 0, len(rectangles)) + b"".join(rectangles)


def rectangle(x: int, y: int, width: int, height: int, encoding: int, content: bytes = b"") -> bytes:
    return struct.pack(">HHHHi", x, y, width, height, encoding) + content
