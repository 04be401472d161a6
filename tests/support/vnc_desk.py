"""A private desktop on Xvnc that listens for viewers on the loopback interface: a VNC server to work."""

from __future__ import annotations

import socket
from pathlib import Path

from desktop_agent.extras.sandbox.rfb.vnc_authentication import answer
from desktop_agent.extras.sandbox.targets._rfb import RfbScreen
from desktop_agent.protocol.geometry import Size
from tests.support.desk import SIZE, LabDesk

_FILE_KEY = bytes((23, 82, 107, 6, 35, 78, 88, 7)).decode("latin-1")
"""What every VNC server encrypts its password file with."""


class VncDesk(LabDesk):
    """`port` is where it listens; with a `password` it asks for it. See LabDesk."""

    def __init__(self, password: str = "", size: Size = SIZE) -> None:
        super().__init__(size)
        self.password = password
        self.port = _free_port()

    def _server(self, authority: Path) -> list[str]:
        secret = authority.with_name("password")
        secret.write_bytes(answer(self.password.encode().ljust(8, b"\0"), _FILE_KEY))
        kind = "VncAuth" if self.password else "None"
        more = [
            "-rfbport",
            str(self.port),
            "-localhost",
            "-SecurityTypes",
            kind,
            "-PasswordFile",
            str(secret),
        ]
        return [*super()._server(authority), *more]

    def screen(self) -> RfbScreen:
        """What the brain observes of it, not started."""
        return RfbScreen("127.0.0.1", self.port, lambda: self.password)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
