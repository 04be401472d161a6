"""Watches for the human's ESC on the user's own display while a VNC server is worked, and releases there what is held."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from desktop_agent.platforms.base import EscapeSink, HumanSink, InputWatch, Releaser
from desktop_agent.platforms.rfb import rfb_messages
from desktop_agent.platforms.rfb.key_codes import keysyms_of
from desktop_agent.platforms.rfb.rfb_connection import FOR_INPUT, RfbConnection
from desktop_agent.platforms.rfb.rfb_input import place_of
from desktop_agent.platforms.rfb.vnc_server import VncServer

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


class RfbWatch(InputWatch):
    """`desktop` watches the display the user sits at; None where there is none, and so nobody to press ESC."""

    def __init__(self, server: VncServer, desktop: InputWatch | None) -> None:
        self._releaser = RfbReleaser(server)
        self._desktop = desktop

    def watch_human(self, human: HumanSink) -> bool:
        """The user's input is theirs on their own display, and nothing tells of others at the server: nobody takes over."""
        del human
        return True

    def watch_escape(
        self, escapes: EscapeSink, interval: Callable[[], float], beat: Callable[[], None]
    ) -> None:
        if self._desktop is not None:
            self._desktop.watch_escape(escapes, interval, beat)
            return

        def go_on() -> None:
            while True:
                beat()
                threading.Event().wait(interval())

        threading.Thread(target=go_on, name="beat", daemon=True).start()

    def watching(self) -> bool:
        """Of the user's display; that the server has gone, the hand says."""
        return self._desktop is None or self._desktop.watching()

    def release(self, keys: Sequence[int], buttons: Sequence[int]) -> bool:
        return self._releaser.release(keys, buttons)
