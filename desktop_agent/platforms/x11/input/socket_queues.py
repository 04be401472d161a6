"""What the X server has sent a program and the program has not read (sock_diag, linux/unix_diag.h)."""

from __future__ import annotations

import contextlib
import socket
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_DIAG, _BY_FAMILY, _REQUEST, _ERROR = 4, 20, 1, 2
_NAME, _PEER, _QUEUES = 0, 2, 4  # UNIX_DIAG_NAME, UNIX_DIAG_PEER, UNIX_DIAG_RQLEN
_SHOW = 1 << _NAME | 1 << _PEER | 1 << _QUEUES  # each attribute is asked for with the bit of its number
_ANY = 0xFFFFFFFF
_MESSAGE = struct.Struct("=IHHII")
_QUESTION = struct.Struct("=BBHIIIII")  # struct unix_diag_req
_ATTRIBUTES_AT = 32  # after the header and struct unix_diag_msg
_SERVER = b"/.X11-unix/X"


@dataclass(frozen=True)
class _Link:
    """One end of a connection. `unread` bytes came in, `unsent` ones went out and were not read at the other."""

    name: bytes
    peer: int
    unread: int
    unsent: int


class SocketQueues:
    """Asks the kernel about connections to an X server; nothing where it does not tell."""

    def __init__(self) -> None:
        self._socket: socket.socket | None = None
        with contextlib.suppress(OSError, AttributeError):
            self._socket = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW | socket.SOCK_CLOEXEC, _DIAG)
            self._socket.settimeout(0.1)

    def connections(self, pid: int) -> frozenset[int] | None:
        """A program's connections to X servers of this machine, by inode; None when that cannot be told.

        It cannot for a program of another user or in a network of its own, and without sock_diag.
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
        """Has all been read, at both ends? So it is for one that has been closed."""
        links = [self._link(inode) for inode in connections]
        return not any(link.unread or link.unsent for link in links if link)

    def _leads_to_server(self, link: _Link) -> bool:
        peer = self._link(link.peer) if link.peer else None
        return peer is not None and _SERVER in peer.name

    def _link(self, inode: int) -> _Link | None:
        """None when there is no local connection of this number here."""
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
    """Inodes of the sockets that a process holds (proc(5), fd). Raises OSError when it is somebody else's."""
    for entry in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):  # closed meanwhile
            target = str(entry.readlink())
            if target.startswith("socket:["):
                yield int(target[8:-1])
