"""Connects to the accessibility bus and runs many method calls in parallel, within a deadline."""

from __future__ import annotations

import select
import time
from collections.abc import Callable

from desktop_agent.vision.atspi.socket import BusSocket, BusSocketError
from desktop_agent.vision.atspi.wire import BusReply, Call, Signal, encode

DBUS = ("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus")
PROPERTIES = "org.freedesktop.DBus.Properties"

_DIRECT_SECONDS = 0.2
_BETWEEN_SECONDS = 0.2  # longest pause between two answers of peers that keep answering

Then = Callable[[BusReply], None]
OnSignal = Callable[[Signal], None]


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
