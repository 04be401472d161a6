"""Which programs wait for an answer from the network (sock_diag, linux/inet_diag.h)."""

from __future__ import annotations

import contextlib
import socket
import struct
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

ASK_SECONDS = 0.015
ACTION_SECONDS = 0.3
"""An action takes about so long: a program may have asked before the last of it was done."""
PATIENCE = 2.0
"""Seconds after which a request without an answer is one that waits for news (a chat, say), and no longer waited for."""
_DIAG, _BY_FAMILY, _DUMP, _DONE, _ERROR = 4, 20, 0x301, 3, 2
_INFO = 2  # INET_DIAG_INFO: struct tcp_info
_ESTABLISHED, _SYN_SENT = 1, 2
_MESSAGE = struct.Struct("=IHHII")
_INODE_AT, _ATTRIBUTES_AT = 68, 72  # in struct inet_diag_msg
_SENT_AT, _RECEIVED_AT = 44, 52  # tcpi_last_data_sent and tcpi_last_data_recv, milliseconds ago


@dataclass(frozen=True)
class _Link:
    inode: int
    asks: bool


class Requests:
    """What was asked since `begin` and has had no answer; nothing where the kernel does not tell."""

    def __init__(self) -> None:
        self._socket: socket.socket | None = None
        with contextlib.suppress(OSError, AttributeError):
            self._socket = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, _DIAG)
            self._socket.settimeout(0.1)
        self._began = self._asked_at = 0.0
        self._waiting = False
        self._given_up: set[int] = set()

    def begin(self) -> None:
        """Requests before the action that has just been carried out do not count."""
        self._began, self._waiting = time.monotonic() - ACTION_SECONDS, False

    def under_way(self, pids: Iterable[int]) -> bool:
        """Does one of the processes wait for an answer?"""
        now = time.monotonic()
        if self._socket is None or now - self._asked_at < ASK_SECONDS:
            return self._waiting
        self._asked_at = now
        open_ = {link.inode for link in self._links(now) if link.asks} - self._given_up
        self._waiting = bool(open_) and not open_.isdisjoint(_sockets(pids))
        if self._waiting and now - self._began > PATIENCE:
            self._given_up |= open_
            self._waiting = False
        return self._waiting

    def _links(self, now: float) -> Iterator[_Link]:
        try:
            for family in (socket.AF_INET, socket.AF_INET6):
                if self._socket is not None:
                    yield from _dump(self._socket, family, 1_000 * (now - self._began))
        except OSError:  # not allowed here, or not there
            self.close()

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None


def _dump(asking: socket.socket, family: int, since: float) -> Iterator[_Link]:
    """All connections of a protocol family. Raises OSError."""
    states = 1 << _ESTABLISHED | 1 << _SYN_SENT
    body = struct.pack("=BBBBI", family, socket.IPPROTO_TCP, 1 << (_INFO - 1), 0, states) + bytes(48)
    asking.send(_MESSAGE.pack(16 + len(body), _BY_FAMILY, _DUMP, 1, 0) + body)
    while True:
        data = asking.recv(1 << 17)
        while data:
            length, kind, *_ = _MESSAGE.unpack_from(data)
            if kind in (_DONE, _ERROR):
                return
            yield _link(data[16:length], since)
            data = data[length + 3 & ~3 :]


def _link(message: bytes, since: float) -> _Link:
    """A connection: it asks when data went out after `since` (milliseconds ago) and none has come in since then."""
    inode: int = struct.unpack_from("=I", message, _INODE_AT)[0]
    if message[1] == _SYN_SENT:
        return _Link(inode, True)
    at = _ATTRIBUTES_AT
    while at + 4 <= len(message):
        length, kind = struct.unpack_from("=HH", message, at)
        if kind == _INFO and length >= 4 + _RECEIVED_AT + 4:
            sent, received = (
                struct.unpack_from("=I", message, at + 4 + o)[0] for o in (_SENT_AT, _RECEIVED_AT)
            )
            return _Link(inode, sent <= since and sent < received)
        at += max(4, length + 3 & ~3)
    return _Link(inode, False)


def _sockets(pids: Iterable[int]) -> Iterator[int]:
    """Inodes of the sockets that processes hold (proc(5), fd)."""
    for pid in pids:
        with contextlib.suppress(OSError):  # it has ended, or is somebody else's
            for entry in Path(f"/proc/{pid}/fd").iterdir():
                with contextlib.suppress(OSError):
                    target = str(entry.readlink())
                    if target.startswith("socket:["):
                        yield int(target[8:-1])
