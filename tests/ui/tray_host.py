"""A panel with a place for tray icons, as the System Tray Protocol of freedesktop.org wants one: it owns the selection and takes icons in."""

from __future__ import annotations

import contextlib
import select
import struct
import threading
from collections.abc import Mapping

import xcffib.xproto as x
from xcffib.xproto import CW, EventMask, WindowClass

from desktop_agent.platforms.x11.connection import Display

SIZE = 24
_DOCK = 0
_CLIENT_MESSAGE = struct.Struct("<BBHII5I")
_TYPE = 33


class TrayHost:
    """Takes in every icon that asks, SIZE pixels wide, from the upper left corner of the screen on."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._display = Display(environment)
        self.icons: list[int] = []
        self.window = self._display.connection.generate_id()
        mask, values = CW.BackPixel | CW.OverrideRedirect, [0x303030, 1]
        self._display.core.CreateWindow(
            0,
            self.window,
            self._display.root,
            0,
            0,
            10 * SIZE,
            SIZE,
            0,
            WindowClass.InputOutput,
            0,
            mask,
            values,
        )
        self._display.core.MapWindow(self.window)
        self._own("_NET_SYSTEM_TRAY_S0")
        self._display.sync()
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._serve, name="tray host", daemon=True)
        self._thread.start()

    def _own(self, name: str) -> None:
        """Own the selection and say so to everyone, as the protocol's MANAGER message."""
        selection, manager = self._atom(name), self._atom("MANAGER")
        self._display.core.SetSelectionOwner(self.window, selection, 0)
        message = _CLIENT_MESSAGE.pack(
            _TYPE, 32, 0, self._display.root, manager, 0, selection, self.window, 0, 0
        )
        self._display.core.SendEvent(False, self._display.root, EventMask.StructureNotify, message)

    def _atom(self, name: str) -> int:
        return int(self._display.core.InternAtom(False, len(name), name).reply().atom)

    def _serve(self) -> None:
        connection = self._display.connection
        while not self._ending.is_set():
            select.select([connection.get_file_descriptor()], [], [], 0.02)
            while (event := connection.poll_for_event()) is not None:
                if isinstance(event, x.ClientMessageEvent) and event.data.data32[1] == _DOCK:
                    self._take(event.data.data32[2])
            self._display.sync()

    def _take(self, icon: int) -> None:
        core = self._display.core
        core.ReparentWindow(icon, self.window, SIZE * len(self.icons), 0)
        core.ConfigureWindow(icon, x.ConfigWindow.Width | x.ConfigWindow.Height, [SIZE, SIZE])
        core.MapWindow(icon)
        self.icons.append(icon)

    def close(self) -> None:
        """End the panel as one that has crashed: the icons go back to the screen, the selection is free."""
        self._ending.set()
        self._thread.join()
        with contextlib.suppress(Exception):
            self._display.core.DestroyWindow(self.window)
            self._display.sync()
        self._display.close()
