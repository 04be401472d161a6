"""Hears from the buses whether the session is locked (logind, screen savers) and whether it is the one in front (logind).

logind: org.freedesktop.login1.Session, properties LockedHint and Active (the manual page org.freedesktop.login1);
screen savers: GetActive and the signal ActiveChanged, under the names that desktops use.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Mapping
from typing import Any

from desktop_agent.protocol.errors import OffReason

CONNECT_SECONDS = 2.0
ANSWER_SECONDS = 2.0
LOGIN = "org.freedesktop.login1"
SESSION_PATH = "/org/freedesktop/login1/session/auto"
SAVERS = (
    ("org.freedesktop.ScreenSaver", "/org/freedesktop/ScreenSaver"),
    ("org.gnome.ScreenSaver", "/org/gnome/ScreenSaver"),
    ("org.cinnamon.ScreenSaver", "/org/cinnamon/ScreenSaver"),
    ("org.mate.ScreenSaver", "/org/mate/ScreenSaver"),
    ("org.xfce.ScreenSaver", "/org/xfce/ScreenSaver"),
)
_SYSTEM = "unix:path=/run/dbus/system_bus_socket"
_BUS = ("/org/freedesktop/DBus", "org.freedesktop.DBus", "org.freedesktop.DBus")


class LockWatch:
    """`reasons` is what the buses have told by now. What one has told last holds when it ends: off stays off."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._system = environment.get("DBUS_SYSTEM_BUS_ADDRESS") or _SYSTEM
        self._session = environment.get("DBUS_SESSION_BUS_ADDRESS", "")
        self._told: dict[tuple[str, OffReason], bool] = {}
        self._changing = threading.Lock()
        self.reasons = OffReason(0)

    def start(self) -> None:
        """Begin to listen, a thread for each bus. The jeepney library is loaded there: the guard must be up at once."""
        for address, listen in ((self._system, self._hear_logind), (self._session, self._hear_savers)):
            if address:
                threading.Thread(target=self._run, args=(address, listen), name="bus", daemon=True).start()

    def _run(self, address: str, listen: Callable[[_Listener], None]) -> None:
        with contextlib.suppress(
            OSError, ValueError, RuntimeError, StopIteration, EOFError
        ):  # none, or it has ended
            while True:
                with contextlib.suppress(TimeoutError):  # a busy machine: ask anew
                    listen(_Listener(address))
                    return

    def _note(self, name: str, reason: OffReason, holds: bool) -> None:
        with self._changing:
            self._told[name, reason] = holds
            self.reasons = OffReason(sum({each for (_, each), true in self._told.items() if true}))

    def _hear_logind(self, bus: _Listener) -> None:
        bus.subscribe(LOGIN, "org.freedesktop.DBus.Properties", "PropertiesChanged")

        def ask() -> None:
            found = bus.properties(LOGIN, SESSION_PATH, "org.freedesktop.login1.Session")
            if not found:
                return  # an error is no word that it is unlocked
            self._note(LOGIN, OffReason.LOCKED, found.get("LockedHint") is True)
            self._note(LOGIN, OffReason.AWAY, found.get("Active") is False)

        ask()
        while bus.next_signal():
            ask()  # the signal names a session by its path, and which one is ours only logind knows

    def _hear_savers(self, bus: _Listener) -> None:
        for name, _ in SAVERS:
            bus.subscribe(name, name, "ActiveChanged")
        for name, path in SAVERS:
            self._note(name, OffReason.LOCKED, bus.ask(name, path, name, "GetActive") == (True,))
        while (signal := bus.next_signal()) is not None:
            interface, (active, *_) = signal
            self._note(interface, OffReason.LOCKED, active is True)


class _Listener:
    """A connection to a bus: subscribes, asks, and waits for signals. Raises OSError and what jeepney raises."""

    def __init__(self, address: str) -> None:
        from jeepney.io.blocking import open_dbus_connection  # type: ignore[import-untyped]

        self._connection: Any = open_dbus_connection(address, auth_timeout=CONNECT_SECONDS)
        self._signals: list[Any] = []

    def subscribe(self, sender: str, interface: str, member: str) -> None:
        """Hear such signals of whoever has this name."""
        rule = f"type='signal',sender='{sender}',interface='{interface}',member='{member}'"
        self._call(*_BUS, "AddMatch", "s", (rule,))

    def ask(self, name: str, path: str, interface: str, member: str) -> tuple[Any, ...]:
        """The answer of a method without arguments; () when nobody has the name, or it refuses."""
        if self._call(*_BUS, "NameHasOwner", "s", (name,)) != (True,):
            return ()  # asking would start it
        try:
            return self._call(path, name, interface, member)
        except TimeoutError:
            return ()

    def properties(self, name: str, path: str, interface: str) -> dict[str, Any]:
        """All properties of an interface by name, without their types; {} when it cannot be had."""
        answer = self._call(path, name, "org.freedesktop.DBus.Properties", "GetAll", "s", (interface,))
        return {key: value for key, (_, value) in answer[0].items()} if answer else {}

    def _call(self, path: str, name: str, interface: str, member: str, form: str = "", body: tuple[Any, ...] = ()) -> tuple[Any, ...]:  # fmt: skip
        from jeepney import (  # type: ignore[import-untyped]
            DBusAddress,
            HeaderFields,
            MessageType,
            new_method_call,
        )

        message = new_method_call(DBusAddress(path, name, interface), member, form or None, body)
        serial = next(self._connection.outgoing_serial)
        self._connection.send_message(message, serial=serial)
        while True:
            answer = self._connection.receive(timeout=ANSWER_SECONDS)
            kind = answer.header.message_type
            if kind is MessageType.signal:
                self._signals.append(answer)
            elif answer.header.fields.get(HeaderFields.reply_serial) == serial:
                return tuple(answer.body) if kind is MessageType.method_return else ()

    def next_signal(self) -> tuple[str, tuple[Any, ...]] | None:
        """Interface and values of the next signal, waited for as long as it takes."""
        from jeepney import HeaderFields, MessageType

        while True:
            message = self._signals.pop(0) if self._signals else self._connection.receive()
            if message.header.message_type is MessageType.signal:
                interface = message.header.fields[HeaderFields.interface]
                if message.body and interface != "org.freedesktop.DBus":
                    return interface, tuple(message.body)
