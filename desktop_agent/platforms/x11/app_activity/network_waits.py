"""Detects processes that wait for a reply from the network, from the kernel's TCP statistics.

Source: sock_diag(7), linux/inet_diag.h.
"""

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
"""About how long an action takes: a program may have sent its request before the end of it."""
PATIENCE = 2.0
"""Seconds after which a request without a reply counts as a long poll (a chat, say), and is ignored from then on."""
_DIAG, _BY_FAMILY, _DUMP, _DONE, _ERROR = 4, 20, 0x301, 3, 2
_INFO = 2  # INET_DIAG_INFO: struct tcp_info
_ESTABLISHED, _SYN_SENT = 1, 2
_MESSAGE = struct.Struct("=IHHII")
_INODE_AT, _ATTRIBUTES_AT = 68, 72  # in struct inet_diag_msg
# tcpi_last_data_sent and tcpi_last_data_recv (milliseconds ago), tcpi_bytes_received and tcpi_bytes_sent
_SENT_AGO, _RECEIVED_AGO, _RECEIVED, _SENT = 44, 52, 128, 200
REQUEST_BYTES = 60
"""Fewer bytes than this are no request but upkeep of a connection (HTTP/2 acknowledgements)."""


@dataclass(frozen=True)
class _Link:
    """A TCP connection: how many seconds ago data was last sent and received, and how many bytes in all."""

    inode: int
    connecting: bool = False
    sent_ago: float = 1e9
    received_ago: float = 1e9
    received: int = 0
    sent: int = 0


class NetworkWaits:
    """Tracks requests sent since `begin` that have no reply yet; none where the kernel gives no statistics."""

    def __init__(self) -> None:
        self._socket: socket.socket | None = None
        with contextlib.suppress(OSError, AttributeError):
            self._socket = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, _DIAG)
            self._socket.settimeout(0.1)
        self._began = self._asked_at = 0.0
        self._waiting = False
        self._given_up: set[int] = set()
        self._marks: dict[int, tuple[int, int]] = {}

    def begin(self) -> None:
        """Count only requests from the action on that has just been carried out."""
        self._began, self._waiting = time.monotonic() - ACTION_SECONDS, False
        self._marks.clear()

    def under_way(self, pids: Iterable[int]) -> bool:
        """True when one of the processes waits for a reply."""
        now = time.monotonic()
        if self._socket is None or now - self._asked_at < ASK_SECONDS:
            return self._waiting
        self._asked_at = now
        open_ = {link.inode for link in self._links() if self._asks(link, now)} - self._given_up
        self._waiting = bool(open_) and not open_.isdisjoint(_sockets(pids))
        if self._waiting and now - self._began > PATIENCE:
            self._given_up |= open_
            self._waiting = False
        return self._waiting

    def _asks(self, link: _Link, now: float) -> bool:
        """True when the connection sent something since the action that has no reply yet.

        Before the first reply everything sent counts; after a reply only what is long enough to be a request.
        """
        received, sent = self._marks.get(link.inode, (-1, 0))
        if link.received != received:
            sent = link.sent
            self._marks[link.inode] = (link.received, sent)
        since = now - self._began
        silent = link.received == 0 or link.received_ago > since
        # The kernel counts both times from the connection's start, perhaps in the same tick as its first data.
        unanswered = link.sent_ago < link.received_ago if link.received else link.sent > 0
        first = silent and link.sent_ago <= since and unanswered
        return link.connecting or first or link.sent - sent >= REQUEST_BYTES

    def _links(self) -> Iterator[_Link]:
        try:
            for family in (socket.AF_INET, socket.AF_INET6):
                if self._socket is not None:
                    yield from _dump(self._socket, family)
        except OSError:  # not allowed here, or not there
            self.close()

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None


def _dump(asking: socket.socket, family: int) -> Iterator[_Link]:
    """The TCP connections of a protocol family, established or connecting. Raises OSError."""
    states = 1 << _ESTABLISHED | 1 << _SYN_SENT
    body = struct.pack("=BBBBI", family, socket.IPPROTO_TCP, 1 << (_INFO - 1), 0, states) + bytes(48)
    asking.send(_MESSAGE.pack(16 + len(body), _BY_FAMILY, _DUMP, 1, 0) + body)
    while True:
        data = asking.recv(1 << 17)
        while data:
            length, kind, *_ = _MESSAGE.unpack_from(data)
            if kind in (_DONE, _ERROR):
                return
            yield _link(data[16:length])
            data = data[length + 3 & ~3 :]


def _link(message: bytes) -> _Link:
    inode: int = struct.unpack_from("=I", message, _INODE_AT)[0]
    if message[1] == _SYN_SENT:
        return _Link(inode, connecting=True)
    at = _ATTRIBUTES_AT
    while at + 4 <= len(message):
        length, kind = struct.unpack_from("=HH", message, at)
        info = message[at + 4 : at + length]
        if kind == _INFO and len(info) >= _SENT + 8:
            sent_ago, received_ago = (
                struct.unpack_from("=I", info, each)[0] / 1_000 for each in (_SENT_AGO, _RECEIVED_AGO)
            )
            received, sent = (struct.unpack_from("=Q", info, each)[0] for each in (_RECEIVED, _SENT))
            return _Link(inode, False, sent_ago, received_ago, received, sent)
        at += max(4, length + 3 & ~3)
    return _Link(inode)


def _sockets(pids: Iterable[int]) -> Iterator[int]:
    """Inodes of the sockets that processes hold (proc(5), fd)."""
    for pid in pids:
        with contextlib.suppress(OSError):  # it has ended, or is somebody else's
            for entry in Path(f"/proc/{pid}/fd").iterdir():
                with contextlib.suppress(OSError):
                    target = str(entry.readlink())
                    if target.startswith("socket:["):
                        yield int(target[8:-1])
