"""Waits until the application with the keyboard focus has read the input sent to it (drain): by pings, or by its socket."""

from __future__ import annotations

import contextlib
import socket
import struct
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from xcffib.xproto import CW, ClientMessageEvent, EventMask, InputFocus, MappingNotifyEvent

from desktop_agent.platforms.x11.connection import Display, reply_or_none
from desktop_agent.platforms.x11.windows.ewmh import EwmhWindows, client_message

SILENT_SECONDS = 0.06
"""Least wait for an application that does not answer pings (xterm): behind it may be a program on another machine
(ssh), or an input method."""
CHECK_SECONDS = 0.005
"""Interval of checks for a stop that does not arrive as an event of this connection."""
CLOSED_SECONDS = 0.1
"""Interval of checks for a window that was closed and so cannot answer."""


ALL_ASLEEP_SECONDS = 2.0
"""After that it is enough that the main thread sleeps: another thread may never do."""
_PROC = Path("/proc")
_ROUND_TRIPS = 2
"""The server writes to its clients in no fixed order: what it had for others before its first reply to us
is sent before it reads our next request."""
_DIAG, _BY_FAMILY, _REQUEST, _ERROR = 4, 20, 1, 2
_NAME, _PEER, _QUEUES = 0, 2, 4  # UNIX_DIAG_NAME, UNIX_DIAG_PEER, UNIX_DIAG_RQLEN
_SHOW = 1 << _NAME | 1 << _PEER | 1 << _QUEUES  # each attribute is requested by the bit of its number
_ANY = 0xFFFFFFFF
_MESSAGE = struct.Struct("=IHHII")
_QUESTION = struct.Struct("=BBHIIIII")  # struct unix_diag_req
_ATTRIBUTES_AT = 32  # after the header and struct unix_diag_msg
_SERVER = b"/.X11-unix/X"


class DrainWait:
    """Pings an application with _NET_WM_PING (EWMH), which it answers after the events sent before.

    One that does not support pings is observed until it has nothing to read and sleeps (`DrainCheck`).
    """

    def __init__(self, display: Display) -> None:
        self._display = display
        self._windows = EwmhWindows(display)
        self._serial = 0
        self.mapping_changed = False

    def wait(self, seconds: float, windows: Collection[int] = ()) -> bool:
        """Wait until these windows (by default the focus window) have read everything; False after `seconds`."""
        deadline = time.monotonic() + seconds
        return all(self._reads(window, deadline) for window in windows or (self._display.focus(),))

    def _reads(self, window: int, deadline: float) -> bool:
        window = self._under_pointer() if window == InputFocus.PointerRoot else window
        if self._gone(window):
            return True
        asked = self._pingable(window)
        return (
            self._wait_for_sleep(window, deadline) if asked is None else self._wait_for_ping(asked, deadline)
        )

    def _wait_for_ping(self, window: int, deadline: float) -> bool:
        self._select(EventMask.SubstructureNotify | EventMask.StructureNotify)  # Qt answers with the latter
        try:
            self._ping(window)
            while not self._wait_for_answer(time.monotonic() + CLOSED_SECONDS):
                if self._gone(window):
                    return True
                if time.monotonic() > deadline:
                    return False
            return True
        finally:
            self._select(EventMask.NoEvent)

    def _wait_for_sleep(self, window: int, deadline: float) -> bool:
        self._wait_for_answer(time.monotonic() + SILENT_SECONDS)
        pid = self._windows.owner(window)
        with closing(DrainCheck(pid, self._display.sync)) as program:
            while program.visible and not program.complete():
                if time.monotonic() > deadline:
                    return False
                self._wait_for_answer(time.monotonic() + CHECK_SECONDS)
        return True

    def _gone(self, window: int) -> bool:
        """True for a window that no longer exists, and for 0 (no focus): there is nothing to wait for."""
        return not window or reply_or_none(self._display.core.QueryTree(window)) is None

    def _under_pointer(self) -> int:
        """The innermost window under the pointer: it gets the keys while the focus is PointerRoot."""
        window, inner = 0, self._display.root
        while inner:
            window = inner
            reply = reply_or_none(self._display.core.QueryPointer(window))
            inner = reply.child if reply else 0
        return window

    def take_events(self) -> bool:
        """Take the events that have arrived; True when the answer to the last ping is among them."""
        answered = False
        while (event := self._display.next_event()) is not None:
            answered = answered or self._is_answer(event)
            if isinstance(event, MappingNotifyEvent):
                self.mapping_changed = True
        return answered

    def _pingable(self, window: int) -> int | None:
        """The window or its nearest ancestor that supports pings; None when none does."""
        ping = self._display.atom("_NET_WM_PING")
        while window > 1:
            if ping in self._display.numbers(window, "WM_PROTOCOLS"):
                return window
            tree = reply_or_none(self._display.core.QueryTree(window))
            window = tree.parent if tree and window != self._display.root else 0
        return None

    def _ping(self, window: int) -> None:
        self._serial += 1
        kind, ping = self._display.atom("WM_PROTOCOLS"), self._display.atom("_NET_WM_PING")
        message = client_message(window, kind, ping, self._serial, window)
        self._display.core.SendEvent(False, window, EventMask.NoEvent, message)
        self._display.flush()

    def _wait_for_answer(self, deadline: float) -> bool:
        while not self.take_events():
            self._display.check()
            left = deadline - time.monotonic()
            if left <= 0:
                return False
            self._display.rest(min(left, CHECK_SECONDS))
        return True

    def _is_answer(self, event: Any) -> bool:
        if not isinstance(event, ClientMessageEvent) or event.type != self._display.atom("WM_PROTOCOLS"):
            return False
        return list(event.data.data32)[:2] == [self._display.atom("_NET_WM_PING"), self._serial]

    def _select(self, mask: int) -> None:
        self._display.core.ChangeWindowAttributes(self._display.root, CW.EventMask, [mask])


# A program reads its events one after the other and sleeps when there is none left. So one that slept all
# the time between two checks, with round trips to the server between them, has read everything: whatever
# the server had for it was sent by then and would have woken it, and so would a reply it waited for.
class DrainCheck:
    """Checks one program, by process id, repeatedly. `round_trip` makes any request with a reply to the X server."""

    def __init__(self, pid: int, round_trip: Callable[[], None]) -> None:
        self._pid, self._round_trip = pid, round_trip
        self._unread = SocketQueues()
        self._connections = self._unread.connections(pid) if pid else frozenset()
        self._since = time.monotonic()

    @property
    def visible(self) -> bool:
        """True when the program can be checked: it runs on this machine, and its sockets or threads can be read."""
        return self._connections != frozenset() and bool(self._naps())

    def complete(self) -> bool:
        """True when it has read everything sent before this call; false also when that is not certain yet.

        Call it only for a program that is `visible`.
        """
        before = self._naps()
        if None in before:
            return False
        for _ in range(_ROUND_TRIPS):
            self._round_trip()
        return self._unread.empty(self._connections or frozenset()) and self._naps() == before

    def _naps(self) -> tuple[int | None, ...]:
        """For each thread how often it has gone to sleep; None for a thread that is not asleep now."""
        if time.monotonic() - self._since > ALL_ASLEEP_SECONDS:
            threads = [str(self._pid)]
        else:
            threads = _names(_PROC / str(self._pid) / "task")
        return tuple(_naps(_PROC / str(self._pid) / "task" / thread / "status") for thread in threads)

    def close(self) -> None:
        self._unread.close()


def _names(folder: Path) -> list[str]:
    try:
        return sorted(path.name for path in folder.iterdir())
    except OSError:  # it has ended, or hides
        return []


def _naps(status: Path) -> int | None:
    """Voluntary context switches of a sleeping thread (proc(5), status); None when it runs, is stopped, or has ended."""
    try:
        fields = dict(line.partition(b":")[::2] for line in status.read_bytes().splitlines())
    except OSError:
        return None
    if not fields.get(b"State", b"").strip().startswith(b"S"):
        return None
    return int(fields.get(b"voluntary_ctxt_switches", b"0"))


# Source: sock_diag(7), linux/unix_diag.h.
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
