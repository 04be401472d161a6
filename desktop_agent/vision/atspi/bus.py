"""Connects to the accessibility bus without blocking, and runs many method calls in parallel, within a deadline."""

from __future__ import annotations

import select
import time
from collections import deque
from collections.abc import Callable, Iterator

from jeepney.auth import AuthenticationError  # type: ignore[import-untyped]
from jeepney.bus import get_connectable_addresses  # type: ignore[import-untyped]
from jeepney.io.blocking import prep_socket  # type: ignore[import-untyped]

from desktop_agent.platforms.posix import process_tree
from desktop_agent.vision.atspi.wire import BusReply, Call, Signal, decode, encode, message_size

DBUS = ("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus")
PROPERTIES = "org.freedesktop.DBus.Properties"

_DIRECT_SECONDS = 0.2
_BETWEEN_SECONDS = 0.2  # longest pause between two answers of peers that keep answering

Then = Callable[[BusReply], None]
OnSignal = Callable[[Signal], None]


_CHUNK = 1 << 20


class BusError(Exception):
    """The bus cannot be reached or was lost; the message says why."""


class Bus:
    """One D-Bus connection: `call` queues a method call with its callback, `run` sends and calls back.

    A peer that has not answered when `run` ends stays in `silent()` until its late answers come.
    Peers that have a socket of their own can be called directly (`connect`), without the bus between.
    """

    def __init__(self, address: str, seconds: float = 2.0, box: int = 0) -> None:
        """`box`: the PID namespace that it and every peer must be in, 0 for any. Raises BusError."""
        self._box = box
        try:
            self._bus = BusSocket(address, seconds, box)
        except BusSocketError as error:
            raise BusError(str(error)) from error
        self._direct: dict[str, BusSocket] = {}
        self._serial = 0
        self._waiting: dict[int, tuple[str, Then]] = {}
        self._late: dict[int, str] = {}
        self._broken: set[str] = set()
        self._answered_at = 0.0
        self.on_signal: OnSignal = lambda _: None
        """Called with every signal, in order with the same peer's replies to calls over the bus."""
        self.ask(Call(*DBUS, "Hello"), seconds)

    @property
    def calls(self) -> int:
        """How many calls have been queued so far."""
        return self._serial

    def call(self, call: Call, then: Then, *, over_bus: bool = False) -> None:
        """Queue a call; `then` is called with the reply during `run` (never after it).

        `over_bus` sends it over the bus even to a peer that is connected directly.
        """
        self._serial += 1
        link = self._bus if over_bus else self._direct.get(call.destination, self._bus)
        link.put(encode(call, self._serial), self._serial)
        self._waiting[self._serial] = (call.destination, then)

    def ask(self, call: Call, seconds: float) -> BusReply:
        """Make one call and return its reply. Raises BusError after `seconds`, or when the reply is an error."""
        replies: list[BusReply] = []
        self.call(call, replies.append)
        self.run(time.monotonic() + seconds)
        if not replies:
            raise BusError(f"{call.destination} does not answer")
        if replies[0].error:
            raise BusError(f"{call.destination}: {replies[0].error}")
        return replies[0]

    def connect(self, peer: str, address: str) -> None:
        """Call a peer directly at this address from now on; when it cannot be reached, over the bus as before."""
        try:
            self._direct[peer] = BusSocket(address, _DIRECT_SECONDS, self._box)
        except BusSocketError:
            self.disconnect(peer)

    def disconnect(self, peer: str) -> None:
        """Call a peer over the bus again."""
        if (link := self._direct.pop(peer, None)) is not None:
            link.close()

    def run(self, deadline: float, longest: float = 0.0) -> None:
        """Send what is queued and deliver replies until none is pending or the deadline (monotonic seconds) passes.

        While answers keep coming it continues until `longest`, if that is later. Raises BusError when the bus is lost.
        """
        self._broken.clear()
        self._exchange(0.0)
        while self._waiting and (left := self._left(deadline, longest)) > 0:
            self._exchange(left)
        # Unsent calls are withdrawn: they would only keep a slow peer busy.
        for serial in set[int]().union(*(link.hold_back() for link in (self._bus, *self._direct.values()))):
            self._broken.add(self._waiting.pop(serial)[0])
        self._late |= {serial: peer for serial, (peer, _) in self._waiting.items()}
        self._waiting.clear()

    def _left(self, deadline: float, longest: float) -> float:
        now = time.monotonic()
        if now < deadline:
            return deadline - now
        return min(longest, self._answered_at + _BETWEEN_SECONDS) - now

    def catch_up(self, seconds: float) -> None:
        """Wait at most so many seconds for late answers, so that a peer that was only slow is asked again."""
        deadline = time.monotonic() + seconds
        while self._late and (left := deadline - time.monotonic()) > 0:
            self._exchange(left)

    def drain(self) -> None:
        """Process what has arrived, without waiting. Raises BusError."""
        self._exchange(0.0)

    def listen(self, seconds: float) -> None:
        """Process what arrives, waiting at most so long for it. Raises BusError."""
        self._exchange(seconds)

    def silent(self) -> frozenset[str]:
        """Bus names of peers that still owe an answer, or to which not every call of the last `run` was sent."""
        return frozenset(self._late.values()) | self._broken

    def close(self) -> None:
        for peer in list(self._direct):
            self.disconnect(peer)
        self._bus.close()

    def _exchange(self, seconds: float) -> None:
        links = {link.fileno(): (peer, link) for peer, link in [("", self._bus), *self._direct.items()]}
        poll = select.poll()
        for number, (_, link) in links.items():
            poll.register(number, select.POLLIN | (select.POLLOUT if link.waiting_to_send else 0))
        for number, ready in poll.poll(seconds * 1000):
            peer, link = links[number]
            try:
                self._serve(link, ready)
            except BusSocketError as error:
                self._lost(peer, error)

    def _serve(self, link: BusSocket, ready: int) -> None:
        if ready & select.POLLOUT:
            link.send()
        if ready & ~select.POLLOUT:
            for message in link.receive():
                if isinstance(message, Signal):
                    self.on_signal(message)
                else:
                    self._answered(message)

    def _answered(self, reply: BusReply) -> None:
        self._answered_at = time.monotonic()
        self._late.pop(reply.serial, None)
        _, then = self._waiting.pop(reply.serial, ("", None))
        if then is not None:
            then(reply)

    def _lost(self, peer: str, error: BusSocketError) -> None:
        """Drop a peer that closed its socket, and its pending calls. Raises BusError when it is the bus itself."""
        if not peer:
            raise BusError(f"the accessibility bus: {error}") from error
        self.disconnect(peer)
        self._broken.add(peer)
        self._waiting = {serial: each for serial, each in self._waiting.items() if each[0] != peer}
        self._late = {serial: each for serial, each in self._late.items() if each != peer}


class BusSocketError(Exception):
    """The peer cannot be reached, has closed the connection, or sends what cannot be decoded; the message says which."""


class BusSocket:
    """A connection to a bus, or to one application directly.

    Connecting takes at most `seconds`. With `box`, the number of a PID namespace, only to who is in that: an address
    told by a program in a sandbox may lead out of it. Raises BusSocketError.
    """

    def __init__(self, address: str, seconds: float, box: int = 0) -> None:
        try:
            path = next(get_connectable_addresses(address))
            self._socket = prep_socket(path, timeout=seconds)
        except (OSError, ValueError, RuntimeError, StopIteration, AuthenticationError) as error:
            raise BusSocketError(f"{address}: {error}") from error
        if box and process_tree.of_peer(self._socket) != box:
            self._socket.close()
            raise BusSocketError(f"{address} leads out of the box")
        self._socket.setblocking(False)
        self._out = bytearray()
        self._ends: deque[tuple[int, int]] = deque()
        self._sent = self._begin = 0  # bytes sent in all, and before the message that is being sent
        self._in = bytearray()

    def fileno(self) -> int:
        return int(self._socket.fileno())

    @property
    def waiting_to_send(self) -> bool:
        return bool(self._out)

    def put(self, message: bytes, serial: int) -> None:
        """Queue a message."""
        self._out += message
        end = self._ends[-1][0] if self._ends else self._sent
        self._ends.append((end + len(message), serial))

    def send(self) -> None:
        """Send as much as the socket takes now. Raises BusSocketError."""
        try:
            sent = self._socket.send(self._out)
        except BlockingIOError:
            return
        except OSError as error:
            raise BusSocketError(f"it has gone: {error}") from error
        del self._out[:sent]
        self._sent += sent
        while self._ends and self._ends[0][0] <= self._sent:
            self._begin, _ = self._ends.popleft()

    def hold_back(self) -> set[int]:
        """Withdraw the queued messages of which nothing has been sent; returns their serials."""
        begun = [self._ends.popleft()] if self._ends and self._sent > self._begin else []
        held = {serial for _, serial in self._ends}
        self._ends = deque(begun)
        del self._out[begun[0][0] - self._sent if begun else 0 :]
        return held

    def receive(self) -> Iterator[BusReply | Signal]:
        """The complete messages that have arrived, without waiting. Raises BusSocketError."""
        try:
            data = self._socket.recv(_CHUNK)
        except BlockingIOError:
            return
        except OSError as error:
            raise BusSocketError(f"it has gone: {error}") from error
        if not data:
            raise BusSocketError("it has gone")
        self._in += data
        try:
            messages = self._whole()
        except ValueError as error:
            raise BusSocketError(f"it speaks of what is not understood: {error}") from error
        yield from messages

    def _whole(self) -> list[BusReply | Signal]:
        start, data, messages = 0, bytes(self._in), []
        while (size := message_size(data, start)) and start + size <= len(data):
            message = decode(data[start : start + size])
            start += size
            if message is not None:
                messages.append(message)
        del self._in[:start]
        return messages

    def close(self) -> None:
        self._socket.close()
