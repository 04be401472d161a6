"""Tells which points of the screen show this process's windows, and brings a window to sight where Qt cannot (X11)."""

from __future__ import annotations

import os
from collections.abc import Sequence

from desktop_agent.protocol.geometry import Point
from desktop_agent.ui.shell.x11.focus import display


def ours_at(points: Sequence[Point]) -> list[bool]:
    """For each point of the screen, whether a window of this process is in front there. Raises TargetError."""
    from desktop_agent.platforms.x11.windows.ewmh import EwmhWindows

    with display() as x:
        windows = EwmhWindows(x)
        return [windows.owner_at(each) == os.getpid() for each in points]


def bring_here(window: int) -> None:
    """Bring a window to the current desktop and above all others, without the focus. Raises TargetError.

    A full-screen window that has the focus stands above all that Qt can raise: there the frame itself is restacked.
    """
    from xcffib.xproto import ConfigWindow, EventMask, StackMode

    from desktop_agent.platforms.x11.windows.ewmh import SOURCE_PAGER, EwmhWindows, client_message

    with display() as x:
        current = next(iter(x.numbers(x.root, "_NET_CURRENT_DESKTOP")), 0)
        if current not in x.numbers(window, "_NET_WM_DESKTOP"):
            message = client_message(window, x.atom("_NET_WM_DESKTOP"), current, SOURCE_PAGER)
            mask = EventMask.SubstructureNotify | EventMask.SubstructureRedirect
            x.core.SendEvent(False, x.root, mask, message)
        frame = EwmhWindows(x).top_of(window)
        x.core.ConfigureWindow(frame, ConfigWindow.StackMode, [StackMode.Above])
        x.sync()
