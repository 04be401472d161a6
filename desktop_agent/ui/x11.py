"""What Qt does not tell or do on X11: is there a compositor, and who had the focus before us."""

from __future__ import annotations

import os
import struct
from typing import Any

from PySide6.QtGui import QGuiApplication

_PAGER = 2
_ANY = 0


def on_x11() -> bool:
    return QGuiApplication.platformName() == "xcb"


class Properties:
    """A short-lived connection to read and ask what a pager may; use it as a context manager."""

    def __init__(self) -> None:
        import xcffib
        import xcffib.xproto

        self._x: Any = xcffib
        self.connection: Any = self._x.connect()
        self.root: int = self.connection.get_setup().roots[self.connection.pref_screen].root

    def __enter__(self) -> Properties:
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.disconnect()

    def atom(self, name: str) -> int:
        return int(self.connection.core.InternAtom(False, len(name), name).reply().atom)

    def numbers(self, window: int, name: str) -> tuple[int, ...]:
        """A property of 32-bit numbers; empty when the window has none or is gone."""
        try:
            reply = self.connection.core.GetProperty(False, window, self.atom(name), _ANY, 0, 4_096).reply()
        except self._x.ProtocolException:
            return ()
        data = reply.value.buf()
        return struct.unpack(f"={len(data) // 4}I", data) if reply.format == 32 else ()

    def owner(self, selection: str) -> int:
        return int(self.connection.core.GetSelectionOwner(self.atom(selection)).reply().owner)

    def activate(self, window: int) -> None:
        """Ask the window manager to give `window` the focus (EWMH _NET_ACTIVE_WINDOW, as a pager)."""
        event = struct.pack(
            "=BBHII5I", 33, 32, 0, window, self.atom("_NET_ACTIVE_WINDOW"), _PAGER, 0, 0, 0, 0
        )
        mask = self._x.xproto.EventMask.SubstructureRedirect | self._x.xproto.EventMask.SubstructureNotify
        self.connection.core.SendEvent(False, self.root, mask, event)
        self.connection.flush()


def composited() -> bool:
    """True when a compositor draws the windows, so that they may be translucent."""
    if not on_x11():
        return True
    with Properties() as x:
        return x.owner("_NET_WM_CM_S0") != 0


def give_focus_back() -> None:
    """Activate the topmost window of another program, so that what the user worked in has the keyboard again."""
    if not on_x11():
        return
    with Properties() as x:
        other = next(
            (w for w in reversed(x.numbers(x.root, "_NET_CLIENT_LIST_STACKING")) if _may_have(x, w)), 0
        )
        if other:
            x.activate(other)


def _may_have(x: Properties, window: int) -> bool:
    if x.numbers(window, "_NET_WM_PID") == (os.getpid(),):
        return False
    if x.atom("_NET_WM_STATE_HIDDEN") in x.numbers(window, "_NET_WM_STATE"):
        return False
    kinds = x.numbers(window, "_NET_WM_WINDOW_TYPE")
    return not kinds or bool(
        {x.atom(f"_NET_WM_WINDOW_TYPE_{kind}") for kind in ("NORMAL", "DIALOG")} & set(kinds)
    )
