"""A private bus, and somebody on it who answers as logind and as a screen saver do."""

from __future__ import annotations

import contextlib
import os
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, cast

from desktop_agent.platforms.x11.lock_watch import LOGIN, SESSION_PATH


@contextmanager
def private_bus(folder: Path) -> Iterator[str]:
    """The address of a bus that ends with the context."""
    command = ["dbus-daemon", "--session", "--nofork", "--print-address", f"--address=unix:dir={folder}"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=dict(os.environ)) as daemon:
        try:
            yield cast(IO[str], daemon.stdout).readline().strip()
        finally:
            daemon.terminate()


class Logind:
    """Somebody on a bus who has the name and the answers of logind and of a screen saver."""

    SAVER = "org.freedesktop.ScreenSaver"

    def __init__(self, address: str) -> None:
        from jeepney import DBusAddress, message_bus, new_signal  # type: ignore[import-untyped]
        from jeepney.io.blocking import open_dbus_connection  # type: ignore[import-untyped]

        self._signal: Any = lambda path, interface, name, form, body: new_signal(
            DBusAddress(path, interface=interface), name, form, body
        )
        self._bus = open_dbus_connection(address)
        for name in (LOGIN, self.SAVER):
            self._bus.send_and_get_reply(message_bus.RequestName(name))
        self.properties: dict[str, tuple[str, object]] = {"LockedHint": ("b", False), "Active": ("b", True)}
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                self._answer(self._bus.receive())

    def _answer(self, message: Any) -> None:
        from jeepney import HeaderFields, MessageType, new_method_return

        if message.header.message_type is MessageType.method_call:
            if message.header.fields[HeaderFields.member] == "GetAll":
                self._bus.send(new_method_return(message, "a{sv}", (self.properties,)))
            else:
                self._bus.send(new_method_return(message, "b", (False,)))

    def change(self, name: str, value: bool) -> None:
        self.properties[name] = ("b", value)
        body: tuple[Any, ...] = ("org.freedesktop.login1.Session", {name: ("b", value)}, [])
        self._bus.send(
            self._signal(
                SESSION_PATH, "org.freedesktop.DBus.Properties", "PropertiesChanged", "sa{sv}as", body
            )
        )

    def blank(self, active: bool) -> None:
        self._bus.send(self._signal("/ScreenSaver", self.SAVER, "ActiveChanged", "b", (active,)))
