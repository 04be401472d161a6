"""Tells which points of the screen show this process's windows, and brings a window to sight where Qt cannot (X11)."""

from __future__ import annotations

import os
from collections.abc import Sequence

from desktop_agent.protocol.geometry import Point
from desktop_agent.ui.shell.x11.focus import display

_REPLACE, _WINDOW = 0, 33
"""PropModeReplace; the predefined atom WINDOW."""
_HINT = "WM_TRANSIENT_FOR"


def ours_at(points: Sequence[Point]) -> list[bool]:
    """For each point of the screen, whether a window of this process is in front there. Raises TargetError."""
    from desktop_agent.platforms.x11.windows.ewmh import EwmhWindows

    with display() as x:
        windows = EwmhWindows(x)
        return [windows.owner_at(each) == os.getpid() for each in points]


def bring_here(window: int, points: Sequence[Point]) -> None:
    """Bring a window to the current desktop and, at these points, above all others, without the focus. Raises TargetError.

    A window manager keeps a full-screen window with the focus above all but what belongs to it: so ours is said to
    belong to what covers it, until `let_go`.
    """
    from xcffib.xproto import EventMask

    from desktop_agent.platforms.x11.windows.ewmh import SOURCE_PAGER, EwmhWindows, client_message

    with display() as x:
        current = next(iter(x.numbers(x.root, "_NET_CURRENT_DESKTOP")), 0)
        if current not in x.numbers(window, "_NET_WM_DESKTOP"):
            message = client_message(window, x.atom("_NET_WM_DESKTOP"), current, SOURCE_PAGER)
            mask = EventMask.SubstructureNotify | EventMask.SubstructureRedirect
            x.core.SendEvent(False, x.root, mask, message)
        windows = EwmhWindows(x)
        clients = (windows.client_at(each) for each in points)
        full = x.atom("_NET_WM_STATE_FULLSCREEN")
        covers = [each for each in dict.fromkeys(clients) if each and windows.owner(each) != os.getpid()]
        for cover in [each for each in covers if full in x.numbers(each, "_NET_WM_STATE")][:1]:
            x.core.ChangeProperty(_REPLACE, window, x.atom(_HINT), _WINDOW, 32, 1, [cover])
        x.sync()


def let_go(window: int) -> None:
    """Let the window belong to no other any more. Raises TargetError."""
    with display() as x:
        x.core.DeleteProperty(window, x.atom(_HINT))
        x.sync()
