"""A non-blocking D-Bus socket: queues messages to send, and splits what arrives into messages."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from jeepney.auth import AuthenticationError  # type: ignore[import-untyped]
from jeepney.bus import get_connectable_addresses  # type: ignore[import-untyped]
from jeepney.io.blocking import prep_socket  # type: ignore[import-untyped]

from desktop_agent.platforms.posix import pid_namespace
from desktop_agent.vision.atspi.wire import BusReply, Signal, decode, message_size

_CHUNK = 1 << 20


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
        if box and pid_namespace.of_peer(self._socket) != box:
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
