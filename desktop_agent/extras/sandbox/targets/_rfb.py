"""The observing half of a VNC server."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from desktop_agent.extras.sandbox.rfb.rfb_connection import FAR, NEAR, RfbConnection
from desktop_agent.platforms.base import WindowInfo
from desktop_agent.platforms.vnc_server import PASSWORD, VncServer
from desktop_agent.protocol.errors import OutOfBounds, TargetError
from desktop_agent.protocol.geometry import Geometry, Rect, layout
from desktop_agent.targets.base import Address, Target
from desktop_agent.targets.faces import HasVncServer, HasWindows, Rests
from desktop_agent.vision.capture.frame import Frame

PICTURE_SECONDS = 10.0
"""How long a picture may take; a whole one through a slow network takes some."""


class RfbScreen(Target, HasVncServer, HasWindows, Rests):
    """The screen of a VNC server, whose desktop counts as one window; usable from several threads.

    `find_password` is asked when it starts; "" for none.
    """

    kind = "rfb"
    files_elsewhere = True

    def __init__(self, host: str, port: int, find_password: Callable[[], str]) -> None:
        self._server = VncServer(host, port)
        self.title = f"VNC {self._server.name}"
        self._find_password = find_password
        self._lock = threading.RLock()
        self._connection: RfbConnection | None = None
        self._last: Frame | None = None

    def start(self) -> None:
        with self._lock:
            if self._connection is None:
                self._server = VncServer(self._server.host, self._server.port, self._find_password())
                self._connection = RfbConnection(self._server, NEAR if self._server.near else FAR)
                with self._fresh():
                    pass

    def address(self) -> Address:
        secret = self._server.password
        return Address(self.kind, self._server.environment, {PASSWORD: secret} if secret else {})

    @contextmanager
    def _fresh(self) -> Iterator[RfbConnection]:
        """The connection with what the server shows now; after an error `start` makes another."""
        with self._lock:
            connection = self._connection
            if connection is None:
                raise TargetError(
                    f"There is no connection to the VNC server at {self._server.name}.",
                    "Start the run again.",
                )
            try:
                connection.refresh(PICTURE_SECONDS)
            except TargetError:
                self._disconnect()
                raise
            yield connection

    def geometry(self) -> Geometry:
        with self._fresh() as connection:
            return _layout(connection)

    def observe(self, region: Rect | None = None) -> Frame:
        self.may_look()
        with self._fresh() as connection:
            screen = _layout(connection)
            area = region or screen.bounds
            if area.empty or area.intersection(screen.bounds) != area:
                raise OutOfBounds(f"{area} is not on the screen.", "Look at the whole screen.")
            pixels, last = connection.part(area), self._last
            if last is not None and last.region == area and last.pixels == pixels:
                pixels = last.pixels  # comparing or encoding the same object again costs nothing
            self._last = Frame(pixels, area, screen.epoch, time.monotonic())
            return self._last

    def windows(self) -> Sequence[WindowInfo]:
        with self._lock:
            connection = self._connection
            if connection is None:
                return ()
            area = Rect(0, 0, *connection.size)
            # By the application the policy knows that what is inside cannot be told, by the program scopes know the server.
            return (WindowInfo(connection.name or self.title, 0, "VNC", area, self.title),)

    def vnc_server(self) -> VncServer | None:
        return self._server

    def rest(self) -> None:
        self._disconnect()

    def stop(self) -> None:
        self._disconnect()

    def _disconnect(self) -> None:
        with self._lock:
            if self._connection is not None:
                self._connection.close()
            self._connection = self._last = None


def _layout(connection: RfbConnection) -> Geometry:
    return layout((Rect(0, 0, *connection.size),))
