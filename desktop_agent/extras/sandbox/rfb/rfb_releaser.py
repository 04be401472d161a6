"""Releases at a VNC server what another process holds there."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_agent.extras.sandbox.rfb import rfb_messages
from desktop_agent.extras.sandbox.rfb.key_codes import keysyms_of
from desktop_agent.extras.sandbox.rfb.rfb_connection import FOR_INPUT, RfbConnection
from desktop_agent.platforms.base import Releaser
from desktop_agent.platforms.other_computer import place_of
from desktop_agent.platforms.vnc_server import VncServer

CONNECT_SECONDS = 3.0
"""A server that does not answer by then is not to hold up whoever cleans up."""


class RfbReleaser(Releaser):
    """Connects when there is something to release. See Releaser.

    Servers let go of a client's keys when it is gone, and some hear a release from that client alone; its buttons stay
    down until another client says that they are up. A button is released where it was pressed, so that a drag that was
    cut off ends where it began. No server tells what is down: what was sent again and again for a while counts as up.
    """

    def __init__(self, server: VncServer) -> None:
        self._server = server
        self._connection: RfbConnection | None = None

    def release(self, keys: Sequence[int], buttons: Sequence[int]) -> bool:
        self._connection = self._connection or RfbConnection(self._server, FOR_INPUT, CONNECT_SECONDS)
        message = b"".join(rfb_messages.key(each, False) for code in keys for each in keysyms_of(code))
        if buttons:
            message += rfb_messages.pointer(0, place_of(sum(1 << each for each in buttons)))
        self._connection.send(message)
        self._connection.poll()
        return True
