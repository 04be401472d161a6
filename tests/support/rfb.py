"""A small client of the RFB protocol that plays the human at an Xvnc display's mouse and keyboard.

Protocol: RFC 6143 (RFB 3.8). Xvnc has a keyboard and a mouse of its own for its viewers, so that
XInput2's sourceid tells what comes from here from what comes through XTEST.
"""

from __future__ import annotations

import socket
import struct
from pathlib import Path
from typing import Self

from benchmarks.report import BenchmarkError

VERSION = b"RFB 003.008\n"
NO_AUTHENTICATION = 1
KEY_EVENT, POINTER_EVENT = 4, 5
SECONDS = 10.0

ESCAPE = 0xFF1B
SHIFT = 0xFFE1
LEFT, MIDDLE, RIGHT, WHEEL_UP, WHEEL_DOWN = 1, 2, 4, 8, 16
"""Bits of the button mask."""


class Human:
    """One viewer that never asks for a picture. Raises BenchmarkError when the server is not as expected."""

    def __init__(self, path: Path) -> None:
        """`path` is the Unix socket that the server listens on for viewers."""
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(SECONDS)
        try:
            self._socket.connect(str(path))
            self._greet()
        except OSError as error:
            self._socket.close()
            raise BenchmarkError(f"the display takes no viewer: {error}") from error

    def _greet(self) -> None:
        version = self._read(len(VERSION))
        if version != VERSION:
            raise BenchmarkError(f"the display speaks {version!r} and not {VERSION!r}")
        self._socket.sendall(VERSION)
        if NO_AUTHENTICATION not in self._read(self._read(1)[0]):
            raise BenchmarkError("the display wants a password of its viewers")
        self._socket.sendall(bytes([NO_AUTHENTICATION]))
        if self._read(4) != bytes(4):
            raise BenchmarkError("the display refused its viewer")
        self._socket.sendall(b"\1")  # shared: other viewers may stay
        self._read(20)  # size and pixel format
        self._read(int.from_bytes(self._read(4), "big"))  # the display's name

    def _read(self, count: int) -> bytes:
        read = b""
        while len(read) < count:
            piece = self._socket.recv(count - len(read))
            if not piece:
                raise OSError("it hung up")
            read += piece
        return read

    def key_event(self, keysym: int, down: bool) -> None:
        """Press or release a key, named by its keysym."""
        self._socket.sendall(_key(keysym, down))

    def tap(self, keysym: int = ESCAPE) -> None:
        """Press and release in one message, as quickly as a viewer can."""
        self._socket.sendall(_key(keysym, True) + _key(keysym, False))

    def pointer_event(self, x: int, y: int, buttons: int = 0) -> None:
        """Put the pointer there with exactly these buttons (a mask) down."""
        self._socket.sendall(struct.pack(">BBHH", POINTER_EVENT, buttons, x, y))

    def close(self) -> None:
        self._socket.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _key(keysym: int, down: bool) -> bytes:
    return struct.pack(">BBxxI", KEY_EVENT, down, keysym)
