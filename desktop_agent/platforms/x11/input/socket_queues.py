"""Reads from the kernel how much a program has not read yet of what the X server sent it.

Source: sock_diag(7), linux/unix_diag.h.
"""

from __future__ import annotations

import contextlib
import socket
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_DIAG, _BY_FAMILY, _REQUEST, _ERROR = 4, 20, 1, 2
_NAME, _PEER, _QUEUES = 0, 2, 4  # UNIX_DIAG_NAME, UNIX_DIAG_PEER, UNIX_DIAG_RQLEN
_SHOW = 1 << _NAME | 1 << _PEER | 1 << _QUEUES  # each attribute is requested by the bit of its number
_ANY = 0xFFFFFFFF
_MESSAGE = struct.Struct("=IHHII")
_QUESTION = struct.Struct("=BBHIIIII")  # struct unix_diag_req
_ATTRIBUTES_AT = 32  # after the header and struct unix_diag_msg
_SERVER = b"/.X11-unix/X"


@dataclass(frozen=True)
class _Link:
    """One end of a socket: `unread` bytes wait in its receive queue, `unsent` have not been read at the other end."""

    name: bytes
    peer: int
    unread: int
    unsent: int


class SocketQueues:
    """Queries the kernel about connections to X servers; finds none where sock_diag is not available."""

    def __init__(self) -> None:
        self._socket: socket.socket | None = None
        with contextlib.suppress(OSError, AttributeError):
            self._socket = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW | socket.SOCK_CLOEXEC, _DIAG)
            self._socket.settimeout(0.1)

    def connections(self, pid: int) -> frozenset[int] | None:
        """Inodes of a program's connections to X servers of this machine; None when unknown.

        Unknown for a program of another user or in a network namespace of its own, and without sock_diag.
        """
        try:
            inodes = list(_sockets(pid))
        except OSError:
            return None
        links = {inode: link for inode in inodes if (link := self._link(inode))}
        if not links:
            return None
        return frozenset(inode for inode, link in links.items() if self._leads_to_server(link))

    def empty(self, connections: frozenset[int]) -> bool:
        """True when everything has been read at both ends; also for a closed connection."""
        links = [self._link(inode) for inode in connections]
        return not any(link.unread or link.unsent for link in links if link)

    def _leads_to_server(self, link: _Link) -> bool:
        peer = self._link(link.peer) if link.peer else None
        return peer is not None and _SERVER in peer.name

    def _link(self, inode: int) -> _Link | None:
        """The socket with this inode; None when there is no such local one."""
        if self._socket is None:
            return None
        body = _QUESTION.pack(socket.AF_UNIX, 0, 0, _ANY, inode, _SHOW, _ANY, _ANY)
        try:
            self._socket.send(_MESSAGE.pack(_MESSAGE.size + len(body), _BY_FAMILY, _REQUEST, 1, 0) + body)
            told = self._socket.recv(4096)
        except OSError:  # not allowed here
            self.close()
            return None
        length, kind, *_ = _MESSAGE.unpack_from(told)
        return None if kind == _ERROR else _link(told[:length])

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None


def _link(message: bytes) -> _Link:
    found: dict[int, bytes] = {}
    at = _ATTRIBUTES_AT
    while at + 4 <= len(message):
        length, kind = struct.unpack_from("=HH", message, at)
        found[kind] = message[at + 4 : at + length]
        at += max(4, length + 3 & ~3)
    (peer,) = struct.unpack("=I", found.get(_PEER, bytes(4)))
    return _Link(found.get(_NAME, b""), peer, *struct.unpack("=II", found.get(_QUEUES, bytes(8))))


def _sockets(pid: int) -> Iterator[int]:
    """Inodes of the sockets that a process holds (proc(5), fd). Raises OSError for another user's process."""
    for entry in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):  # closed meanwhile
            target = str(entry.readlink())
            if target.startswith("socket:["):
                yield int(target[8:-1])
