"""A VNC server: another computer's desktop, or a virtual machine's."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, Annotated

import msgspec

from desktop_agent.platforms import host
from desktop_agent.platforms.base import Input, InputWatch, Releaser
from desktop_agent.platforms.vnc_server import HOST, VncServer, server_of
from desktop_agent.protocol.errors import TargetError
from desktop_agent.redaction.secret_reference import SecretReference, referenced_secret
from desktop_agent.targets.base import Address

if TYPE_CHECKING:
    from desktop_agent.extras.sandbox.targets._rfb import RfbScreen

Host = Annotated[str, msgspec.Meta(pattern=r"^[\w.:%-]+$")]
Port = Annotated[int, msgspec.Meta(ge=1, le=65_535)]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[target.rfb]`: where the server is, and where its password is, if it asks for one: never the password itself.

    `password_from` is "env:NAME" (an environment variable) or "keyring:NAME" (an entry of the system's key store).
    """

    host: Host = "127.0.0.1"
    port: Port = 5900
    password_from: SecretReference = "env:VNC_PASSWORD"  # noqa: S105 - where it is


def create(options: Options) -> RfbScreen:
    """The server's screen, not connected yet."""
    from desktop_agent.extras.sandbox.targets._rfb import RfbScreen

    return RfbScreen(options.host, options.port, partial(referenced_secret, options.password_from))


def attach(address: Address) -> Input:
    """What injects, in the hand's process. Raises TargetError."""
    from desktop_agent.extras.sandbox.rfb.rfb_input import RfbInput

    # The hand hears the user's ESC by itself, too, as it does on their own display.
    return RfbInput(_server(address), host.desktop().attach(os.environ) if host.has_desktop() else None)


def watch(address: Address) -> InputWatch:
    """What watches the user's own display for ESC and releases at the server, in the guard's process. Raises TargetError."""
    from desktop_agent.extras.sandbox.rfb.rfb_releaser import RfbReleaser
    from desktop_agent.platforms.other_computer import WatchFromHere

    desktop = host.desktop().watch(os.environ) if host.has_desktop() else None
    return WatchFromHere(RfbReleaser(_server(address)), desktop)


def releaser(address: Address) -> Releaser:
    """What releases when the guard is gone, in the hand's process. Raises TargetError."""
    from desktop_agent.extras.sandbox.rfb.rfb_releaser import RfbReleaser

    return RfbReleaser(_server(address))


def is_gone(address: Address) -> bool:
    """Whether the Unix socket of this address has certainly gone, and its server with it."""
    socket = server_of(address.environment, address.secrets).socket
    return bool(socket) and not os.path.lexists(socket)


def _server(address: Address) -> VncServer:
    if HOST not in address.environment:
        raise TargetError("The address names no VNC server.", "Start the program again.")
    return server_of(address.environment, address.secrets)
