"""Reports what is drawn on an X display (DAMAGE, XFIXES), and whether the applications acted on are still at work."""

from __future__ import annotations

import contextlib
import socket
import struct
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import xcffib
import xcffib.damage
import xcffib.xfixes
from xcffib.ffi import ffi
from xcffib.xproto import CW, ClientMessageEvent, EventMask, PropertyNotifyEvent

from desktop_agent.platforms.x11.connection import Display, display_errors
from desktop_agent.platforms.x11.input.wm_ping import Pings
from desktop_agent.platforms.x11.windows.ewmh import EwmhWindows
from desktop_agent.protocol.app_activity import Activity, News
from desktop_agent.protocol.geometry import Point, Rect

_WHERE = (
    xcffib.xproto.MapNotifyEvent,
    xcffib.xproto.UnmapNotifyEvent,
    xcffib.xproto.ConfigureNotifyEvent,
)
_HEADER = 32  # bytes of every reply of the X protocol; FetchRegion's rectangles follow


BUSY = 0.2
"""Share of one processor above which a program with its children is at work; an idle browser uses 0.05."""
SAMPLE_SECONDS = 0.004
"""Seconds over which the share is measured, at least."""
CHILDREN_SECONDS = 0.05
"""Seconds between two searches for child processes."""
_PROC = Path("/proc")
_CPU_SCHED = 2  # linux/posix-timers.h: CPUCLOCK_SCHED, the time on a processor in nanoseconds
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


class X11Activity(Activity):
    """Watches one display over a connection of its own. Raises TargetError without the DAMAGE and XFIXES extensions."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._display = Display(environment)
        with display_errors(self._display.name):
            self._listen()
        self._windows = EwmhWindows(self._display)
        self._pings = Pings(self._display)
        self._work = ProcessActivity()
        self._clients: frozenset[int] = frozenset()
        self._before: set[int] = set()

    def _listen(self) -> None:
        display = self._display
        self._fixes: Any = display.extension(xcffib.xfixes.key)
        self._fixes.QueryVersion(5, 0).reply()
        self._damages: Any = display.extension(xcffib.damage.key)
        self._damages.QueryVersion(1, 1).reply()
        new = display.connection.generate_id
        self._damage, self._region = new(), new()
        # NonEmpty: one event until the damage is fetched, so much drawing does not mean many events.
        self._damages.Create(self._damage, display.root, xcffib.damage.ReportLevel.NonEmpty)
        self._fixes.CreateRegion(self._region, 0, [])
        mask = EventMask.SubstructureNotify | EventMask.PropertyChange
        display.core.ChangeWindowAttributes(display.root, CW.EventMask, [mask])
        display.sync()

    def begin(self) -> None:
        with display_errors(self._display.name):
            self._clients = frozenset(self._listed())
            windows = self._acted_on()
            now = {self._windows.owner(window) for window in windows}
            # The action may have closed a dialog: the process that had the keyboard before is watched as well.
            self._work.begin(now | self._before)
            self._before = now - {0}
            self._pings.send(windows)
            self._display.flush()

    def _acted_on(self) -> set[int]:
        """The client windows under the pointer and with the keyboard focus."""
        pointer = self._display.core.QueryPointer(self._display.root).reply()
        under = self._windows.client_at(Point(pointer.root_x, pointer.root_y))
        focus = self._windows.focus()
        return {under, self._windows.client_around(focus) if focus else 0} - {0}

    def wait(self, seconds: float) -> News:
        with display_errors(self._display.name):
            news = self._gathered()
            if not news.any:
                self._display.rest(seconds)
                news = self._gathered()
            return news

    def waits(self) -> bool:
        return self._pings.waiting or self._work.asks()

    def computes(self) -> bool | None:
        return None if self._work.unknown else self._work.goes_on()

    def _gathered(self) -> News:
        self._display.flush()
        drawn, windows = False, False
        while (event := self._display.next_event()) is not None:
            drawn |= isinstance(event, xcffib.damage.NotifyEvent)
            windows |= isinstance(event, _WHERE)
            if isinstance(event, ClientMessageEvent):
                self._pings.hear(event)
            elif isinstance(event, PropertyNotifyEvent) and self._is_client_list(event):
                self._meet_new_windows()
        if windows:
            self._miss_closed_windows()
        return News(tuple(self._taken_out()) if drawn else (), windows)

    def _taken_out(self) -> Iterator[Rect]:
        """Fetch and reset the damage: the rectangles drawn in since the last call."""
        self._damages.Subtract(self._damage, 0, self._region)
        cookie = self._fixes.FetchRegion(self._region)
        # Read from the raw bytes: xcffib's typed reply is slow for many rectangles.
        reply = self._display.connection.wait_for_reply(cookie.sequence)
        words = int.from_bytes(ffi.buffer(reply.cdata, _HEADER)[4:8], "little")
        raw = bytes(ffi.buffer(reply.cdata, _HEADER + 4 * words))
        for x, y, width, height in struct.iter_unpack("=hhHH", raw[_HEADER:]):
            yield Rect(x, y, width, height)

    def _is_client_list(self, event: PropertyNotifyEvent) -> bool:
        return bool(event.atom == self._display.atom("_NET_CLIENT_LIST"))

    def _listed(self) -> list[int]:
        return self._display.numbers(self._display.root, "_NET_CLIENT_LIST")

    def _meet_new_windows(self) -> None:
        """Watch the processes of newly opened windows as well."""
        now = frozenset(self._listed())
        for window in now - self._clients:
            self._work.add(self._windows.owner(window))
        self._clients = now

    def _miss_closed_windows(self) -> None:
        for window in self._pings.asked:
            if not self._windows.viewable(window):
                self._pings.closed(window)

    def close(self) -> None:
        """Close the connection."""
        self._work.close()
        self._display.close()


class ProcessActivity:
    """Watches some processes and their descendants for work since `begin`."""

    def __init__(self) -> None:
        self._roots: set[int] = set()
        self.family: tuple[int, ...] = ()
        """The watched process ids, descendants included."""
        self._requests = NetworkWaits()
        self._since = self._used = self._kin_at = self._looked_at = 0.0
        self._busy = True

    def begin(self, pids: Iterable[int]) -> None:
        """Watch these process ids from now on; an unknown one (0) makes the result `unknown`."""
        self._roots = set(pids)
        self._requests.begin()
        self._renew(time.monotonic())
        self._busy = True

    def add(self, pid: int) -> None:
        """Watch one more process; 0 (unknown) is ignored."""
        if pid and pid not in self._roots:
            self._roots.add(pid)
            self._renew(time.monotonic())
            self._busy = True

    @property
    def unknown(self) -> bool:
        """True when the processes to watch are not known."""
        return not self._roots or 0 in self._roots

    def goes_on(self) -> bool:
        """True when one of them uses a processor, or is ready for one, now."""
        now = time.monotonic()
        if now - self._since >= SAMPLE_SECONDS:
            used = _used(self.family)
            self._busy = (used - self._used) / (now - self._since) > BUSY
            self._since, self._used = now, used
            if now - self._kin_at > CHILDREN_SECONDS:
                self._renew(now)
        return self._busy or _wants(self.family)

    def asks(self) -> bool:
        """True when one of them waits for a reply from the network."""
        return self._requests.under_way(self.family)

    def _renew(self, now: float) -> None:
        self.family = tuple(_family(self._roots))
        self._since, self._used, self._kin_at = now, _used(self.family), now

    def close(self) -> None:
        """Close the kernel socket."""
        self._requests.close()


def _family(roots: Iterable[int]) -> Iterator[int]:
    """The process ids of the roots and all their descendants."""
    waiting = [pid for pid in roots if pid]
    while waiting:
        pid = waiting.pop()
        yield pid
        waiting += _children(pid)


def _children(pid: int) -> list[int]:
    """Children of any thread of a process (proc(5), task/TID/children); [] when it has ended."""
    found: list[int] = []
    try:
        for thread in (_PROC / str(pid) / "task").iterdir():
            found += map(int, (thread / "children").read_bytes().split())
    except OSError:
        return found
    return found


def _used(pids: Iterable[int]) -> float:
    """Processor seconds used so far by all threads of these processes."""
    return sum(map(_clock, pids))


def _clock(pid: int) -> float:
    # How glibc's clock_getcpuclockid makes the id of another process's clock.
    try:
        return time.clock_gettime((~pid << 3) | _CPU_SCHED)
    except OSError:  # it has ended
        return 0.0


def _wants(pids: Iterable[int]) -> bool:
    """True when the main thread of one of them is running, runnable (R) or waiting for a disk (D)."""
    return any(_state(pid) in (b"R", b"D") for pid in pids)


def _state(pid: int) -> bytes:
    try:
        with (_PROC / str(pid) / "stat").open("rb", buffering=0) as file:
            line = file.read(512)
    except OSError:
        return b""
    after = line.rfind(b")") + 2  # a program's name may have spaces and brackets
    return line[after : after + 1]


# Source: sock_diag(7), linux/inet_diag.h.
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
