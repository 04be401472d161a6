"""A connection to the accessibility bus that keeps many calls under way, within a deadline."""

from __future__ import annotations

import select
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import xcffib
import xcffib.xproto
from jeepney.auth import AuthenticationError
from jeepney.bus import get_connectable_addresses
from jeepney.io.blocking import prep_socket

from desktop_agent.vision.atspi_wire import Call, Reply, decode, encode, message_size

DBUS = ("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus")
PROPERTIES = "org.freedesktop.DBus.Properties"
_LAUNCHER = ("org.a11y.Bus", "/org/a11y/bus")
_START_SECONDS = 5.0

Then = Callable[[Reply], None]


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
        self.ask(Call(*DBUS, "Hello"), seconds)

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
        self._hand_out()

    def _hand_out(self) -> None:
        start = 0
        while (size := message_size(self._in, start)) and start + size <= len(self._in):
            reply = decode(bytes(self._in[start : start + size]))
            start += size
            if reply is not None:
                self._late.pop(reply.serial, None)
                _, then = self._waiting.pop(reply.serial, ("", None))
                if then is not None:
                    then(reply)
        del self._in[:start]


def connect(environment: Mapping[str, str]) -> Bus:
    """The accessibility bus of a session given by its environment variables.

    AT_SPI_BUS_ADDRESS comes first, then the session bus (which starts the accessibility bus when
    needed), then the AT_SPI_BUS property of the X root window. Raises BusError with every reason.
    """
    reasons = []
    for find in (_from_variable, _from_session, _from_display):
        try:
            return Bus(find(environment))
        except BusError as error:
            reasons.append(str(error))
    raise BusError("; ".join(reasons))


def switch_on(environment: Mapping[str, str]) -> bool:
    """Tell the session's toolkits that accessibility is wanted; True when it was off before.

    Chromium and Qt build no tree otherwise. Raises BusError when there is no session bus.
    """
    status = "org.a11y.Status"
    session = Bus(session_address(environment))
    try:
        reply = session.ask(Call(*_LAUNCHER, PROPERTIES, "Get", "ss", (status, "IsEnabled")), _START_SECONDS)
        if reply.values()[0][1]:
            return False
        _set_status(session, True)
        return True
    finally:
        session.close()


def switch_off(environment: Mapping[str, str]) -> None:
    """Undo `switch_on`. Raises BusError."""
    session = Bus(session_address(environment))
    try:
        _set_status(session, False)
    finally:
        session.close()


def _set_status(session: Bus, on: bool) -> None:
    values = ("org.a11y.Status", "IsEnabled", ("b", on))
    session.ask(Call(*_LAUNCHER, PROPERTIES, "Set", "ssv", values), _START_SECONDS)


def session_address(environment: Mapping[str, str]) -> str:
    """Address of the session bus. Raises BusError when the environment names none."""
    if address := environment.get("DBUS_SESSION_BUS_ADDRESS"):
        return address
    runtime = environment.get("XDG_RUNTIME_DIR")
    if runtime and (Path(runtime) / "bus").exists():
        return f"unix:path={runtime}/bus"
    raise BusError("there is no D-Bus session (DBUS_SESSION_BUS_ADDRESS is not set)")


def _from_variable(environment: Mapping[str, str]) -> str:
    if address := environment.get("AT_SPI_BUS_ADDRESS"):
        return address
    raise BusError("AT_SPI_BUS_ADDRESS is not set")


def _from_session(environment: Mapping[str, str]) -> str:
    session = Bus(session_address(environment))
    try:
        reply = session.ask(Call(*_LAUNCHER, "org.a11y.Bus", "GetAddress"), _START_SECONDS)
    finally:
        session.close()
    return str(reply.values()[0])


def _from_display(environment: Mapping[str, str]) -> str:
    if not (display := environment.get("DISPLAY")):
        raise BusError("DISPLAY is not set")
    try:
        connection = xcffib.connect(display=display)
    except xcffib.ConnectionException as error:
        raise BusError(f"display {display} cannot be opened") from error
    try:
        return _root_property(connection, "AT_SPI_BUS")
    finally:
        connection.disconnect()


def _root_property(connection: xcffib.Connection, name: str) -> str:
    atom = connection.core.InternAtom(True, len(name), name).reply().atom
    root = connection.get_setup().roots[connection.pref_screen].root
    any_type = xcffib.xproto.GetPropertyType.Any
    reply = connection.core.GetProperty(False, root, atom, any_type, 0, 1024).reply()
    if not atom or not reply.value_len:
        raise BusError(f"the X root window has no {name}")
    return bytes(reply.value.buf()).decode(errors="replace").rstrip("\0")
