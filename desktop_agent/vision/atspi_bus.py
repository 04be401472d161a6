"""A connection to the accessibility bus that keeps many calls under way, within a deadline."""

from __future__ import annotations

import select
import time
from collections.abc import Callable

from jeepney.auth import AuthenticationError  # type: ignore[import-untyped]
from jeepney.bus import get_connectable_addresses  # type: ignore[import-untyped]
from jeepney.io.blocking import prep_socket  # type: ignore[import-untyped]

from desktop_agent.vision.atspi_wire import Call, Reply, Signal, decode, encode, message_size

DBUS = ("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus")
PROPERTIES = "org.freedesktop.DBus.Properties"

Then = Callable[[Reply], None]
Heard = Callable[[Signal], None]


class BusError(Exception):
    """The bus cannot be reached, or has gone; the message says which and why."""


class Bus:
    """One connection. Calls are queued with what to do with their reply; `run` does the rest.

    A peer that has not answered when `run` gives up stays in `silent()` until its late answers come.
    """

    def __init__(self, address: str, seconds: float = 2.0) -> None:
        try:
            path = next(get_connectable_addresses(address))
            self._socket = prep_socket(path, timeout=seconds)
        except (OSError, ValueError, RuntimeError, AuthenticationError) as error:
            raise BusError(f"{address}: {error}") from error
        self._socket.setblocking(False)
        self._poll = select.poll()
        self._poll.register(self._socket, select.POLLIN)
        self._out = bytearray()
        self._in = bytearray()
        self._serial = 0
        self._waiting: dict[int, tuple[str, Then]] = {}
        self._late: dict[int, str] = {}
        self.heard: Heard = lambda _: None
        """Gets every signal, in order with the replies of the same peer."""
        self.ask(Call(*DBUS, "Hello"), seconds)

    @property
    def calls(self) -> int:
        """How many calls were made."""
        return self._serial

    def call(self, call: Call, then: Then) -> None:
        """Queue a call; `then` gets the reply while `run` is under way (never after it)."""
        self._serial += 1
        self._out += encode(call, self._serial)
        self._waiting[self._serial] = (call.destination, then)

    def ask(self, call: Call, seconds: float) -> Reply:
        """One call and its reply. Raises BusError after `seconds`, or when the reply is an error."""
        replies: list[Reply] = []
        self.call(call, replies.append)
        self.run(time.monotonic() + seconds)
        if not replies:
            raise BusError(f"{call.destination} does not answer")
        if replies[0].error:
            raise BusError(f"{call.destination}: {replies[0].error}")
        return replies[0]

    def run(self, deadline: float) -> None:
        """Send what is queued and hand out replies until none is awaited, or the monotonic deadline."""
        self._exchange(0.0)
        while self._waiting and (left := deadline - time.monotonic()) > 0:
            self._exchange(left)
        self._late |= {serial: peer for serial, (peer, _) in self._waiting.items()}
        self._waiting.clear()

    def catch_up(self, seconds: float) -> None:
        """Give peers that are late a little time, so that one that was only slow counts again."""
        deadline = time.monotonic() + seconds
        while self._late and (left := deadline - time.monotonic()) > 0:
            self._exchange(left)

    def drain(self) -> None:
        """Take in what has come, without waiting."""
        self._exchange(0.0)

    def silent(self) -> frozenset[str]:
        """Bus names of peers that still owe an answer from an earlier `run`."""
        return frozenset(self._late.values())

    def close(self) -> None:
        self._socket.close()

    def _exchange(self, seconds: float) -> None:
        self._poll.modify(self._socket, select.POLLIN | (select.POLLOUT if self._out else 0))
        for _, ready in self._poll.poll(seconds * 1000):
            if ready & select.POLLOUT:
                self._send()
            if ready & ~select.POLLOUT:
                self._receive()

    def _send(self) -> None:
        try:
            sent = self._socket.send(self._out)
        except BlockingIOError:
            return
        except OSError as error:
            raise BusError(f"the accessibility bus has gone: {error}") from error
        del self._out[:sent]

    def _receive(self) -> None:
        try:
            data = self._socket.recv(1 << 20)
        except BlockingIOError:
            return
        except OSError as error:
            raise BusError(f"the accessibility bus has gone: {error}") from error
        if not data:
            raise BusError("the accessibility bus has gone")
        self._in += data
        try:
            self._hand_out()
        except ValueError as error:
            raise BusError(f"the accessibility bus speaks of what is not understood: {error}") from error

    def _hand_out(self) -> None:
        start, data = 0, bytes(self._in)
        while (size := message_size(data, start)) and start + size <= len(data):
            message = decode(data[start : start + size])
            start += size
            if isinstance(message, Signal):
                self.heard(message)
            elif message is not None:
                self._late.pop(message.serial, None)
                _, then = self._waiting.pop(message.serial, ("", None))
                if then is not None:
                    then(message)
        del self._in[:start]
