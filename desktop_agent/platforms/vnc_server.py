"""Where a VNC server is and what it asks for, as targets, hand and guard pass it on."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field

HOST, PORT, PASSWORD = "DESKTOP_AGENT_RFB_HOST", "DESKTOP_AGENT_RFB_PORT", "DESKTOP_AGENT_RFB_PASSWORD"
"""The environment variables by which the processes of hand and guard learn of it."""


@dataclass(frozen=True)
class VncServer:
    """A VNC server by its host and TCP port, and the password it may ask for; "" for none.

    A host that begins with a slash is the path of a Unix socket, which has no port.
    """

    host: str
    port: int
    password: str = field(default="", repr=False)

    @property
    def name(self) -> str:
        """As users write it: `localhost:5900`."""
        if self.socket:
            return self.host
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @property
    def socket(self) -> str:
        """The path of its Unix socket; "" where it has none."""
        return self.host if self.host.startswith("/") else ""

    @property
    def near(self) -> bool:
        """Is it on this computer, so that sending pixels as they are costs less than packing them?"""
        return bool(self.socket) or self.host in ("localhost", "::1") or self.host.startswith("127.")

    @property
    def environment(self) -> dict[str, str]:
        """What leads another process to it, without the password."""
        return {HOST: self.host, PORT: str(self.port)}


def server_of(environment: Mapping[str, str], secrets: Mapping[str, str]) -> VncServer:
    """The server that an address leads to; its password from the address, else from this process's environment."""
    password = secrets.get(PASSWORD) or os.environ.get(PASSWORD, "")
    return VncServer(environment[HOST], int(environment[PORT]), password)
